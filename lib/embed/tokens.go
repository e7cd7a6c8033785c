package embed

import (
	"unicode/utf8"

	"cortex/lib/shorten"
)

// EstimateTokens estimates the number of tokens that language models make of a text; it tends to be too high. It counts
// one for each four letters of a run, one for each three digits, one for every other character, and two for a character
// of three bytes or more.
func EstimateTokens(text string) int {
	n, _ := countTokens(text, len(text))
	return n
}

// CutTokens shortens a text to about most tokens, at the boundary of a character.
func CutTokens(text string, most int) string {
	if len(text) <= most {
		return text // no token is shorter than a byte
	}
	_, end := countTokens(text, most)
	return text[:end]
}

// countTokens counts tokens up to the end of the text, or until there are most, and returns the offset where it
// stopped.
func countTokens(text string, most int) (n, end int) {
	letters, digits, blanks := 0, 0, 0
	for i, r := range text {
		before := n
		switch {
		case 'a' <= r && r <= 'z':
			if letters%4 == 0 {
				n++
			}
			letters, digits, blanks = letters+1, 0, 0
		case 'A' <= r && r <= 'Z':
			// A capital after a lower-case letter mostly begins a word.
			if letters%4 == 0 || letters > 0 && 'a' <= text[i-1] && text[i-1] <= 'z' {
				n++
				letters = 0
			}
			letters, digits, blanks = letters+1, 0, 0
		case '0' <= r && r <= '9':
			if digits%3 == 0 {
				n++
			}
			letters, digits, blanks = 0, digits+1, 0
		case r == ' ' || r == '\t':
			// A single blank belongs to the word after it.
			if blanks == 1 || blanks > 1 && blanks%8 == 0 {
				n++
			}
			letters, digits, blanks = 0, 0, blanks+1
		default:
			letters, digits, blanks = 0, 0, 0
			n++
			if utf8.RuneLen(r) > 2 {
				n++
			}
		}
		if n > most {
			return before, i
		}
	}
	return n, len(text)
}

// cutBytes shortens a text to n bytes at the boundary of a character, but keeps at least one character.
func cutBytes(text string, n int) string {
	if short := shorten.Bytes(text, n); short != "" {
		return short
	}
	_, size := utf8.DecodeRuneInString(text)
	return text[:size]
}
