package query

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// An Error is a fault in a query, with its place.
type Error struct {
	// Query is the whole query.
	Query string
	// Position is the place of the fault in characters, counted from 1. It may be one past the last character.
	Position int
	// Problem says what is wrong, such as "expected a term after AND".
	Problem string
	// Suggestion says what to write instead; "" for none.
	Suggestion string
	// IsSign says that the fault is a sign without a letter or digit, so that the query may be a line of code.
	IsSign bool
}

func (e *Error) Error() string {
	text := fmt.Sprintf("position %d: %s", e.Position, e.Problem)
	if e.Suggestion != "" {
		text += " (" + e.Suggestion + ")"
	}
	return text
}

// Pointer returns two lines: the line of the query that has the fault, cut to 60 characters on each side, and a caret
// below the fault. Control characters become spaces.
func (e *Error) Pointer() string {
	const around = 60
	query := []rune(e.Query)
	at := min(max(e.Position-1, 0), len(query))
	from, to := at, at
	for from > max(0, at-around) && query[from-1] != '\n' {
		from--
	}
	for to < min(len(query), at+around) && query[to] != '\n' {
		to++
	}
	var line, indent strings.Builder
	for i, r := range query[from:to] {
		if r < ' ' || r == 0x7f {
			r = ' '
		}
		line.WriteRune(r)
		if from+i < at {
			indent.WriteString(strings.Repeat(" ", width(r)))
		}
	}
	return "  " + line.String() + "\n  " + indent.String() + "^"
}

// Errorf returns an Error that points to the term.
func (t *Term) Errorf(suggestion, format string, args ...any) *Error {
	return errorAt(t.Query, t.Start, suggestion, format, args...)
}

// errorAt returns an Error at a byte offset of the query.
func errorAt(query string, offset int, suggestion, format string, args ...any) *Error {
	return &Error{
		Query:      query,
		Position:   utf8.RuneCountInString(query[:min(offset, len(query))]) + 1,
		Problem:    fmt.Sprintf(format, args...),
		Suggestion: suggestion,
	}
}

// width returns the number of cells that a terminal gives a character, exactly enough to place a caret.
func width(r rune) int {
	switch {
	case 0x300 <= r && r <= 0x36F, 0x200B <= r && r <= 0x200F, 0xFE00 <= r && r <= 0xFE0F:
		return 0
	case 0x1100 <= r && r <= 0x115F, 0x2E80 <= r && r <= 0xA4CF, 0xAC00 <= r && r <= 0xD7A3, 0xF900 <= r && r <= 0xFAFF,
		0xFE30 <= r && r <= 0xFE6F, 0xFF00 <= r && r <= 0xFF60, 0xFFE0 <= r && r <= 0xFFE6, 0x1F300 <= r && r <= 0x1FAFF, 0x20000 <= r && r <= 0x3FFFD:
		return 2
	}
	return 1
}
