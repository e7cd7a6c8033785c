package mcp

import (
	"errors"
	"fmt"
	"runtime/debug"
	"strings"

	"cortex/lib/hint"
	"cortex/lib/search"
)

// explain is the text of an error with its advice; a fault in a query is shown in place.
func explain(err error) string {
	var b strings.Builder
	b.WriteString(err.Error())
	var fault *search.QueryError
	if errors.As(err, &fault) {
		b.WriteString(pointer(fault))
	}
	if advice := hint.Of(err); advice != "" {
		fmt.Fprintf(&b, "\nhint: %s", advice)
	}
	return b.String()
}

// pointer is the line of the query that has the fault, and a caret below the place.
func pointer(fault *search.QueryError) string {
	before := []rune(fault.Query)
	before = before[:min(max(fault.Position-1, 0), len(before))]
	start := 0
	for i, r := range before {
		if r == '\n' {
			start = i + 1
		}
	}
	line, _, _ := strings.Cut(string([]rune(fault.Query)[start:]), "\n")
	indent := strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, string(before[start:]))
	return fmt.Sprintf("\n  %s\n  %s^", line, indent)
}

// panicked reports a recovered panic with its stack and returns what to tell the client.
func panicked(report func(error), doing string, p any) error {
	report(fmt.Errorf("%s: panic: %v\n%s", doing, p, debug.Stack()))
	return fmt.Errorf("%s: internal error: %v", doing, p)
}
