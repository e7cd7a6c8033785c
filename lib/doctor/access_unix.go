//go:build unix

package doctor

import "golang.org/x/sys/unix"

// readable says why a folder cannot be read, writable why nothing can be made in it.
func readable(folder string) error { return unix.Access(folder, unix.R_OK|unix.X_OK) }
func writable(folder string) error { return unix.Access(folder, unix.W_OK|unix.X_OK) }
