package wording

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Cover returns the share of a name's words of substance that words explain, from 0 to 1; 0 for a name without any.
func Cover(words, name []string) float32 {
	explained, all := 0, 0
	for _, w := range name {
		if IsFunctionWord(w) {
			continue
		}
		all++
		if slices.ContainsFunc(words, func(q string) bool { return Explains(q, w) }) {
			explained++
		}
	}
	return float32(explained) / float32(max(all, 1))
}

// Explains reports whether the words are equal, or one begins with the other, which has at least 3 letters.
func Explains(a, b string) bool {
	if a == b {
		return true
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	return len(a) >= 3 && strings.HasPrefix(b, a) && utf8.RuneCountInString(a) >= 3
}
