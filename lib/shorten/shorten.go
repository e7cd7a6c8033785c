// Package shorten shortens texts between characters and joins their lines.
package shorten

import (
	"strings"
	"unicode/utf8"
)

// Ellipsis replaces the part that is left out.
const Ellipsis = "…"

// End returns the beginning of the text, of at most most characters. If it leaves out the end, the last character is an
// ellipsis.
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

// Start returns the end of the text, of at most most characters. If it leaves out the beginning, the first character is an
// ellipsis. It suits paths, whose end matters more.
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

// Middle returns both ends of the text, of at most most characters, with an ellipsis for the middle. It suits names, which
// differ at either end.
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

// Characters returns the first characters of the text, at most most of them, without an ellipsis.
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

// Bytes returns the beginning of the text, of at most most bytes, without an ellipsis. It does not split characters. In
// text that is not UTF-8 it loses at most the length of one character.
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
func Line(text string) string { return strings.Join(strings.Fields(text), " ") }
