//go:build unix

package layout

import (
	"os"

	"golang.org/x/sys/unix"
)

func lookAt(f *os.File) (l looks, ok bool) {
	var stat unix.Stat_t
	if err := unix.Fstat(int(f.Fd()), &stat); err != nil {
		return l, false
	}
	return looks{uint64(stat.Ino), stat.Size, stat.Mtim.Nano()}, true //nolint:unconvert // its size differs between systems
}
