//go:build !unix

package cli

import "os"

func ignored() []os.Signal { return nil }

// waitUntilUnread blocks forever. The command notices at its next write that nobody reads the output.
func waitUntilUnread() { select {} }
