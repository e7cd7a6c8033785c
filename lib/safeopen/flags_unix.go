//go:build unix

package safeopen

import "syscall"

// directory makes opening anything but a folder an error.
const directory = syscall.O_DIRECTORY
