//go:build unix

package flock

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// Try locks the file or folder without waiting. The lock then owns the file. On an error, such as ErrHeld, the caller
// still owns it.
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

// Release unlocks and closes the file. Closing alone would not unlock it while a child process that is just being
// started still has the file open, until it executes its program.
func (l *Lock) Release() error {
	return errors.Join(unix.Flock(int(l.file.Fd()), unix.LOCK_UN), l.file.Close())
}
