package mask

import (
	"bytes"
	"strings"

	"cortex/lib/parse/lexical"
)

const (
	// maxBranches is the length in bytes of the longest condition, with its branches, that is reduced to one branch.
	maxBranches = 4000
	// maxNested is the greatest nesting of conditions within it.
	maxNested = 4
	// maxOpen is the most brackets of a branch without a partner in the branch.
	maxOpen = 16
)

// A conditional has the state of reading a preprocessor condition from #if to #endif.
type conditional struct {
	// directives has the spans of the condition's own directives: #if, #elif, #else, #endif.
	directives []lexical.Span
	// first has the brackets of the first branch that have no partner in it, brackets those of the current branch.
	first, brackets []byte
	hasElse         bool
	// inExpression is set if the condition is within an expression.
	inExpression bool
	// depth is the number of open conditions within this one. If hidden is not 0, the current text is in a later branch
	// of the nested condition at that depth, and its brackets do not count.
	depth, hidden int
}

// keepBranch reduces the condition that the directive from pos to end opens to one branch, if all branches have the
// same brackets without partners: the grammar, which reads all branches, would count these brackets several times. In
// an expression, where the grammar knows no conditions, it does so if all branches have no such brackets. It keeps the
// first branch, after "#if 0" the second.
func (m *macros) keepBranch(pos, end int, inExpression bool) {
	b := conditional{directives: []lexical.Span{{Start: pos, End: end}}, inExpression: inExpression}
	lineStart := false
	text := m.text[:min(len(m.text), end+maxBranches)]
	for at := end; at < len(text); {
		switch c := text[at]; {
		case c == '\n':
			lineStart = true
			at++
		case lexical.IsSpace(c):
			at++
		case c == '#' && lineStart:
			to := m.lineEnd(at)
			more, ok := b.directive(m.text[at:to], lexical.Span{Start: at, End: to})
			if !ok {
				return
			}
			if !more && !b.hasElse && !inExpression {
				m.keepOnly(&b)
				return
			}
			if !more {
				m.keep(&b)
				return
			}
			at = to
		case strings.HasPrefix(text[at:], "//"):
			at = m.lineEnd(at)
		case strings.HasPrefix(text[at:], "/*"):
			n := strings.Index(text[at+2:], "*/")
			if n < 0 {
				return
			}
			at += n + len("/**/")
		default:
			if b.hidden == 0 && !b.bracket(c) {
				return
			}
			lineStart = false
			at = m.tokenEnd(at)
		}
	}
}

// bracket counts a byte of the current branch if it is a bracket. It returns false if brackets do not match or are too
// many.
func (b *conditional) bracket(c byte) bool {
	partner := byte(0)
	switch c {
	case '(', '[', '{':
	case ')':
		partner = '('
	case ']':
		partner = '['
	case '}':
		partner = '{'
	default:
		return true
	}
	if n := len(b.brackets); partner != 0 && n > 0 && bytes.IndexByte([]byte("([{"), b.brackets[n-1]) >= 0 {
		if b.brackets[n-1] != partner {
			return false
		}
		b.brackets = b.brackets[:n-1]
		return true
	}
	b.brackets = append(b.brackets, c)
	return len(b.brackets) <= maxOpen
}

// directive reads a directive. ok is false if the condition cannot be reduced, as when its branches differ in their
// brackets. more is false at the end of the condition.
func (b *conditional) directive(line string, at lexical.Span) (more, ok bool) {
	if strings.Contains(line, "/*") && !strings.Contains(line, "*/") {
		return false, false
	}
	name := directiveName(line)
	switch {
	case strings.HasPrefix(name, "if"):
		b.depth++
		return true, b.depth <= maxNested
	case name == "endif" && b.depth > 0:
		if b.hidden == b.depth {
			b.hidden = 0
		}
		b.depth--
		return true, true
	case name != "endif" && name != "else" && !strings.HasPrefix(name, "elif"):
		return true, true
	case b.depth > 0:
		if b.hidden == 0 {
			b.hidden = b.depth
		}
		return true, true
	}
	if len(b.directives) == 1 {
		b.first, b.brackets = b.brackets, nil
	} else if !bytes.Equal(b.first, b.brackets) {
		return false, false
	}
	b.brackets = b.brackets[:0]
	b.directives = append(b.directives, at)
	b.hasElse = b.hasElse || name == "else"
	if b.inExpression {
		return name != "endif", len(b.first) == 0
	}
	return name != "endif", len(b.first) > 0 && (name != "endif" || b.hasElse || len(b.directives) == 2)
}

// keep blanks all branches but one, and makes skip pass over the blanked text.
func (m *macros) keep(b *conditional) {
	last := b.directives[len(b.directives)-1].End
	drop := []lexical.Span{b.directives[0], {Start: b.directives[1].Start, End: last}}
	if head := b.directives[0]; strings.TrimSpace(m.text[head.Start+1:head.End]) == "if 0" {
		drop = []lexical.Span{{Start: head.Start, End: b.directives[1].End}}
		if len(b.directives) > 2 {
			drop = append(drop, lexical.Span{Start: b.directives[2].Start, End: last})
		}
	}
	m.dropDirectives(drop)
}

// An opening is a condition without #else that opens brackets, which another of the same words may close.
type opening struct {
	words, brackets string
	directives      []lexical.Span
}

// maxOpenings is the number of openings that may wait for their ends.
const maxOpenings = 16

// keepOnly drops the directives of a condition with one branch if that closes as many brackets as it then opens, and
// those of two conditions of the same words if the one opens the brackets that the other closes: to the grammar, brackets
// end in the branch in which they begin. Of two conditions around extern "C", whose grammar makes an error of the second,
// it drops the brackets too.
func (m *macros) keepOnly(b *conditional) {
	closing, opened := 0, string(b.first)
	for closing < len(opened) && strings.IndexByte(")]}", opened[closing]) >= 0 {
		closing++
	}
	closed, opened := partners(opened[:closing]), opened[closing:]
	words := strings.Join(strings.Fields(m.text[b.directives[0].Start:b.directives[0].End]), " ")
	drop := b.directives
	if strings.Contains(words, "__cplusplus") {
		words, drop = "__cplusplus", m.linkage(b)
	}
	switch {
	case closed == opened:
		m.dropDirectives(drop)
	case closed == "":
		if len(m.openings) == maxOpenings {
			m.openings = m.openings[1:]
		}
		m.openings = append(m.openings, opening{words, opened, drop})
	case opened == "":
		for i := len(m.openings) - 1; i >= 0; i-- {
			if o := &m.openings[i]; o.words == words && o.brackets == closed {
				if o.directives != nil && drop != nil {
					m.dropDirectives(o.directives)
					m.dropDirectives(drop)
					if words == "__cplusplus" {
						m.track("}")
					}
				}
				m.openings = m.openings[:i]
				return
			}
		}
	}
}

// linkage returns the span of a condition that has only extern "C" with its opening brace, or the brace that closes it;
// nil if it has anything else.
func (m *macros) linkage(b *conditional) []lexical.Span {
	head, end := b.directives[0], b.directives[1]
	code := strings.TrimSpace(m.text[head.End:end.Start])
	if !strings.Contains(code, "\n") {
		code, _, _ = strings.Cut(code, "//")
		code, _, _ = strings.Cut(code, "/*")
	}
	switch strings.Join(strings.Fields(code), "") {
	case `extern"C"{`, "}", "};":
		return []lexical.Span{{Start: head.Start, End: end.End}}
	}
	return nil
}

// partners are the brackets that closing ones close, in the order in which they are opened.
func partners(closing string) string {
	var list []byte
	for i := len(closing) - 1; i >= 0; i-- {
		list = append(list, "([{"[strings.IndexByte(")]}", closing[i])])
	}
	return string(list)
}

func (m *macros) dropDirectives(directives []lexical.Span) {
	for _, d := range directives {
		m.pass(d)
	}
}

// pass blanks a part of the text, which is not read any more.
func (m *macros) pass(s lexical.Span) {
	if m.passed == nil {
		m.passed = map[int]int{}
	}
	m.blank(s.Start, s.End)
	m.passed[s.Start] = s.End
}
