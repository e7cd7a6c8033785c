// Package terminal is what writing to a terminal takes, for all that do.
package terminal

import (
	"strings"
	"unicode/utf8"
)

// Clean takes out control characters but tabs, with which a file could steer the terminal, and those that turn
// the direction of text.
func Clean(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' || 0x7f <= r && r < 0xa0 || r == 0x061C || 0x200E <= r && r <= 0x200F || 0x202A <= r && r <= 0x202E || 0x2066 <= r && r <= 0x2069 {
			return utf8.RuneError
		}
		return r
	}, text)
}

// Paint is the text in a style, the parameters of SGR (ECMA-48).
func Paint(style, text string) string { return "\x1b[" + style + "m" + text + "\x1b[0m" }
