// Package shorten fits texts into a length: it cuts them between two characters and joins their lines.
package shorten

import (
	"strings"
	"unicode/utf8"
)

// Ellipsis stands for what is left out.
const Ellipsis = "…"

// End is the text in at most so many characters, of which the last is an ellipsis where the end is left out.
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

// Start is the text in at most so many characters, of which the first is an ellipsis where the beginning is left out: the end of a path tells more.
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

// Middle is the text in at most so many characters, with an ellipsis where its middle is left out: names differ at their beginning or at their end.
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

// Characters is the beginning of the text, without a sign of what is left out.
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

// Bytes is the beginning of the text in at most so many bytes, without a sign of what is left out. No character is cut in two, and text that has none loses no more than one would take.
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

// Line joins the words of a text by single spaces.
func Line(text string) string { return strings.Join(strings.Fields(text), " ") }
