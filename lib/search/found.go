package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"cortex/lib/hint"
	"cortex/lib/record"
	"cortex/lib/search/query"
	"cortex/lib/search/token"
)

// Found is what a query of exact search finds, best first. Texts are read as hits are asked for, so that any number
// of them can be gone through in little memory.
//
// A hit is a chunk. Each line of a file counts in one chunk: a line that stands in several tiers belongs to the
// implementations, or else to the definitions, and outlines and other chunks without lines of their own are found
// only by requests that name their chunk type. So no place is found twice.
type Found struct {
	x       *Index
	ctx     context.Context
	req     Request
	matches *matches
	total   int
	needles []needle
	finder  *finder
	// NoMatch explains why nothing was found; nil if anything was.
	NoMatch *NoMatch
}

// Find answers a query in the language of package query. An error in the query is a *QueryError. The context is kept for the
// methods of Found.
func (x *Index) Find(ctx context.Context, req Request) (f *Found, err error) {
	defer x.guard(&err)()
	if len(req.Queries) != 1 {
		return nil, fmt.Errorf("search: %d queries, exact search takes one", len(req.Queries))
	}
	source := req.Queries[0]
	node, err := query.Parse(source, x.settings.fuzziness())
	if err != nil {
		return nil, err
	}
	allowed, err := x.allowed(ctx, req.Filter)
	if err != nil {
		return nil, err
	}
	e := &evaluator{x: x, text: x.text, ctx: ctx, source: source, stemmer: x.stemmer, asked: askedTypes(node, req.Filter)}
	found, err := e.eval(node)
	if err != nil {
		return nil, err
	}
	if err := e.findTitles(node); err != nil {
		return nil, err
	}
	visible := e.visible()
	if allowed != nil {
		visible.intersect(allowed)
	}
	found.set.intersect(visible)
	x.weighPlaces(found)
	f = &Found{
		x: x, ctx: ctx, req: req, matches: found, total: found.set.count(),
		needles: exactNeedles(node, x.stemmer),
		finder:  &finder{namings(node), req.Filter.symbolTest(), req.Lines, notice | imports | literal | unmatched},
	}
	if f.total == 0 {
		if f.NoMatch, err = e.explain(node, visible, allowed != nil); err != nil {
			return nil, err
		}
		why, err := x.nothingToFind(ctx, req.Filter, allowed)
		if err != nil {
			return nil, err
		}
		if why == emptyIndex {
			f.NoMatch = &NoMatch{}
		}
		if why != "" {
			f.NoMatch.say("%s", why)
		}
	}
	return f, nil
}

// askedTypes are the chunk types that the request names, or gives a pattern of. A lone wildcard, which all of them match, asks for none.
func askedTypes(n query.Node, f Filter) map[record.ChunkType]bool {
	asked := map[record.ChunkType]bool{}
	for _, name := range f.ChunkTypes {
		asked[record.ChunkType(facetValue(query.ChunkType, name))] = true
	}
	if n == nil {
		return asked
	}
	query.Walk(n, func(t *query.Term) {
		if t.Field != query.ChunkType || isAnything(t) {
			return
		}
		match := facetPattern(t)
		if match == nil {
			asked[record.ChunkType(facetValue(query.ChunkType, t.Text))] = true
			return
		}
		for _, name := range record.ChunkTypes {
			if match(string(name)) {
				asked[name] = true
			}
		}
	})
	return asked
}

// Total is the number of hits, whatever the request's offset and limit.
func (f *Found) Total() int { return f.total }

// page lists the hits that the request asks for.
func (f *Found) page() []scored {
	k := f.total
	if limit := cmp.Or(f.req.Limit, DefaultLimit); limit > 0 {
		k = min(k, max(f.req.Offset, 0)+limit)
	}
	return page(f.matches.ranked(f.x.cat, k), f.req)
}

// Files lists the files that have hits, each once, in the order of their best hits, from the offset of the request on and
// no more than its limit. The paths are as in Metadata.FilePath; trees has the tree of each.
func (f *Found) Files() (paths, trees []string, err error) {
	defer f.x.guard(&err)()
	seen := map[string]bool{}
	for _, s := range f.matches.ranked(f.x.cat, f.total) {
		path := f.x.cat.FilePath(s.chunk)
		if seen[path] {
			continue
		}
		seen[path] = true
		paths, trees = append(paths, path), append(trees, f.x.cat.Tree(s.chunk))
	}
	return page(paths, f.req), page(trees, f.req), nil
}

// Each visits the hits from the offset of the request on, no more than its limit, and stops at an error, which it returns.
func (f *Found) Each(visit func(*Hit) error) (err error) {
	defer f.x.guard(&err)()
	for _, s := range f.page() {
		if err := f.ctx.Err(); err != nil {
			return err
		}
		h, err := f.x.hit(s, MatchKeyword, f.needles, f.finder)
		if err != nil {
			return err
		}
		if f.req.Context.Read {
			// Who asks for the lines around those that match wants all of these.
			c, err := f.x.cat.Chunk(s.chunk)
			if err != nil {
				return err
			}
			h.Highlights = allHighlights(c, f.needles, h.Symbol)
		}
		if err := f.x.addContext(&h, s.chunk, f.req.Context); err != nil {
			return err
		}
		if err := visit(&h); err != nil {
			return err
		}
	}
	return nil
}

// A Line is a line of a file that matches.
type Line struct {
	FilePath, Tree string
	// Number counts from 1.
	Number int
	// Text is the line without its end, as far as the chunk has it.
	Text string
	// Matches are the bytes [from, to) of Text that match, ascending.
	Matches [][2]int
}

// Lines visits all matching lines of the hits that Each visits, each line of a file once. Of a hit without any, such as
// one for its path, it visits the line at which it begins or declares what was asked for.
func (f *Found) Lines(visit func(Line) error) (err error) {
	defer f.x.guard(&err)()
	type place struct {
		path   string
		number int
	}
	seen := map[place]bool{}
	for _, s := range f.page() {
		if err := f.ctx.Err(); err != nil {
			return err
		}
		c, err := f.x.cat.Chunk(s.chunk)
		if err != nil {
			return err
		}
		lines := newTextLines(c)
		found, _ := lines.matches(f.needles)
		if len(found) == 0 {
			found = lines.mainLine(f.finder)
		}
		for len(found) > 0 {
			n := lines.at(found[0].start)
			line := Line{FilePath: c.Metadata.FilePath, Tree: c.Metadata.Tree, Number: lines.number[n], Text: lines.line(n)}
			for len(found) > 0 && lines.at(found[0].start) == n {
				from, to := found[0].start-lines.start[n], min(found[0].end-lines.start[n], len(line.Text))
				if from < to {
					line.Matches = append(line.Matches, [2]int{from, to})
				}
				if end := found[0].end; end > lines.start[n+1] {
					// A match that goes on in the next line is one of that, too.
					found[0].start = lines.start[n+1] + len(lines.line(n+1)) - len(strings.TrimLeft(lines.line(n+1), " \t"))
					if found[0].start < end && n+1 < lines.count() {
						break
					}
				}
				found = found[1:]
			}
			if !lines.real {
				// What is in no line stands for the file.
				line.Number = max(c.Metadata.StartLine, 1)
			}
			if line.Number == 0 || seen[place{line.FilePath, line.Number}] {
				continue
			}
			seen[place{line.FilePath, line.Number}] = true
			if err := visit(line); err != nil {
				return err
			}
		}
	}
	return nil
}

// Exact answers a query in the language of package query. An error in the query is a
// *QueryError.
func (x *Index) Exact(ctx context.Context, req Request) (*Response, error) {
	start := time.Now()
	found, err := x.Find(ctx, req)
	if err != nil {
		return nil, err
	}
	response := &Response{Query: req.Queries[0], TotalFound: found.Total(), NoMatch: found.NoMatch, Metadata: ResponseMetadata{Source: SourceExact}}
	err = found.Each(func(h *Hit) error {
		response.Results = append(response.Results, *h)
		return nil
	})
	if err != nil {
		return nil, err
	}
	response.finish(start)
	return response, nil
}

// page cuts out what the request asks for.
func page[T any](list []T, req Request) []T {
	list = list[min(max(req.Offset, 0), len(list)):]
	limit := req.Limit
	if limit == 0 {
		limit = DefaultLimit
	}
	if limit > 0 {
		list = list[:min(limit, len(list))]
	}
	return list
}

// A NoMatch says why a query finds nothing.
type NoMatch struct {
	// Message is all of it in words, one finding a line.
	Message string `json:"message"`
	// Terms are those that match nowhere.
	Terms []UnmatchedTerm `json:"terms,omitempty"`
	// Apart are two parts of the query each of which matches, never both in one chunk.
	Apart []string `json:"apart,omitempty"`
}

// An UnmatchedTerm matches nowhere.
type UnmatchedTerm struct {
	// Term is as it stands in the query.
	Term string `json:"term"`
	// Near are the nearest terms of the index, best first; there may be none.
	Near []NearTerm `json:"near"`
}

// A NearTerm is a term of the index.
type NearTerm struct {
	Term string `json:"term"`
	// Count is the number of chunks that a query for the term finds.
	Count int `json:"count"`
}

func (n *NoMatch) say(format string, args ...any) {
	if n.Message != "" {
		n.Message += "\n"
	}
	n.Message += fmt.Sprintf(format, args...)
}

// maxExplained bounds the parts of a query of which an explanation speaks.
const maxExplained = 8

// explain finds out why the query has no hit among the visible chunks, which filtered tells to be fewer than all.
func (e *evaluator) explain(n query.Node, visible bitset, filtered bool) (*NoMatch, error) {
	why := &NoMatch{}
	err := e.explainNode(why, n, visible)
	if err != nil {
		return nil, err
	}
	if why.Message == "" && filtered {
		why.say("%s: no match", e.written(n))
	}
	if filtered {
		set, err := e.set(n)
		if err != nil {
			return nil, err
		}
		set.intersect(e.visible())
		if count := set.count(); count > 0 {
			*why = NoMatch{}
			why.say("%s: %s, none of them admitted by the filter", e.written(n), plural(count, "match", "matches"))
		}
	}
	return why, nil
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// explainNode adds to why what it finds about a node that matches nothing.
func (e *evaluator) explainNode(why *NoMatch, n query.Node, visible bitset) error {
	if err := e.ctx.Err(); err != nil {
		return err
	}
	switch n := n.(type) {
	case *query.Term:
		return e.explainTerm(why, n)
	case *query.Or:
		for _, child := range n.Nodes[:min(len(n.Nodes), maxExplained)] {
			if err := e.explainNode(why, child, visible); err != nil {
				return err
			}
		}
	case *query.Not:
		why.say("%s: everything matches what is not wanted", e.written(n))
	case *query.And:
		return e.explainAnd(why, n, visible)
	}
	return nil
}

func (e *evaluator) explainAnd(why *NoMatch, n *query.And, visible bitset) error {
	var sets []bitset
	failed := 0
	for _, child := range n.Nodes {
		set, err := e.set(child)
		if err != nil {
			return err
		}
		set.intersect(visible)
		sets = append(sets, set)
		if set.count() > 0 {
			continue
		}
		if failed++; failed <= maxExplained {
			if err := e.explainNode(why, child, visible); err != nil {
				return err
			}
		}
	}
	if failed > 0 {
		return nil
	}
	for i, a := range sets {
		for j, b := range sets[:i] {
			both := slices.Clone(a)
			both.intersect(b)
			if both.count() == 0 {
				why.Apart = []string{e.written(n.Nodes[j]), e.written(n.Nodes[i])}
				why.say("%s and %s: each matches (%d and %d), never both in one place", why.Apart[0], why.Apart[1], b.count(), a.count())
				return nil
			}
		}
	}
	why.say("each part of %s matches, and each pair, but never all in one place", e.written(n))
	return nil
}

// written is the node as it stands in the query.
func (e *evaluator) written(n query.Node) string {
	start, end := len(e.source), 0
	not := 0
	var walk func(n query.Node)
	walk = func(n query.Node) {
		switch n := n.(type) {
		case *query.And:
			for _, child := range n.Nodes {
				walk(child)
			}
		case *query.Or:
			for _, child := range n.Nodes {
				walk(child)
			}
		case *query.Not:
			not++
			walk(n.Node)
		case *query.Term:
			start, end = min(start, n.Start), max(end, n.End)
		}
	}
	walk(n)
	if start >= end {
		return n.String()
	}
	text := e.source[start:end]
	switch n := n.(type) {
	case *query.Term:
		if n.Field != query.Text {
			text = string(n.Field) + ":" + text
		}
	case *query.Not:
		return "NOT " + e.written(n.Node)
	case *query.Or, *query.And:
		if _, or := n.(*query.Or); or {
			text = "(" + text + ")"
		}
	}
	return shortened(strings.Join(strings.Fields(text), " "))
}

// maxWritten is the number of characters of a query that an explanation repeats in one place.
const maxWritten = 80

func shortened(text string) string {
	runes := []rune(text)
	if len(runes) <= maxWritten {
		return text
	}
	return string(runes[:maxWritten]) + ellipsis
}

// explainTerm says which word of the term is nowhere, and what comes near it.
func (e *evaluator) explainTerm(why *NoMatch, t *query.Term) error {
	name := strings.TrimRight(e.written(t), ":")
	switch {
	case isAnything(t):
		why.say("%s: no match", name)
		return nil
	case t.Regexp != nil:
		why.Terms = append(why.Terms, UnmatchedTerm{name, []NearTerm{}})
		why.say("%s: no match; an expression is compared with single words", name)
		return nil
	case !t.Field.HasWords():
		near := e.nearValues(t)
		why.Terms = append(why.Terms, UnmatchedTerm{name, near})
		why.say("%s: no match%s", name, nearText(near))
		return nil
	case len(t.Wild) > 0:
		why.Terms = append(why.Terms, UnmatchedTerm{name, []NearTerm{}})
		why.say("%s: no match", name)
		return nil
	}
	words := token.Words(t.Text)
	missing := 0
	for _, w := range words {
		own := *t
		own.Text, own.Phrase = t.Text[w.Start:w.End], len(words) > 1
		m, err := e.words(&own, t.Field)
		if err != nil {
			return err
		}
		if m.set.count() > 0 {
			continue
		}
		if missing++; missing > maxExplained {
			break
		}
		near, err := e.nearest(t.Field, w.Term)
		if err != nil {
			return err
		}
		label := name
		if len(words) > 1 {
			label = own.Text
		}
		why.Terms = append(why.Terms, UnmatchedTerm{label, near})
		why.say("%s: no match%s", label, nearText(near))
	}
	if missing == 0 {
		why.Terms = append(why.Terms, UnmatchedTerm{name, []NearTerm{}})
		why.say("%s: no match; each of its words has some, not one after the other", name)
	}
	return nil
}

func nearText(near []NearTerm) string {
	if len(near) == 0 {
		return ""
	}
	var parts []string
	for _, n := range near {
		parts = append(parts, fmt.Sprintf("%s (%d)", n.Term, n.Count))
	}
	return "; near: " + strings.Join(parts, ", ")
}

// Bounds on the terms that an explanation offers.
const (
	maxNear = 3
	// maxLonger is the number of characters that a near term may go on after what comes near.
	maxLonger = 2
	// maxCounted is the number of near terms that are counted.
	maxCounted = 12
)

// nearest finds the terms of the field that come nearest to the word: those of at most two edits, and those that go on a
// little after such a term.
func (e *evaluator) nearest(field query.Field, word string) ([]NearTerm, error) {
	edits := 2
	switch letters := utf8.RuneCountInString(word); {
	case letters < 3:
		// Everything is near to it.
		return []NearTerm{}, nil
	case letters < 5:
		edits = 1
	}
	text := e.x.text
	distance := map[string]int{}
	var beginnings []string
	for _, d := range dictsOf(field) {
		list, err := text.near(d, word, edits, maxFuzzyTerms)
		if many := (*tooManyTerms)(nil); err != nil && !errors.As(err, &many) {
			return nil, err
		}
		for _, n := range list {
			if known, ok := distance[n.term]; !ok || n.edits < known {
				distance[n.term] = n.edits
				beginnings = append(beginnings, n.term)
			}
		}
	}
	slices.Sort(beginnings)
	for _, beginning := range slices.Compact(beginnings)[:min(len(beginnings), maxCounted)] {
		for _, d := range dictsOf(field) {
			longest := len(beginning) + maxLonger
			list, err := text.terms(d, beginning, func(term string) bool { return len(term) <= longest }, maxCounted)
			if many := (*tooManyTerms)(nil); err != nil && !errors.As(err, &many) {
				return nil, err
			}
			for _, term := range list {
				if _, ok := distance[term]; !ok {
					distance[term] = distance[beginning] + len(term) - len(beginning)
				}
			}
		}
	}
	return e.counted(text, field, distance)
}

// counted chooses the nearest terms that are found anywhere, of equally near ones those found more often.
func (e *evaluator) counted(text textIndex, field query.Field, distance map[string]int) ([]NearTerm, error) {
	terms := make([]string, 0, len(distance))
	for term := range distance {
		terms = append(terms, term)
	}
	slices.SortFunc(terms, func(a, b string) int {
		if distance[a] != distance[b] {
			return distance[a] - distance[b]
		}
		return strings.Compare(a, b)
	})
	other := *e
	other.text = text
	near := []NearTerm{}
	for _, term := range terms[:min(len(terms), maxCounted)] {
		m, err := other.single(field, word{variants: plainVariants(term, dict{field, wholeTerms}, dict{field, partTerms})})
		if err != nil {
			return nil, err
		}
		m.set.intersect(e.visible())
		if count := m.set.count(); count > 0 {
			near = append(near, NearTerm{term, count})
		}
	}
	slices.SortStableFunc(near, func(a, b NearTerm) int {
		if distance[a.Term] != distance[b.Term] {
			return distance[a.Term] - distance[b.Term]
		}
		return b.Count - a.Count
	})
	return near[:min(len(near), maxNear)], nil
}

// nearValues are the values of a field that is compared as a whole which come near to the term.
func (e *evaluator) nearValues(t *query.Term) []NearTerm {
	near := []NearTerm{}
	want := facetValue(t.Field, t.Text)
	for _, value := range e.x.values(t.Field) {
		if hint.Distance(want, value, 2) <= 2 {
			set := newBitset(e.x.cat.Len())
			e.x.addValue(set, t.Field, value)
			near = append(near, NearTerm{value, set.count()})
		}
	}
	slices.SortFunc(near, func(a, b NearTerm) int {
		if d := hint.Distance(want, a.Term, 2) - hint.Distance(want, b.Term, 2); d != 0 {
			return d
		}
		return strings.Compare(a.Term, b.Term)
	})
	return near[:min(len(near), maxNear)]
}
