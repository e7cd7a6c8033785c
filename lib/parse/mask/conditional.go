package mask

import (
	"bytes"
	"strings"

	"cortex/lib/parse/lexical"
)

const (
	// maxBranches is the length of the longest condition, with its branches, of which one branch is kept.
	maxBranches = 4000
	// maxNested is how deep conditions in it may be nested.
	maxNested = 4
	// maxOpen is how many brackets of a branch may have no partner in it.
	maxOpen = 16
)

// A conditional reads a condition of the preprocessor to its end.
type conditional struct {
	// directives are those of the condition itself: #if, #elif and #else, #endif.
	directives []lexical.Span
	// first are the brackets of the first branch that have no partner in it, brackets those of the present one.
	first, brackets []byte
	hasElse         bool
	// depth is that of the condition inside of this one; what stands in its later branches does not count from depth hidden on.
	depth, hidden int
}

// keepBranch keeps one branch alone, without the directives, of the condition that the directive from pos to end opens, if all branches
// open and close the same brackets around them: to the grammar, which sees all, there were too many. "#if 0" keeps the second.
func (m *macros) keepBranch(pos, end int) {
	b := conditional{directives: []lexical.Span{{Start: pos, End: end}}}
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

// bracket reads a byte of the present branch. It is false if the brackets do not match.
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

// directive reads a directive. It is not ok if the branches differ; more is false at the end of the condition.
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
	return name != "endif", len(b.first) > 0 && (name != "endif" || b.hasElse)
}

// keep drops all but one branch. They are not read any more.
func (m *macros) keep(b *conditional) {
	last := b.directives[len(b.directives)-1].End
	drop := []lexical.Span{b.directives[0], {Start: b.directives[1].Start, End: last}}
	if head := b.directives[0]; strings.TrimSpace(m.text[head.Start+1:head.End]) == "if 0" {
		drop = []lexical.Span{{Start: head.Start, End: b.directives[1].End}, {Start: b.directives[2].Start, End: last}}
	}
	if m.passed == nil {
		m.passed = map[int]int{}
	}
	for _, s := range drop {
		m.blank(s.Start, s.End)
		m.passed[s.Start] = s.End
	}
}
