//go:build unix

package doctor

import "golang.org/x/sys/unix"

// readable returns why a folder cannot be read, writable why no file can be created in it.
func readable(folder string) error { return unix.Access(folder, unix.R_OK|unix.X_OK) }
func writable(folder string) error { return unix.Access(folder, unix.W_OK|unix.X_OK) }
