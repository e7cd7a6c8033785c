package mask

import (
	"strings"

	"cortex/lib/parse/lexical"
)

// PlainNowdocs makes a string in single quotes of each nowdoc of PHP behind whose closing label the expression goes on,
// as in "SQL . $rest". The grammar ends a nowdoc only before a line end and one of ";,)". The result has the same length.
func PlainNowdocs(text string) string {
	const opening = "<<<'"
	o := overlay{text: text}
	for pos := 0; ; {
		n := strings.Index(text[pos:], opening)
		if n < 0 {
			break
		}
		start := pos + n
		label := start + len(opening)
		length := wordLength(text[label:])
		line := label + length + 1
		pos = label
		if length == 0 || line >= len(text) || text[line-1] != '\'' || text[line] != '\n' && text[line] != '\r' {
			continue
		}
		closing := closingLabel(text, line, text[label:label+length])
		if closing < 0 {
			break // the rest of the file is in the nowdoc
		}
		pos = closing + length
		if rest := strings.TrimLeft(text[pos:], " \t"); rest == "" || strings.IndexByte(";,)\r\n", rest[0]) >= 0 {
			continue
		}
		o.blank(start, line)
		o.blank(closing, pos)
		out := o.bytes()
		for i := line; i < closing; i++ {
			if out[i] == '\'' || out[i] == '\\' {
				out[i] = ' '
			}
		}
		out[start], out[pos-1] = '\'', '\''
	}
	return o.result()
}

// closingLabel returns the offset of the first label that begins a line behind pos, apart from blanks; -1 if none does.
func closingLabel(text string, pos int, label string) int {
	for {
		_, next := lexical.NextLine(text, pos)
		if next >= len(text) {
			return -1
		}
		pos = next
		line := strings.TrimLeft(text[pos:], " \t")
		if wordLength(line) == len(label) && strings.HasPrefix(line, label) {
			return len(text) - len(line)
		}
	}
}

// wordLength returns the length of the word at the start of s.
func wordLength(s string) int {
	n := 0
	for n < len(s) && isWordByte(s[n]) {
		n++
	}
	return n
}
