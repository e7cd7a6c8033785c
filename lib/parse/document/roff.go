package document

import (
	"strings"

	"cortex/lib/parse/lexical"
	"cortex/lib/shorten"
)

// scanRoff finds the headings of a manual page: the macros SH and SS of man, Sh and Ss of mdoc. The title is that of TH
// or Dt, as in "git(1)".
func scanRoff(text string) document {
	var doc document
	open := false // the heading's title is on the line below its macro
	number := 0
	for pos := 0; pos < len(text) && len(doc.headings) < maxHeadings; {
		end, next := lexical.NextLine(text, pos)
		number++
		line := text[pos:end]
		start := pos
		pos = next
		if open {
			h := &doc.headings[len(doc.headings)-1]
			h.name, h.end = roffText(line), next
		}
		open = false
		macro, rest, _ := strings.Cut(line, " ")
		level := 1
		switch macro {
		case ".TH", ".Dt":
			if name, section, _ := strings.Cut(roffText(rest), " "); doc.title == "" && name != "" {
				section, _, _ = strings.Cut(section, " ")
				doc.title = strings.ToLower(name) + "(" + section + ")"
			}
			continue
		case ".SS", ".Ss":
			level = 2
		case ".SH", ".Sh":
		default:
			continue
		}
		name := roffText(rest)
		open = name == ""
		doc.headings = append(doc.headings, heading{
			level: level, start: start, end: next, line: number, name: name, signature: line,
		})
	}
	return doc
}

// roffText returns the text of a line without quotes and escapes: fonts and sizes are left out, and the hyphen and the
// blanks of roff become those of text.
func roffText(line string) string {
	var b strings.Builder
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '"':
		case c != '\\' || i+1 == len(line):
			b.WriteByte(c)
		default:
			i++
			switch line[i] {
			case '-':
				b.WriteByte('-')
			case ' ', '~', '0':
				b.WriteByte(' ')
			case 'e', '\\':
				b.WriteByte('\\')
			case '"':
				return roffName(b.String()) // a comment
			case 'f', 's', '*':
				i += roffArgument(line[i+1:])
			case '(', '[':
				i += roffArgument(line[i:]) - 1
			}
		}
	}
	return roffName(b.String())
}

func roffName(s string) string { return shorten.End(shorten.Line(s), maxHeadingName) }

// roffArgument returns the length of an escape's argument at the start of s: one character, two behind "(", or up to
// "]". A sign belongs to the number behind it.
func roffArgument(s string) int {
	switch {
	case s == "":
		return 0
	case s[0] == '(':
		return min(3, len(s))
	case s[0] == '[':
		return strings.IndexByte(s, ']') + 1
	case s[0] == '+' || s[0] == '-':
		return min(2, len(s))
	}
	return 1
}
