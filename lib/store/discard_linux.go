package store

import (
	"os"

	"golang.org/x/sys/unix"
)

// forgetPages frees the memory in which the system holds a part of the file. Who reads that later reads it from the disk.
func forgetPages(f *os.File, offset, size int64) {
	_ = unix.Fadvise(int(f.Fd()), offset, size, unix.FADV_DONTNEED) // it is advice
}
