//go:build !unix

package derived

import (
	"io"
	"os"
)

const asFile = 0

// mapFile reads the file into memory: on this system, processes do not share it.
func mapFile(f *os.File, size int) ([]byte, error) {
	data := make([]byte, size)
	_, err := io.ReadFull(f, data)
	return data, err
}

func unmap([]byte) error { return nil }
