package schema

import "strings"

// Lexeme returns the value of columns named lexeme for a term of a dictionary: a letter for the dictionary, then the
// term. PostgreSQL text cannot contain the zero byte that separates the halves of cased terms, so a byte of 1, which no
// term contains, replaces it.
func Lexeme(dict int, term string) string {
	return string(rune('A'+dict)) + strings.ReplaceAll(term, "\x00", "\x01")
}

// Term undoes Lexeme.
func Term(lexeme string) (dict int, term string) {
	if lexeme == "" {
		return -1, ""
	}
	return int(lexeme[0]) - 'A', strings.ReplaceAll(lexeme[1:], "\x01", "\x00")
}
