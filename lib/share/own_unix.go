//go:build unix

package share

import (
	"io/fs"
	"os"
	"syscall"
)

// isOwn reports whether the user owns the file.
func isOwn(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}
