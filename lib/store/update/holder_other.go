//go:build !linux

package update

import "os"

// holder returns 0: the system does not tell who holds a lock.
func holder(*os.File) (pid int, program string) { return 0, "" }
