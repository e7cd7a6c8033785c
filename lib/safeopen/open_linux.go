package safeopen

import (
	"os"

	"golang.org/x/sys/unix"
)

// openBelow opens a file below dir, which it calls name, for reading in one system call, where os.Root takes one or two for each
// folder of the path. It is nil where the kernel does not do that, or for whatever is not simply a file that
// can be read, links on the way to it included: then os.Root says what to do or what is wrong.
func openBelow(dir *os.File, path, name string) *os.File {
	fd, err := unix.Openat2(int(dir.Fd()), path, &unix.OpenHow{
		Flags:   unix.O_RDONLY | unix.O_CLOEXEC | unix.O_NONBLOCK | unix.O_NOCTTY | unix.O_LARGEFILE,
		Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS | unix.RESOLVE_NO_MAGICLINKS,
	})
	if err != nil {
		return nil
	}
	return os.NewFile(uintptr(fd), name)
}
