package main

import (
	"strings"
	"unicode"

	"cortex/lib/language"
)

// A commenter removes comments from code. It only looks for markers, so it also takes a marker inside of a string for a
// comment, which does no harm here.
type commenter struct {
	line   []string
	blocks [][2]string
}

// slashes are comments in the syntax of C.
var slashes = commenter{line: []string{"//"}, blocks: [][2]string{{"/*", "*/"}}}

func commenterOf(name string) commenter {
	lang, _ := language.ByName(name)
	switch name {
	case "php":
		return commenter{line: []string{"//", "#"}, blocks: slashes.blocks}
	case "python":
		return commenter{line: []string{"#"}, blocks: [][2]string{{`"""`, `"""`}, {"'''", "'''"}}}
	case "haskell":
		return commenter{line: []string{"--"}, blocks: [][2]string{{"{-", "-}"}}}
	case "lua":
		return commenter{line: []string{"--"}, blocks: [][2]string{{"--[[", "]]"}}}
	case "ocaml", "pascal":
		return commenter{blocks: [][2]string{{"(*", "*)"}}}
	case "julia":
		return commenter{line: []string{"#"}, blocks: [][2]string{{"#=", "=#"}, {`"""`, `"""`}}}
	case "ruby":
		return commenter{line: []string{"#"}, blocks: [][2]string{{"=begin\n", "=end\n"}}}
	}
	switch {
	case lang.Comment == "//":
		return slashes
	case lang.CommentEnd != "":
		return commenter{blocks: [][2]string{{lang.Comment, lang.CommentEnd}}}
	case lang.Comment != "":
		return commenter{line: []string{lang.Comment}}
	}
	return commenter{}
}

// strip removes comments from text, and lines that become blank.
func (c commenter) strip(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		if opens, closes := c.at(text, i); opens != "" {
			end := strings.Index(text[i+len(opens):], closes)
			if end < 0 {
				break
			}
			i += len(opens) + end
			if closes != "\n" {
				i += len(closes)
			}
			continue
		}
		b.WriteByte(text[i])
		i++
	}
	lines := strings.Split(b.String(), "\n")
	kept := lines[:0]
	for _, line := range lines {
		if strings.TrimSpace(line) != "" {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n")
}

// at returns the markers of the comment that begins at offset i, "" if none does.
func (c commenter) at(text string, i int) (opens, closes string) {
	for _, b := range c.blocks {
		if strings.HasPrefix(text[i:], b[0]) {
			return b[0], b[1]
		}
	}
	for _, marker := range c.line {
		// A marker that follows no blank is probably part of a URL or an operator.
		if strings.HasPrefix(text[i:], marker) && (i == 0 || text[i-1] == ' ' || text[i-1] == '\t' || text[i-1] == '\n') {
			return marker, "\n"
		}
	}
	return "", ""
}

// withoutDoc removes the lines of text that belong to the documentation comment doc.
func withoutDoc(text, doc string) string {
	if doc == "" {
		return text
	}
	words := letters(doc)
	lines := strings.Split(text, "\n")
	kept := lines[:0]
	for _, line := range lines {
		if said := letters(line); len(said) < 8 || !strings.Contains(words, said) {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n")
}

// letters returns the letters and digits of s in lower case.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}
