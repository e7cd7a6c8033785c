package query

import (
	"fmt"
	"unicode/utf8"
)

// An Error is a fault in a query that a person wrote. It points at the place.
type Error struct {
	// Query is the whole query.
	Query string
	// Position is the place of the fault in characters, counted from 1. It may be one
	// past the last character.
	Position int
	// Problem says what is wrong, such as "expected a term after AND".
	Problem string
	// Suggestion says what to write instead; "" if there is nothing to say.
	Suggestion string
}

func (e *Error) Error() string {
	text := fmt.Sprintf("position %d: %s", e.Position, e.Problem)
	if e.Suggestion != "" {
		text += " (" + e.Suggestion + ")"
	}
	return text
}

// errorAt makes an Error for the byte offset.
func errorAt(query string, offset int, suggestion, format string, args ...any) *Error {
	return &Error{
		Query:      query,
		Position:   utf8.RuneCountInString(query[:min(offset, len(query))]) + 1,
		Problem:    fmt.Sprintf(format, args...),
		Suggestion: suggestion,
	}
}
