//go:build unix

package cli

import (
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// ignored are the signals whose cause a command sees as an error as well: of a write to a closed pipe, or beyond a limit on the size of files.
func ignored() []os.Signal { return []os.Signal{syscall.SIGPIPE, syscall.SIGXFSZ} }

// waitUntilUnread returns when standard output is a pipe that no process will read from any more.
func waitUntilUnread() {
	// No events are asked for; errors and hang-ups are told nevertheless (poll(2)).
	fds := []unix.PollFd{{Fd: int32(syscall.Stdout)}}
	for {
		_, err := unix.Poll(fds, -1)
		switch {
		case errors.Is(err, unix.EINTR):
		case err != nil || fds[0].Revents&(unix.POLLERR|unix.POLLHUP) == 0:
			select {} // it cannot be told
		default:
			return
		}
	}
}
