// Package flock locks open files and folders against other processes with flock(2). The system releases a lock when its
// process ends for any reason.
package flock

import (
	"errors"
	"os"
)

// ErrHeld says that another process holds the lock.
var ErrHeld = errors.New("locked by another process")

// A Lock is a lock on an open file.
type Lock struct{ file *os.File }
