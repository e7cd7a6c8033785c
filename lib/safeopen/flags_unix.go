//go:build unix

package safeopen

import "syscall"

// directory makes opening anything but a folder fail.
const directory = syscall.O_DIRECTORY
