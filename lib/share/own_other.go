//go:build !unix

package share

import "io/fs"

// isOwn returns false: ownership cannot be checked on this system, so no process joins.
func isOwn(fs.FileInfo) bool { return false }
