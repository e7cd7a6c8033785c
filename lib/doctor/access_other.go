//go:build !unix

package doctor

import "os"

// readable and writable know no more than that the folder is there.
func readable(folder string) error { return exists(folder) }
func writable(folder string) error { return exists(folder) }

func exists(folder string) error {
	_, err := os.Stat(folder)
	return err
}
