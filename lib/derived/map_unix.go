//go:build unix

package derived

import (
	"os"

	"golang.org/x/sys/unix"
)

// asFile makes opening a pipe or device return at once, and opening a link fail.
const asFile = unix.O_NONBLOCK | unix.O_NOFOLLOW

func mapFile(f *os.File, size int) ([]byte, error) {
	return unix.Mmap(int(f.Fd()), 0, size, unix.PROT_READ, unix.MAP_SHARED)
}

func unmap(data []byte) error { return unix.Munmap(data) }
