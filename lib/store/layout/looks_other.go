//go:build !unix

package layout

import "os"

// lookAt cannot tell two files in the same place apart, so each shard is read.
func lookAt(*os.File) (l looks, ok bool) { return l, false }
