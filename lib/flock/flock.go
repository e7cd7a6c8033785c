// Package flock locks open files and folders against other processes with flock(2). The system releases a lock when its process ends, however it ends.
package flock

import (
	"errors"
	"os"
)

// ErrHeld says that somebody else has the lock.
var ErrHeld = errors.New("locked by another process")

// A Lock is held by one open file at a time.
type Lock struct{ file *os.File }
