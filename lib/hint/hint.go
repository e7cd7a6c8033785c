// Package hint attaches advice to errors, which every command and the server show on a separate line. Begin with
// hint.go; nearest.go finds the name that a mistyped one may mean.
package hint

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

type hinted struct {
	error
	text string
}

func (h *hinted) Unwrap() error { return h.error }

// Wrap attaches advice to err: a command to run or a setting to change. The error's text does not change. Wrap returns
// nil if err is nil.
func Wrap(err error, text string) error {
	if err == nil {
		return nil
	}
	return &hinted{err, text}
}

// Text returns the text of err with its advice in parentheses, for messages of one line.
func Text(err error) string {
	if advice := Of(err); advice != "" {
		return err.Error() + " (" + advice + ")"
	}
	return err.Error()
}

// Of returns the outermost advice in err, or "". If the process or the system has too many open files, it returns
// advice about that instead, since other advice would be misleading; likewise if a file is missing and the current folder
// was removed.
func Of(err error) string {
	switch {
	case errors.Is(err, syscall.EMFILE):
		return "let the process open more files, as with ulimit -n 1024"
	case errors.Is(err, syscall.ENFILE):
		return "the system has no more files to open: end other programs"
	case errors.Is(err, fs.ErrNotExist):
		if _, gone := os.Getwd(); gone != nil {
			return "the current folder was removed: change to another one, or to the one in its place: cd \"$PWD\""
		}
	}
	var h *hinted
	if errors.As(err, &h) {
		return h.text
	}
	return ""
}
