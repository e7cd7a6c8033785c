package schema

import "strings"

// Lexeme is the text of a term of a dictionary in columns named lexeme: a letter for the dictionary, then the term. Text in PostgreSQL holds no zero byte, which
// parts the halves of terms that have capitals; a byte of 1, which no term has, stands for it.
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
