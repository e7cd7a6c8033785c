// Package store reads an index on disk: the folder .cortex, which holds the records of the pipeline.
//
// Open returns one generation, and Generation.Records its records. Indexed says which files cortex-parse need not parse
// again; Cat turns a store back into a stream of records; Verify looks for damage. Begin with generation.go. Package
// update writes stores, and package layout has what both share.
//
// Readers take no lock. The manifest names every shard by its digest, and replacing the manifest is the commit. Before
// the commit, the old generation is untouched, and the new shards are beside the old ones, with their digests in their
// names. After the commit, they are renamed to their final names. So a reader finds either the whole old generation or
// the whole new one at any moment, even after a crash.
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

// ErrDamagedManifest is wrapped by the error of reading a manifest that no version of Cortex writes.
var ErrDamagedManifest = layout.ErrDamagedManifest

// A Manifest describes the content of a store; a Shard describes one of its files.
type (
	Manifest = layout.Manifest
	Shard    = layout.Shard
)

// UpdateCommand returns the shell command that brings the index in dir of the tree root up to date, and makes it if
// there is none.
func UpdateCommand(root, dir string) string { return layout.Command(root, dir, layout.IndexAgain) }

// Above returns the nearest folder above root that has a store, "" if there is none.
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
