package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"

	ways "cortex/lib/graph/edge"
)

// A cause is the reason why the two programs differ about a pair, as far as a program can tell.
type cause string

// The causes.
const (
	member     cause = "cscope: a field that holds a function"
	unseen     cause = "cscope: the caller is not seen or not ended"
	local      cause = "a parameter or local of the name"
	elsewhere  cause = "another definition"
	candidates cause = "ours leads to several"
	theirs     cause = "cscope alone"
	ours       cause = "ours alone"
)

// A disagreement is a pair that only one of the two programs has, or that they resolve differently.
type disagreement struct {
	pair
	line  int
	cause cause
	note  string
}

// A count has the number of pairs of cscope, of ours, and of both.
type count struct{ theirs, ours, both int }

func (c count) String() string {
	return fmt.Sprintf("%7d %7d %7d %10.3f %7.3f", c.theirs, c.ours, c.both, float64(c.both)/float64(max(c.ours, 1)), float64(c.both)/float64(max(c.theirs, 1)))
}

// A comparison is the result for one tree.
type comparison struct {
	name          string
	raw, fair     count
	disagreements []disagreement
	texts         map[string][]string
}

func compare(ctx context.Context, bin, dir string) (*comparison, error) {
	t, err := read(ctx, bin, dir)
	if err != nil {
		return nil, err
	}
	r, err := crossReference(ctx, dir, t.files)
	if err != nil {
		return nil, err
	}
	c := &comparison{name: filepath.Base(dir), texts: t.texts}
	c.compare(t, r)
	return c, nil
}

func (c *comparison) compare(t *tree, r *reference) {
	their, our := theirCalls(r), ourCalls(t, r)
	c.countOurs(t, r, our, their)
	c.countTheirs(t, our, their)
	slices.SortFunc(c.disagreements, func(a, b disagreement) int {
		return cmp.Or(cmp.Compare(a.cause, b.cause), cmp.Compare(a.file, b.file), cmp.Compare(a.line, b.line), cmp.Compare(a.callee, b.callee))
	})
}

// cscopeCalls are the calls that cscope knows.
type cscopeCalls struct {
	// expected has the calls of functions that cscope finds a definition of.
	expected map[pair]cscopeCall
	starts   map[pair]bool    // the functions that it knows
	at       map[place]string // the callers by place
}

type cscopeCall struct {
	line   int
	member bool // true if all occurrences are member calls
}

func theirCalls(r *reference) cscopeCalls {
	c := cscopeCalls{map[pair]cscopeCall{}, map[pair]bool{}, map[place]string{}}
	for _, list := range r.definitions {
		for _, d := range list {
			c.starts[pair{d.file, d.name, ""}] = true
		}
	}
	for _, call := range r.calls {
		c.starts[pair{call.file, call.caller, ""}] = true
		c.at[place{call.file, call.callee, call.line}] = call.caller
		if len(r.definitions[call.callee]) == 0 {
			continue
		}
		known, ok := c.expected[call.pair]
		if !ok {
			c.expected[call.pair] = cscopeCall{call.line, call.member}
		} else if !call.member {
			known.member = false
			c.expected[call.pair] = known
		}
	}
	return c
}

// graphCalls are the calls in our graph.
type graphCalls struct {
	found map[pair]edge
	// several has the calls that lead to several functions.
	several map[pair]bool
	// callerAt has the caller by file and line, for calls that cscope assigns to another function.
	callerAt map[string]map[int]string
}

func ourCalls(t *tree, r *reference) graphCalls {
	c := graphCalls{map[pair]edge{}, map[pair]bool{}, map[string]map[int]string{}}
	for _, e := range t.edges {
		if len(r.definitions[e.callee]) == 0 && !slices.ContainsFunc(e.in, func(file string) bool { return t.spans[file][e.callee] != nil }) {
			continue // a type, for example
		}
		if e.by == ways.ByCandidates {
			c.several[e.pair] = true
			continue
		}
		c.found[e.pair] = e
	}
	for p, e := range c.found {
		if c.callerAt[p.file] == nil {
			c.callerAt[p.file] = map[int]string{}
		}
		for _, line := range e.lines {
			c.callerAt[p.file][line] = p.caller
		}
	}
	return c
}

// countOurs counts the calls in our graph, and those that cscope has too.
func (c *comparison) countOurs(t *tree, r *reference, our graphCalls, their cscopeCalls) {
	for p, e := range our.found {
		c.raw.ours++
		c.fair.ours++
		_, ok := their.expected[p]
		switch {
		case ok && agree(t, e, r.definitions[p.callee]):
			c.raw.both++
			c.fair.both++
		case ok:
			c.add(p, e.lines[0], elsewhere, fmt.Sprintf("%s %v", e.by, e.in))
		case !their.starts[pair{p.file, p.caller, ""}] || otherCaller(their.at, p, e.lines):
			c.add(p, e.lines[0], unseen, "")
			c.fair.ours--
		default:
			c.add(p, e.lines[0], ours, fmt.Sprintf("%s %v", e.by, e.in))
		}
	}
}

// countTheirs counts the calls that cscope has, and says why our graph lacks some of them.
func (c *comparison) countTheirs(t *tree, our graphCalls, their cscopeCalls) {
	for p, call := range their.expected {
		c.raw.theirs++
		c.fair.theirs++
		if _, ok := our.found[p]; ok {
			continue
		}
		var why cause
		switch caller, ok := our.callerAt[p.file][call.line]; {
		case call.member:
			why = member
		case our.several[p]:
			why = candidates
		case ok && caller != p.caller || !t.within(p.file, p.caller, call.line):
			why = unseen
		case isLocal(t.texts[p.file], call.line, p.callee):
			why = local
		default:
			why = theirs
		}
		c.add(p, call.line, why, "")
		if why == member || why == unseen || why == local {
			c.fair.theirs--
		}
	}
}

func (c *comparison) add(p pair, line int, why cause, note string) {
	c.disagreements = append(c.disagreements, disagreement{p, line, why, note})
}

// agree reports whether the edge leads to a definition that cscope has. If the caller's file has one, it must be that
// one. cscope takes a prototype followed by an attribute for a definition; such a prototype does not count.
func agree(t *tree, e edge, definitions []definition) bool {
	own := slices.ContainsFunc(definitions, func(d definition) bool { return d.file == e.file && t.spans[d.file][d.name] != nil })
	return slices.ContainsFunc(definitions, func(d definition) bool { return (!own || d.file == e.file) && slices.Contains(e.in, d.file) })
}

// A place is a line with a call of a name.
type place struct {
	file, callee string
	line         int
}

// otherCaller reports whether cscope assigns the call on one of the lines to another function.
func otherCaller(at map[place]string, p pair, lines []int) bool {
	return slices.ContainsFunc(lines, func(line int) bool {
		caller, ok := at[place{p.file, p.callee, line}]
		return ok && caller != p.caller
	})
}

var statement = regexp.MustCompile(`^(return|else|goto)\b`)

// isLocal reports whether the name is declared as a variable or parameter above the line, within the same function.
func isLocal(text []string, line int, name string) bool {
	declared := regexp.MustCompile(`(\w[ \t]+\**|\*)` + regexp.QuoteMeta(name) + `[ \t]*([,;=)\[]|$)|\(\*` + regexp.QuoteMeta(name) + `\)[ \t]*\(`)
	for i := min(line, len(text)) - 1; i >= 0 && i > line-200; i-- {
		if m := declared.FindString(text[i]); m != "" && !statement.MatchString(m) {
			return true
		}
		if text[i] != "" && text[i][0] == '}' {
			break
		}
	}
	return false
}

func (c *comparison) report(w io.Writer) {
	fmt.Fprintf(w, "%-12s %-5s %s\n%-12s %-5s %s\n", c.name, "raw", c.raw, "", "fair", c.fair)
	counts := map[cause]int{}
	for _, d := range c.disagreements {
		counts[d.cause]++
	}
	for _, why := range []cause{theirs, candidates, elsewhere, ours, member, unseen, local} {
		if counts[why] > 0 {
			fmt.Fprintf(w, "%18s %7d %s\n", "", counts[why], why)
		}
	}
}

// draw prints n random disagreements of each cause with their lines.
func (c *comparison) draw(w io.Writer, n int, seed uint64, only string) {
	draws := rand.New(rand.NewPCG(seed, 8))
	for len(c.disagreements) > 0 {
		why := c.disagreements[0].cause
		end := slices.IndexFunc(c.disagreements, func(d disagreement) bool { return d.cause != why })
		if end < 0 {
			end = len(c.disagreements)
		}
		group := c.disagreements[:end]
		c.disagreements = c.disagreements[end:]
		if only != "" && string(why) != only {
			continue
		}
		draws.Shuffle(len(group), func(i, j int) { group[i], group[j] = group[j], group[i] })
		for _, d := range group[:min(n, len(group))] {
			line := ""
			if text := c.texts[d.file]; d.line >= 1 && d.line <= len(text) {
				line = text[d.line-1]
			}
			fmt.Fprintf(w, "%s: %s:%d %s -> %s %s\n\t%s\n", why, d.file, d.line, d.caller, d.callee, d.note, line)
		}
	}
}
