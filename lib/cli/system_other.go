//go:build !unix

package cli

import (
	"os"
	"syscall"
)

func ignored() []os.Signal { return nil }

func stopping() []os.Signal { return []os.Signal{os.Interrupt, syscall.SIGTERM} }

// waitUntilUnread blocks forever. The command notices at its next write that nobody reads the output.
func waitUntilUnread() { select {} }
