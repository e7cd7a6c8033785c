//go:build darwin || freebsd

package share

import "golang.org/x/sys/unix"

// peerOf returns the user of the process at the other end of the socket.
func peerOf(fd int) (uid int, err error) {
	cred, err := unix.GetsockoptXucred(fd, 0, unix.LOCAL_PEERCRED) // 0 is SOL_LOCAL
	if err != nil {
		return 0, err
	}
	return int(cred.Uid), nil
}
