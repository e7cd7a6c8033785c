// Package terminal has what output for people needs: text from a repository without characters that steer a terminal or hide from the
// eye, numbers, colours, and paths as the reader sees them (view.go).
package terminal

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clean is text from a repository as a part of one line: each character that isHidden is replaced by U+FFFD, tabs stay. A name or a text
// neither steers the terminal, nor makes a second line, nor looks like another, also after it has gone through a pipe.
func Clean(text string) string { return visible(text, "\t") }

// CleanLines is Clean for texts that may have several lines, whose ends stay.
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

// isHidden reports whether a reader does not see the character: controls (Unicode's category Cc), separators of lines and paragraphs
// (Zl, Zp), format characters (Cf), which turn the direction of text, join or have no width, and what else has no glyph by default
// (Default_Ignorable_Code_Point) but variation selectors, which belong to emoji. Of Cf those stay that have a glyph.
func isHidden(r rune) bool {
	if r < 0x7f {
		return r < ' '
	}
	return unicode.IsControl(r) || unicode.In(r, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point) ||
		unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}

// gap stands for what Short leaves out.
const gap = " … "

// Short is text from a repository or a stream as a message quotes it: of more than most bytes it leaves out the middle, since a message says at
// its ends what it is about.
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

// Paint is the text in a style, the parameters of SGR (ECMA-48), or as it is if there are to be no colours.
func Paint(color bool, style, text string) string {
	if !color || text == "" {
		return text
	}
	return "\x1b[" + style + "m" + text + "\x1b[0m"
}
