//go:build unix

package flock

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// Try locks the file, or folder, without waiting. The lock owns the file from then on; after an error, which may be ErrHeld, its caller does.
func Try(f *os.File) (*Lock, error) {
	for {
		switch err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); {
		case err == nil:
			return &Lock{f}, nil
		case errors.Is(err, unix.EWOULDBLOCK):
			return nil, ErrHeld
		case !errors.Is(err, unix.EINTR):
			return nil, fmt.Errorf("lock %s: %w", f.Name(), err)
		}
	}
}

// Release gives the lock back and closes the file. Closing alone would not do: a process that this one is just starting has the file open too,
// until it runs its program.
func (l *Lock) Release() error {
	return errors.Join(unix.Flock(int(l.file.Fd()), unix.LOCK_UN), l.file.Close())
}
