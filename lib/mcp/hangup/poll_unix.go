//go:build unix

// Package hangup reports whether the writer of a pipe has closed it.
package hangup

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// IsClosed reports whether nothing more will be written to in, although not all of it may have been read: in is a pipe and no process has its
// other end open (poll(2)).
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
