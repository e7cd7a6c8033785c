// Package mask replaces text that a grammar cannot read by as many other bytes, so that all positions stay the same.
package mask

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode/utf8"

	"cortex/lib/branches"
)

// A Mask replaces, before the text is parsed, what the grammar can't read by as many
// bytes that it can. Symbols are cut from the original text; names from the masked.
type Mask struct {
	// Match is a regular expression (RE2) that does not match nothing. Masks are tried in their order
	// at each place, from the start of the text to its end; what one has matched no other sees.
	// With \A in front it matches only directly behind the match before, or at the start of the text.
	Match string
	// paired: the matched text, such as $body$, opens what ends with the same text.
	Paired bool
	// As is put in place of what was matched, with blanks up to its length; line ends stay.
	// "" without fill keeps it: so masks step over comments and strings. With "…" in it, what stands
	// before and behind that replaces the first and last bytes alone, and the inside stays.
	As string
	// Fill takes the place of the blanks.
	Fill byte
	// blank, with "…" in as, makes blanks of the inside.
	Blank bool
}

// A Masker is the masks of a grammar, taken apart into alternatives.
type Masker struct {
	masks        []Mask
	alternatives []alternative
	// first are, for each byte, the alternatives that can begin with it.
	first [256][]int
}

// An alternative is a part of a mask's expression that does not depend on the others.
type alternative struct {
	mask int
	// behind: it matches only where another match ends or the text begins.
	behind bool
	// opens is the text with which every match begins, up to which an expression is not tried.
	opens string
	// whole: opens is all of every match.
	whole bool
	// places are the conditions under which a match can begin, by its first byte.
	places [256]anchors
	// closes, if not "", ends a match, which is then all from opens to it; that of a line does not
	// include it. There is no expression then. If gap, only blanks stand between.
	closes string
	gap    bool
	// next are the bytes of which one must follow the first one of a match, behind spaces and tabs; nil if a match may end
	// before. Most places where an expression would have to be tried, such as all ends of lines, are seen by that to be none.
	next *[256]bool
	// start matches at the start of the text, inside one byte before the place, so that the
	// expressions see what stands there.
	start, inside *regexp.Regexp
}

// New is nil if there are no masks. The expressions are constants; a wrong one panics.
func New(masks []Mask) *Masker {
	if len(masks) == 0 {
		return nil
	}
	m := &Masker{masks: masks}
	for i, mask := range masks {
		for _, match := range alternatives(mask.Match) {
			m.add(i, match)
		}
	}
	return m
}

// alternatives takes an expression apart at its "|". Flags such as (?i) in front go with each part.
func alternatives(match string) []string {
	flags := ""
	if end := strings.IndexByte(match, ')'); strings.HasPrefix(match, "(?") && end > 0 && strings.Trim(match[2:end], "imsU") == "" {
		flags, match = match[:end+1], match[end+1:]
	}
	parts, ok := branches.Of(match)
	if !ok {
		panic(fmt.Sprintf("mask %q: a bracket lacks its partner", match))
	}
	for i := range parts {
		parts[i] = flags + parts[i]
	}
	return parts
}

// between is an expression for a line from some text on, or for all between two texts.
var between = regexp.MustCompile(`^((?:\\[^\w\s]|[^\\.*+?()\[\]{}|^$])+)(?:\[\^\\n\]\*|\(\?s:\.\*\?\)((?:\\[^\w\s]|[^\\.*+?()\[\]{}|^$])+))$`)

// gap is an expression for two texts with only blanks between.
var gap = regexp.MustCompile(`^((?:\\[^\w\s]|\\[nr]|[^\\.*+?()\[\]{}|^$])+)\[ \\t\]\*((?:\\[^\w\s]|[^\\.*+?()\[\]{}|^$])+)$`)

// literal is the text for which an expression without operators stands.
var literal = strings.NewReplacer(`\n`, "\n", `\r`, "\r", `\\`, `\`, `\`, "")

// add adds an alternative of mask number i.
func (m *Masker) add(i int, match string) {
	a := alternative{mask: i}
	match, a.behind = strings.CutPrefix(match, `\A`)
	if parts := between.FindStringSubmatch(match); parts != nil {
		a.opens, a.closes = strings.ReplaceAll(parts[1], `\`, ""), "\n"
		if parts[2] != "" {
			a.closes = strings.ReplaceAll(parts[2], `\`, "")
		}
		a.places[a.opens[0]] = everywhere
	} else if parts := gap.FindStringSubmatch(match); parts != nil {
		a.opens, a.closes, a.gap = literal.Replace(parts[1]), literal.Replace(parts[2]), true
		a.places[a.opens[0]] = everywhere
	} else {
		a.opens, a.whole = regexp.MustCompile(match).LiteralPrefix()
		a.start, a.inside = regexp.MustCompile(`\A(?:`+match+`)`), regexp.MustCompile(`\A(?s:.)(?:`+match+`)`)
		tree, err := syntax.Parse(match, syntax.Perl)
		if err != nil {
			panic(err)
		}
		prog, err := syntax.Compile(tree.Simplify())
		if err != nil {
			panic(err)
		}
		f := firsts{prog: prog, first: &a.places, seen: map[[2]int]bool{}}
		f.follow(prog.Start, everywhere)
		n := nexts{prog: prog, next: &[256]bool{}, seen: map[[2]int]bool{}}
		n.follow(prog.Start, 0)
		if !n.ends {
			a.next = n.next
		}
	}
	for b, where := range a.places {
		if where != 0 {
			m.first[b] = append(m.first[b], len(m.alternatives))
		}
	}
	m.alternatives = append(m.alternatives, a)
}

// Mask is text as the grammar shall read it, of the same length. Without masks it is text.
func (m *Masker) Mask(text string) string {
	if m == nil {
		return text
	}
	r := masking{Masker: m, text: text, steps: maskSteps*len(text) + maskStepsBase, ended: make([]bool, len(m.alternatives))}
	out := []byte(nil)
	last := 0 // where the match before ends
	for pos := 0; pos < len(text); {
		if m.first[text[pos]] == nil {
			pos++
			continue
		}
		which, end := r.at(pos, last)
		if end <= pos {
			pos++
			continue
		}
		mask := &m.masks[which]
		if mask.Paired {
			n := r.pair(pos, end)
			if n < 0 {
				pos = end
				continue
			}
			end += n + end - pos
		}
		if mask.As != "" || mask.Fill != 0 {
			if out == nil {
				out = []byte(text)
			}
			mask.apply(out[pos:end])
		}
		pos, last = end, end
	}
	if out == nil {
		return text
	}
	return string(out)
}

// The expressions of a masker may look at maskSteps bytes for each byte of a text, and at maskStepsBase more; then they
// match nothing any more. An expression such as {{.*?}} would otherwise look from each {{ to the end of the text.
const (
	maskSteps     = 16
	maskStepsBase = 64 << 10
)

// A masking is the work of a masker on one text.
type masking struct {
	*Masker
	text string
	// steps is how many more bytes the expressions may look at.
	steps int
	// ended are the alternatives whose closing text does not follow any more.
	ended []bool
}

// at is the first mask that matches at pos and where its match ends; 0, 0 if none does. The
// match before ended at last.
func (r *masking) at(pos, last int) (which, end int) {
	for _, i := range r.first[r.text[pos]] {
		a := &r.alternatives[i]
		if r.ended[i] || a.behind && pos != last || !a.begins(r.text, pos) {
			continue
		}
		end := 0
		if a.whole || a.closes != "" {
			end, r.ended[i] = a.literalEnd(r.text, pos)
		} else if r.steps > 0 {
			n := 0
			end, n = a.expressionEnd(r.text, pos)
			r.steps -= n
		}
		if end > pos {
			return a.mask, end
		}
	}
	return 0, 0
}

// pairSpeed is how many bytes a search for a given text passes in the time of one step.
const pairSpeed = 16

// pair is where, counted from end, the text from pos to end stands once more, or -1.
func (r *masking) pair(pos, end int) int {
	if r.steps <= 0 {
		return -1
	}
	n := strings.Index(r.text[end:], r.text[pos:end])
	if n < 0 {
		r.steps -= (len(r.text) - end) / pairSpeed
	}
	return n
}

// begins reports whether a match may begin at pos, judged by the bytes around.
func (a *alternative) begins(text string, pos int) bool {
	f := a.places[text[pos]]
	stands := f&everywhere != 0 || pos == 0 || f&atLine != 0 && text[pos-1] == '\n' ||
		f&atBoundary != 0 && inWord(text[pos]) != inWord(text[pos-1])
	return stands && strings.HasPrefix(text[pos:], a.opens) && a.goesOn(text, pos)
}

// goesOn reports whether what follows the first byte may belong to a match.
func (a *alternative) goesOn(text string, pos int) bool {
	if a.next == nil || text[pos] >= utf8.RuneSelf {
		return true
	}
	for pos++; pos < len(text) && isBlank(text[pos]); pos++ {
	}
	return pos < len(text) && a.next[text[pos]]
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// literalEnd is where the match at pos of an alternative without expression ends, or 0. ended tells that no match
// can begin behind pos either.
func (a *alternative) literalEnd(text string, pos int) (end int, ended bool) {
	from := pos + len(a.opens)
	if a.whole {
		return from, false
	}
	if a.gap {
		for from < len(text) && isBlank(text[from]) {
			from++
		}
		if !strings.HasPrefix(text[from:], a.closes) {
			return 0, false
		}
		return from + len(a.closes), false
	}
	n := strings.Index(text[from:], a.closes)
	switch {
	case a.closes == "\n" && n < 0:
		return len(text), false
	case a.closes == "\n":
		return from + n, false
	case n < 0:
		return 0, true
	}
	return from + n + len(a.closes), false
}

// expressionEnd is where the match at pos of an alternative with an expression ends, or 0, and how many bytes were looked at.
func (a *alternative) expressionEnd(text string, pos int) (end, steps int) {
	re, from := a.start, pos
	if pos > 0 {
		re, from = a.inside, pos-1
	}
	r := runeReader{text: text[from:]}
	at := re.FindReaderIndex(&r)
	if at == nil {
		return 0, r.pos
	}
	return from + at[1], r.pos
}

// A runeReader reads a text and knows how far it was read.
type runeReader struct {
	text string
	pos  int
}

// ReadRune implements io.RuneReader.
func (r *runeReader) ReadRune() (c rune, size int, err error) {
	if r.pos == len(r.text) {
		return 0, 0, io.EOF
	}
	c, size = utf8.DecodeRuneInString(r.text[r.pos:])
	r.pos += size
	return c, size, nil
}

// Anchors are a set of conditions of which one must hold.
type anchors uint8

const (
	everywhere anchors = 1 << iota
	atBoundary         // of a word
	atLine             // at its start
)

func inWord(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// firsts finds the bytes with which an expression can begin.
type firsts struct {
	prog  *syntax.Prog
	first *[256]anchors
	seen  map[[2]int]bool
}

// follow goes on from an instruction under a condition.
func (f *firsts) follow(pc int, where anchors) {
	key := [2]int{pc, int(where)}
	if f.seen[key] {
		return
	}
	f.seen[key] = true
	in := &f.prog.Inst[pc]
	switch in.Op {
	case syntax.InstAlt, syntax.InstAltMatch:
		f.follow(int(in.Out), where)
		f.follow(int(in.Arg), where)
	case syntax.InstCapture, syntax.InstNop:
		f.follow(int(in.Out), where)
	case syntax.InstEmptyWidth:
		switch syntax.EmptyOp(in.Arg) {
		case syntax.EmptyBeginLine:
			where = atLine
		case syntax.EmptyWordBoundary:
			where = atBoundary
		}
		f.follow(int(in.Out), where)
	case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
		for b := range 256 {
			// The bytes of runes beyond ASCII are not told apart.
			if b >= utf8.RuneSelf || in.MatchRune(rune(b)) {
				f.first[b] |= where
			}
		}
	}
}

// nexts finds the bytes that can follow the first one of a match, behind blanks.
type nexts struct {
	prog *syntax.Prog
	next *[256]bool
	// ends is set if a match may end before there is such a byte.
	ends bool
	seen map[[2]int]bool
}

// follow goes on from an instruction when so many bytes, 0 or 1, and then blanks have been matched.
func (n *nexts) follow(pc, matched int) {
	key := [2]int{pc, matched}
	if n.seen[key] {
		return
	}
	n.seen[key] = true
	in := &n.prog.Inst[pc]
	switch in.Op {
	case syntax.InstAlt, syntax.InstAltMatch:
		n.follow(int(in.Out), matched)
		n.follow(int(in.Arg), matched)
	case syntax.InstCapture, syntax.InstNop, syntax.InstEmptyWidth:
		n.follow(int(in.Out), matched)
	case syntax.InstMatch:
		n.ends = true
	case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
		if matched == 0 {
			n.follow(int(in.Out), 1)
			return
		}
		for b := range 256 {
			switch {
			case b < utf8.RuneSelf && !in.MatchRune(rune(b)):
			case isBlank(byte(b)):
				n.follow(int(in.Out), 1)
			default:
				n.next[b] = true
			}
		}
	}
}

// apply replaces b.
func (m *Mask) apply(b []byte) {
	before, after, inside := strings.Cut(m.As, "…")
	if !inside || m.Blank {
		for i, c := range b {
			if c != '\n' && c != '\r' {
				b[i] = cmp.Or(m.Fill, ' ')
			}
		}
	}
	copy(b, before)
	if len(after) <= len(b) {
		copy(b[len(b)-len(after):], after)
	}
}
