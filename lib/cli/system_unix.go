//go:build unix

package cli

import (
	"errors"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// ignored returns the signals that come with an error anyway: the write to a closed pipe or beyond a file-size limit
// fails.
func ignored() []os.Signal { return []os.Signal{syscall.SIGPIPE, syscall.SIGXFSZ} }

// stopping returns the signals that stop a command: also the end of its terminal, unless nohup has made it ignore that.
func stopping() []os.Signal {
	if signal.Ignored(syscall.SIGHUP) {
		return []os.Signal{os.Interrupt, syscall.SIGTERM}
	}
	return []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}
}

// waitUntilUnread returns when standard output is a pipe that no process has open for reading any more. Otherwise it
// blocks.
func waitUntilUnread() {
	// No events are requested; poll(2) reports errors and hang-ups anyway.
	fds := []unix.PollFd{{Fd: int32(syscall.Stdout)}}
	for {
		_, err := unix.Poll(fds, -1)
		switch {
		case errors.Is(err, unix.EINTR):
		case err != nil || fds[0].Revents&(unix.POLLERR|unix.POLLHUP) == 0:
			select {} // stdout is no pipe, or poll failed
		default:
			return
		}
	}
}
