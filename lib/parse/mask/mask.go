// Package mask replaces text that a grammar cannot parse with other text of the same length, so that byte offsets stay
// valid. mask.go applies regular expressions: New takes Masks, Masker.Mask takes a text and returns the masked one.
// macros.go, heads.go, modules.go, attributes.go and conditional.go prepare C and C++, annotations.go prepares Kotlin,
// items.go Rust, nowdoc.go PHP, decorators.go TypeScript. Package shell does the same for scripts of zsh.
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

// A Mask replaces the matches of an expression with text of the same length that the grammar can parse. Names are taken
// from the masked text; signatures and chunks from the original.
type Mask struct {
	// Match is a regular expression (RE2) that never matches the empty text. At each position, from the start of the
	// text to its end, masks are tried in order; matches do not overlap. With \A in front, it matches only at the start
	// of the text or directly behind the match before.
	Match string
	// Paired extends a match, such as $body$, to the next occurrence of the same text.
	Paired bool
	// As replaces the match, padded with blanks to its length; line ends stay. If As is "" and Fill is 0, the match
	// stays as it is: such masks step over comments and strings. If As has a "…", the parts before and behind it
	// replace the first and last bytes of the match, and the inside stays.
	As string
	// Fill, if not 0, is used instead of blanks.
	Fill byte
	// Blank, with "…" in As, replaces the inside with blanks.
	Blank bool
}

// A Masker has the masks of a grammar, split into alternatives.
type Masker struct {
	masks        []Mask
	alternatives []alternative
	// first has, for each byte, the alternatives whose matches can begin with it.
	first [256][]int
}

// An alternative is one of the parts that "|" separates in a mask's expression.
type alternative struct {
	mask int
	// behind is set if it matches only at the end of another match or at the start of the text.
	behind bool
	// opens is the literal text with which every match begins; the expression is tried only where it occurs.
	opens string
	// whole is set if every match equals opens.
	whole bool
	// places has the conditions under which a match can begin, by its first byte.
	places [256]anchors
	// closes, if not "", replaces the expression: a match extends from opens to the next closes, excluding it if it is
	// a line end. If gap is set, only blanks may be between the two.
	closes string
	gap    bool
	// next has the bytes of which one must follow the first byte of a match, behind spaces and tabs; nil if a match may
	// end before. This check saves most attempts of the expression, such as those at line ends.
	next *[256]bool
	// start is the expression for a match at the start of the text. inside is the expression for other positions,
	// applied one byte before, so that \b and ^ can look at that byte.
	start, inside *regexp.Regexp
}

// New returns a Masker, nil if there are no masks. It panics on an invalid expression, since all are constants.
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

// alternatives splits an expression at its top-level "|". Flags in front, such as (?i), are repeated in each part.
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

// between matches expressions for a literal and the rest of its line, or for two literals and all text between.
var between = regexp.MustCompile(`^((?:\\[^\w\s]|[^\\.*+?()\[\]{}|^$])+)(?:\[\^\\n\]\*|\(\?s:\.\*\?\)((?:\\[^\w\s]|[^\\.*+?()\[\]{}|^$])+))$`)

// gap matches expressions for two literals with only blanks between.
var gap = regexp.MustCompile(`^((?:\\[^\w\s]|\\[nr]|[^\\.*+?()\[\]{}|^$])+)\[ \\t\]\*((?:\\[^\w\s]|[^\\.*+?()\[\]{}|^$])+)$`)

// literal converts an expression without operators to the text that it matches.
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

// Mask returns text with all masks applied, of the same length. A nil Masker returns text itself.
func (m *Masker) Mask(text string) string {
	if m == nil {
		return text
	}
	r := masking{Masker: m, text: text, steps: maskSteps*len(text) + maskStepsBase, ended: make([]bool, len(m.alternatives))}
	out := []byte(nil)
	last := 0 // end of the last match
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

// The expressions of a masker may read maskSteps bytes for each byte of a text, plus maskStepsBase; after that they
// match nothing. Without this bound, an expression such as {{.*?}} could read from each {{ to the end of the text.
const (
	maskSteps     = 16
	maskStepsBase = 64 << 10
)

// A masking has the state of masking one text.
type masking struct {
	*Masker
	text string
	// steps is the number of bytes that the expressions may still read.
	steps int
	// ended is set for alternatives whose closes does not occur in the rest of the text.
	ended []bool
}

// at returns the first mask that matches at pos and the end of its match; 0, 0 if none does. last is the end of the
// match before.
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

// pairSpeed is the number of bytes that a search for a literal text passes in the time of one step.
const pairSpeed = 16

// pair returns the offset behind end at which the text from pos to end occurs again, or -1.
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

// begins reports whether a match may begin at pos, by the bytes around.
func (a *alternative) begins(text string, pos int) bool {
	f := a.places[text[pos]]
	stands := f&everywhere != 0 || pos == 0 || f&atLine != 0 && text[pos-1] == '\n' ||
		f&atBoundary != 0 && inWord(text[pos]) != inWord(text[pos-1])
	return stands && strings.HasPrefix(text[pos:], a.opens) && a.goesOn(text, pos)
}

// goesOn reports whether the bytes behind pos allow a match; see alternative.next.
func (a *alternative) goesOn(text string, pos int) bool {
	if a.next == nil || text[pos] >= utf8.RuneSelf {
		return true
	}
	for pos++; pos < len(text) && isBlank(text[pos]); pos++ {
	}
	return pos < len(text) && a.next[text[pos]]
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// literalEnd returns the end of the match at pos for an alternative without expression, or 0. ended is set if there can
// be no match behind pos either.
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

// expressionEnd returns the end of the match at pos for an alternative with an expression, or 0, and the number of
// bytes read.
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

// A runeReader reads a text and counts the bytes read.
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

// anchors is a set of conditions, of which one must hold where a match begins.
type anchors uint8

const (
	everywhere anchors = 1 << iota
	atBoundary         // at a word boundary
	atLine             // at the start of a line
)

func inWord(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// firsts finds the bytes with which matches of an expression can begin, with the conditions for each.
type firsts struct {
	prog  *syntax.Prog
	first *[256]anchors
	seen  map[[2]int]bool
}

// follow walks the program from an instruction. where is the condition so far.
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
			// All bytes of non-ASCII runes count as possible.
			if b >= utf8.RuneSelf || in.MatchRune(rune(b)) {
				f.first[b] |= where
			}
		}
	}
}

// nexts finds the bytes that can follow the first byte of a match, behind blanks.
type nexts struct {
	prog *syntax.Prog
	next *[256]bool
	// ends is set if a match may end before such a byte.
	ends bool
	seen map[[2]int]bool
}

// follow walks the program from an instruction. matched is 1 behind the first byte of a match, with blanks or not, else
// 0.
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

// apply replaces the bytes of a match.
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
