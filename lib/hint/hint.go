// Package hint holds advice for users: text attached to an error, which every command and the
// server show on a line of its own. nearest.go finds the name that a mistyped one may mean.
package hint

import (
	"errors"
	"syscall"
)

type hinted struct {
	error
	text string
}

func (h *hinted) Unwrap() error { return h.error }

// Wrap returns err with advice: a command to run or a setting to change. The error's own text stays as
// it is. Wrap of nil is nil.
func Wrap(err error, text string) error {
	if err == nil {
		return nil
	}
	return &hinted{err, text}
}

// Text is the text of err with its advice in parentheses, for messages of one line.
func Text(err error) string {
	if advice := Of(err); advice != "" {
		return err.Error() + " (" + advice + ")"
	}
	return err.Error()
}

// Of returns the advice nearest to the surface of err, or "". Where there were too many open files, other advice would be about a file that
// nobody has seen.
func Of(err error) string {
	switch {
	case errors.Is(err, syscall.EMFILE):
		return "let the process open more files, as with ulimit -n 1024"
	case errors.Is(err, syscall.ENFILE):
		return "the system has no more files to open: end other programs"
	}
	var h *hinted
	if errors.As(err, &h) {
		return h.text
	}
	return ""
}
