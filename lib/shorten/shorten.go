// Package shorten shortens texts between characters and joins their lines.
package shorten

import (
	"strings"
	"unicode/utf8"
)

// Ellipsis replaces the part that is left out.
const Ellipsis = "…"

// End shortens the text to most characters by leaving out its end. The last character is then an ellipsis.
func End(text string, most int) string {
	if len(text) <= most {
		return text
	}
	n, cut := 0, 0
	for i := range text {
		if n == most-1 {
			cut = i
		}
		if n++; n > most {
			return strings.TrimRight(text[:cut], " ") + Ellipsis
		}
	}
	return text
}

// Start shortens the text to most characters by leaving out its beginning. The first character is then an ellipsis. It
// suits paths, whose end matters more.
func Start(text string, most int) string {
	over := utf8.RuneCountInString(text) - most
	if len(text) <= most || over <= 0 {
		return text
	}
	for i := range text {
		if over < 0 {
			return Ellipsis + text[i:]
		}
		over--
	}
	return Ellipsis
}

// Middle shortens the text to most characters by replacing its middle with an ellipsis. It suits names, which differ at
// either end.
func Middle(text string, most int) string {
	over := utf8.RuneCountInString(text) - most
	if len(text) <= most || over <= 0 {
		return text
	}
	if most < 1 {
		return Ellipsis
	}
	runes := []rune(text)
	from := most * 2 / 5
	return string(runes[:from]) + Ellipsis + string(runes[from+over+1:])
}

// Characters returns up to most characters from the start of the text, without an ellipsis.
func Characters(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for i := range text {
		if most--; most < 0 {
			return text[:i]
		}
	}
	return text
}

// Bytes returns up to most bytes from the start of the text, without an ellipsis. It does not split characters. In text
// that is not UTF-8 it loses at most the length of one character.
func Bytes(text string, most int) string {
	if len(text) <= most {
		return text
	}
	end := max(most, 0)
	for end > 0 && end > most-utf8.UTFMax && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}

// Line returns the words of a text joined by single spaces.
func Line(text string) string {
	if isLine(text) {
		return text
	}
	return strings.Join(strings.Fields(text), " ")
}

// isLine reports whether a text is known to be words joined by single spaces: one of ASCII without other blanks.
func isLine(text string) bool {
	afterBlank := true
	for i := range len(text) {
		c := text[i]
		if c < ' ' || c >= utf8.RuneSelf || c == ' ' && afterBlank {
			return false
		}
		afterBlank = c == ' '
	}
	return text == "" || !afterBlank
}
