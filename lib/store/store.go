// Package store reads an index on disk: the folder .cortex, which is the record stream at rest.
//
// Open gives the records of one generation; Indexed tells cortex-parse which files need not be parsed again; Cat turns a store back into a stream; Verify
// looks for damage. Begin with generation.go. Package update writes stores, and package layout has what both must know.
//
// Readers take no lock. The manifest names every shard by its digest, and replacing the manifest is the commit. Before it, the old generation is
// untouched, and the new shards stand beside the old ones under names with their digests. After it, they are renamed to their final
// names. So at any moment, even after a crash, a reader finds either the whole old generation or the whole new one.
package store

import (
	"os"
	"path/filepath"

	"cortex/lib/store/layout"
)

// Dir is the name of the store's folder in the root of a repository.
const Dir = layout.Dir

// ManifestName is the file in the store's folder whose replacement commits a new generation.
const ManifestName = layout.ManifestName

// MaxManifest is the size in bytes up to which a manifest is read.
const MaxManifest = layout.MaxManifest

// ErrDamagedManifest is in the error of reading a manifest that no version of Cortex writes.
var ErrDamagedManifest = layout.ErrDamagedManifest

// A Manifest says what a store holds, and a Shard is one file of it.
type (
	Manifest = layout.Manifest
	Shard    = layout.Shard
)

// Above is the nearest folder above root that has a store, "" if none has.
func Above(root string) string {
	at, err := filepath.Abs(root)
	if err != nil {
		return ""
	}
	for {
		above := filepath.Dir(at)
		if above == at {
			return ""
		}
		if _, err := os.Stat(filepath.Join(above, Dir, ManifestName)); err == nil {
			return above
		}
		at = above
	}
}
