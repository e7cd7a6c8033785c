package mask

import (
	"strings"

	"cortex/lib/parse/lexical"
)

// PlainAnnotations joins the annotations above a declaration at the top level of Kotlin: the grammar may take
// "@A @B private fun f() {}" for an expression with annotations, but not "@[A B]private fun f() {}". It drops "const"
// behind annotations for the same reason.
//
// The result has the same length and as many lines. The first annotation moves by one byte, and a line end behind the
// last one moves behind the keyword of the declaration.
func PlainAnnotations(text string) string {
	o := overlay{text: text}
	for pos := 0; pos < len(text); {
		end, next := pos, 0
		if text[pos] == '@' {
			end = joinAnnotations(&o, pos)
		}
		_, next = lexical.NextLine(text, max(pos, end-1))
		pos = next
	}
	return o.result()
}

// joinAnnotations joins the annotations at pos. It returns the offset behind them.
func joinAnnotations(o *overlay, pos int) int {
	text := o.text
	first := annotationEnd(text, pos)
	if first == pos {
		return pos
	}
	last, count, starts := first, 1, []int(nil)
	next := skipBlanks(text, first)
	for next < len(text) && text[next] == '@' && next > last {
		end := annotationEnd(text, next)
		if end == next {
			return last
		}
		starts = append(starts, next)
		count, last, next = count+1, end, skipBlanks(text, end)
	}
	if next == last || next == len(text) {
		return last
	}
	isConst := strings.HasPrefix(text[next:], "const ")
	gap := -1
	if text[last] == '\n' {
		gap = keywordEnd(text, next)
	}
	joins := count > 1 && lexical.IsSpace(text[last]) && (text[last] != '\n' || gap >= 0)
	if !joins && !isConst {
		return last
	}
	b := o.bytes()
	if isConst {
		copy(b[next:], "     ")
	}
	if !joins {
		return last
	}
	for _, start := range starts {
		b[start] = ' '
	}
	if text[first] == '\n' {
		b[starts[0]] = '\n'
	}
	copy(b[pos+2:], text[pos+1:first])
	b[pos+1], b[last] = '[', ']'
	if gap >= 0 {
		b[gap] = '\n'
	}
	return last
}

// keywordEnd returns the offset of the space behind the keyword of the declaration at pos, behind its modifiers; -1 if
// there is none.
func keywordEnd(text string, pos int) int {
	const maxModifiers = 8
	for range maxModifiers {
		end := pos + wordLength(text[pos:])
		if end == pos || end == len(text) || text[end] != ' ' {
			return -1
		}
		switch text[pos:end] {
		case "fun":
			if !strings.HasPrefix(text[end:], " interface ") {
				return end
			}
		case "class", "interface", "object", "typealias", "val", "var":
			return end
		}
		pos = end + 1
	}
	return -1
}

// annotationEnd returns the end of the annotation at pos, with its arguments; pos if there is none, or if it names what
// it annotates.
func annotationEnd(text string, pos int) int {
	end := pos + 1
	for end < len(text) && (isWordByte(text[end]) || text[end] == '.') {
		end++
	}
	if end == pos+1 || end < len(text) && text[end] == ':' {
		return pos
	}
	if end == len(text) || text[end] != '(' {
		return end
	}
	depth := 0
	for i := end; i < min(len(text), end+maxArguments); i++ {
		switch text[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i + 1
			}
		case '"':
			for i++; i < len(text) && text[i] != '"' && text[i] != '\n'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		}
	}
	return pos
}

// skipBlanks returns the offset behind the blanks, line ends and line comments at pos.
func skipBlanks(text string, pos int) int {
	for pos < len(text) {
		switch {
		case lexical.IsSpace(text[pos]):
			pos++
		case strings.HasPrefix(text[pos:], "//"):
			pos, _ = lexical.NextLine(text, pos)
		default:
			return pos
		}
	}
	return pos
}
