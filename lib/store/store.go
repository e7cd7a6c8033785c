// Package store reads what an index has on disk: the folder .cortex, which is the record stream at rest.
//
// Open gives the records of one generation; Indexed tells cortex-parse which files need not be done again; Cat turns a store back into a stream; Verify
// looks for damage. Begin with generation.go. Package update writes stores, and package layout has what both must know.
//
// Readers take no lock. The manifest names every shard by its digest, and its replacement is the moment of commit. Until then nothing is
// touched of the old generation; the new shards stand beside the old ones under names with their digests. After it they are moved to their
// places. So a reader finds the whole old generation or the whole new one at any moment, after a crash too.
package store

import "cortex/lib/store/layout"

// Dir is the name of the store's folder in the root of a repository.
const Dir = layout.Dir

// ManifestName is the file in the store's folder whose replacement commits a new generation.
const ManifestName = layout.ManifestName

// A Manifest says what a store holds, and a Shard is one file of it.
type (
	Manifest = layout.Manifest
	Shard    = layout.Shard
)
