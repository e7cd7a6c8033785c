//go:build unix

// Package hangup reports whether the writer of a pipe has closed it.
package hangup

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// IsClosed reports whether in is a pipe that no process has open for writing any more (poll(2)), even if unread data
// remains.
func IsClosed(in io.Reader) (closed bool) {
	f, ok := in.(*os.File)
	if !ok {
		return false
	}
	raw, err := f.SyscallConn()
	if err != nil {
		return false
	}
	err = raw.Control(func(fd uintptr) {
		fds := []unix.PollFd{{Fd: int32(fd)}}
		n, err := unix.Poll(fds, 0)
		closed = err == nil && n > 0 && fds[0].Revents&unix.POLLHUP != 0
	})
	return err == nil && closed
}
