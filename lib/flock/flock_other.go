//go:build !unix

package flock

import (
	"errors"
	"fmt"
	"os"
)

// Try returns an error: only flock(2) can lock a folder.
func Try(f *os.File) (*Lock, error) {
	return nil, fmt.Errorf("lock %s: %w", f.Name(), errors.ErrUnsupported)
}

// Release closes the file.
func (l *Lock) Release() error { return l.file.Close() }
