//go:build !unix

package doctor

import "os"

// readable and writable only check that the folder exists.
func readable(folder string) error { return exists(folder) }
func writable(folder string) error { return exists(folder) }

func exists(folder string) error {
	_, err := os.Stat(folder)
	return err
}
