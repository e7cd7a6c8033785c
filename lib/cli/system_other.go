//go:build !unix

package cli

import "os"

func ignored() []os.Signal { return nil }

// waitUntilUnread never returns: a command learns from its next write that nobody reads.
func waitUntilUnread() { select {} }
