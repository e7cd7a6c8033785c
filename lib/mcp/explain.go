package mcp

import (
	"errors"
	"fmt"
	"runtime/debug"
	"strings"

	"cortex/lib/hint"
	"cortex/lib/search"
)

// explain returns the text of an error with its hint. For an error in a query, the text points at the place.
func explain(err error) string {
	var b strings.Builder
	b.WriteString(err.Error())
	var fault *search.QueryError
	if errors.As(err, &fault) {
		b.WriteString("\n" + fault.Pointer())
	}
	if advice := hint.Of(err); advice != "" {
		fmt.Fprintf(&b, "\nhint: %s", advice)
	}
	return b.String()
}

// panicked reports a recovered panic with its stack and returns the error for the client.
func panicked(report func(error), doing string, p any) error {
	report(fmt.Errorf("%s: panic: %v\n%s", doing, p, debug.Stack()))
	text, _, _ := strings.Cut(fmt.Sprint(p), "\n") // a panic of another goroutine has its stack below (parallel.Panic)
	return fmt.Errorf("%s: internal error: %s", doing, text)
}
