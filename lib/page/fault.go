package page

import (
	"errors"
	"fmt"
	"net/http"

	"cortex/lib/hint"
	"cortex/lib/search"
)

// A fault is an error of a request, with its HTTP status.
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

// queryFault returns the error about a query of exact search in err, nil if there is none.
func queryFault(err error) *search.QueryError {
	var f *search.QueryError
	if errors.As(err, &f) {
		return f
	}
	return nil
}

// explained returns the text of an error with its hint.
func explained(err error) string {
	text := err.Error()
	if advice := hint.Of(err); advice != "" {
		text += "\n" + advice
	}
	return text
}
