// Package fence recognises the lines that begin and end fenced blocks in documents, such as blocks of code. Lines of a
// document go in; out comes whether a block begins or ends there. Package chunk keeps such blocks together, and search
// tells them from prose.
//
// The fences of Markdown are those of CommonMark 0.31, 4.5, but any indentation is allowed, since a line is read without
// the list that it may be in.
package fence

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Fence describes the line that ends a fenced block.
type Fence struct {
	char byte
	n    int
	line string // the whole line, if not a run of char
	end  string // what the line has anywhere, in small letters
}

// Open reports whether a line begins a fenced block: in Markdown, also inside a quote or list, and in AsciiDoc, Org and
// HTML. The markup is the name of a language; unless it is one of these, only fences of Markdown count, without those that
// underline a title in reStructuredText. before is the line above, which the line may underline.
func Open(line, before, markup string) (Fence, bool) {
	line = strings.TrimSpace(line)
	if line == "" {
		return Fence{}, false
	}
	switch markup {
	case "asciidoc":
		if Underlines(line, before) > 0 {
			return Fence{}, false
		}
		if len(line) >= 4 && strings.IndexByte("-.+/", line[0]) >= 0 && Run(line) == len(line) {
			return Fence{line: line}, true
		}
	case "org":
		if len(line) > 8 && strings.EqualFold(line[:8], "#+begin_") {
			kind, _, _ := strings.Cut(line[8:], " ")
			return Fence{line: "#+end_" + kind}, true
		}
	case "html":
		_, code, found := strings.Cut(strings.ToLower(line), "<pre")
		if !found || strings.Contains(code, "</pre") {
			return Fence{}, false
		}
		return Fence{end: "</pre"}, true
	}
	for line != "" && strings.IndexByte("`~", line[0]) < 0 {
		n := MarkerLength(line)
		if n == 0 {
			return Fence{}, false
		}
		line = strings.TrimLeft(line[n:], " \t")
	}
	if line == "" || line[0] == '~' && (markup == "rst" || markup == "roff") {
		return Fence{}, false
	}
	n := Run(line)
	if n < 3 || line[0] == '`' && strings.IndexByte(line[n:], '`') >= 0 {
		return Fence{}, false
	}
	return Fence{char: line[0], n: n}, true
}

// Underlines returns the level, from 1, of the AsciiDoc heading that has the title and this line below it; 0 if they make
// no heading. The line is about as long as the title, since it would otherwise delimit a block.
func Underlines(line, title string) int {
	line, title = strings.TrimRight(line, " \t\r\n"), strings.TrimRight(title, " \t\r\n")
	if len(line) < 3 || Run(line) < len(line) || title == "" || strings.IndexByte(" \t.[:/", title[0]) >= 0 {
		return 0
	}
	width := utf8.RuneCountInString(title)
	if len(line) < width-1 || len(line) > width+1 || strings.IndexFunc(title, isWord) < 0 {
		return 0
	}
	return strings.IndexByte("=-~^+", line[0]) + 1
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// IsCode reports whether the block is code or other text that is not prose. In Org, it may also be a quote or a poem.
func (f Fence) IsCode() bool {
	switch strings.ToLower(f.line) {
	case "#+end_quote", "#+end_verse", "#+end_center":
		return false
	}
	return true
}

// Closes reports whether a line ends the block.
func (f Fence) Closes(line string) bool {
	line = strings.TrimSpace(line)
	if f.end != "" {
		return strings.Contains(strings.ToLower(line), f.end)
	}
	if f.line != "" {
		return strings.EqualFold(line, f.line)
	}
	line = strings.TrimLeft(line, "> \t")
	return line != "" && line[0] == f.char && Run(line) >= f.n && Run(line) == len(line)
}

// Indentation returns the number of spaces and tabs at the start of a line.
func Indentation(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

// MarkerLength returns the length of a quote or list marker at the start of a line that is not empty, 0 if there is none.
func MarkerLength(line string) int {
	if line[0] == '>' {
		return 1
	}
	n := 0
	for n < len(line) && n < 9 && line[n] >= '0' && line[n] <= '9' {
		n++
	}
	if n == 0 && strings.IndexByte("-+*", line[0]) < 0 || n > 0 && (n == len(line) || line[n] != '.' && line[n] != ')') {
		return 0
	}
	n++
	if n < len(line) && line[n] != ' ' && line[n] != '\t' {
		return 0
	}
	return n
}

// Run returns how often the first character of s is repeated at its start.
func Run(s string) int {
	n := 1
	for n < len(s) && s[n] == s[0] {
		n++
	}
	return n
}
