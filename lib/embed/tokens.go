package embed

import (
	"unicode/utf8"

	"cortex/lib/shorten"
)

// EstimateTokens is about how many tokens the tokenisers of language models make of a text: rather
// more than less. Runs of letters cost one for each four, of digits one for
// each three, every other character one, and two where it takes three bytes or more.
func EstimateTokens(text string) int {
	n, _ := countTokens(text, len(text))
	return n
}

// CutTokens shortens a text to about that many tokens at most, at a character's edge.
func CutTokens(text string, most int) string {
	if len(text) <= most {
		return text // no token is shorter than a byte
	}
	_, end := countTokens(text, most)
	return text[:end]
}

// countTokens counts to the end of the text or until there are most tokens, and returns where that is.
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
			// A capital begins a word more often than not.
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
			// One blank belongs to the word after it.
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

// cutBytes shortens a text at a character's edge, but not to nothing.
func cutBytes(text string, n int) string {
	if short := shorten.Bytes(text, n); short != "" {
		return short
	}
	_, size := utf8.DecodeRuneInString(text)
	return text[:size]
}
