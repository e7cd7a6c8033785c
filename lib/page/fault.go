package page

import (
	"errors"
	"fmt"
	"net/http"

	"cortex/lib/hint"
	"cortex/lib/search"
)

// fault is a request that cannot be answered, and why.
type fault struct {
	status  int
	message string
}

func (f *fault) Error() string { return f.message }

func notFound(format string, args ...any) error {
	return &fault{http.StatusNotFound, fmt.Sprintf(format, args...)}
}

func badRequest(format string, args ...any) error {
	return &fault{http.StatusBadRequest, fmt.Sprintf(format, args...)}
}

// queryFault is the fault of a query of exact search, nil if the error is another one.
func queryFault(err error) *search.QueryError {
	var f *search.QueryError
	if errors.As(err, &f) {
		return f
	}
	return nil
}

// explained is the text of an error with its advice.
func explained(err error) string {
	text := err.Error()
	if advice := hint.Of(err); advice != "" {
		text += "\n" + advice
	}
	return text
}
