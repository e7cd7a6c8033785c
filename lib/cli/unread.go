package cli

import (
	"errors"

	"golang.org/x/sys/unix"
)

// waitUntilUnread returns when fd is a pipe that no process will read from any more.
func waitUntilUnread(fd int) {
	// No events are asked for; errors and hang-ups are told nevertheless (poll(2)).
	fds := []unix.PollFd{{Fd: int32(fd)}}
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
