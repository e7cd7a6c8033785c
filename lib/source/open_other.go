//go:build !linux

package source

import "os"

func openBelow(*os.File, string) *os.File { return nil }
