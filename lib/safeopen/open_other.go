//go:build !linux

package safeopen

import "os"

func openBelow(*os.File, string, string) *os.File { return nil }
