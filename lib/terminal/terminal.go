// Package terminal makes output for people: it removes characters from a repository's texts that would control the
// terminal or be invisible, formats numbers, adds colours, and shows paths relative to the reader. Begin with
// terminal.go; view.go has the paths.
package terminal

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clean makes text from a repository safe as part of one line: it replaces each hidden character (isHidden) except tabs
// by U+FFFD. So a name or text cannot control the terminal, make a second line or imitate another name, even after it
// has gone through a pipe.
func Clean(text string) string { return visible(text, "\t") }

// CleanLines is Clean for a text of several lines; line feeds stay.
func CleanLines(text string) string { return visible(text, "\t\n") }

func visible(text, allowed string) string {
	clean := true
	for i := 0; i < len(text) && clean; i++ {
		clean = ' ' <= text[i] && text[i] < 0x7f || strings.IndexByte(allowed, text[i]) >= 0
	}
	if clean {
		return text
	}
	return strings.Map(func(r rune) rune {
		if isHidden(r) && !strings.ContainsRune(allowed, r) {
			return utf8.RuneError
		}
		return r
	}, text)
}

// isHidden reports whether a character is invisible: control characters (Unicode category Cc), line and paragraph
// separators (Zl, Zp), format characters (Cf) such as those that change the direction of text, and characters that have
// no glyph by default (Default_Ignorable_Code_Point) except for variation selectors, which emoji use. Format characters
// that have a glyph are visible.
func isHidden(r rune) bool {
	if r < 0x7f {
		return r < ' '
	}
	return unicode.IsControl(r) || unicode.In(r, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point) ||
		unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}

// gap replaces the part that Short leaves out.
const gap = " … "

// Short shortens a text for a message so that it fits in most bytes. It leaves out the middle, since the ends of a message say
// what it is about.
func Short(text string, most int) string {
	if len(text) <= most {
		return text
	}
	room := max(most-len(gap), 0)
	head, tail := room-room/3, len(text)-room/3
	for i := 1; i < utf8.UTFMax && head > 0 && !utf8.RuneStart(text[head]); i++ {
		head--
	}
	for i := 1; i < utf8.UTFMax && tail < len(text) && !utf8.RuneStart(text[tail]); i++ {
		tail++
	}
	return text[:head] + gap + text[tail:]
}

// Paint returns the text in a style, given as parameters of SGR (ECMA-48), or unchanged if color is false.
func Paint(color bool, style, text string) string {
	if !color || text == "" {
		return text
	}
	return "\x1b[" + style + "m" + text + "\x1b[0m"
}
