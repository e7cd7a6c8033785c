package update

import (
	"context"

	"cortex/lib/store/layout"
	"cortex/lib/store/shard"
)

// A Target receives runs instead of a folder, such as a database. Each of its trees is a store of its own.
type Target interface {
	// Update calls apply with the current state of a tree, which no other process changes meanwhile. It may call apply
	// again if the change could not be committed.
	Update(ctx context.Context, of Preview, apply func(ctx context.Context, t Tree) error) error
}

// A Preview tells a Target about a run before it is applied.
type Preview struct {
	// Tree is the name of the tree that the run changes.
	Tree string
	// Model and Dimensions describe the embeddings of the run; "" and 0 if it has none.
	Model      string
	Dimensions int
}

// A Tree is the current generation of a tree of a Target, and takes the changes to it.
type Tree interface {
	// Manifest returns the manifest of the tree, without shards; nil if the tree does not exist.
	Manifest() *layout.Manifest
	// Files returns the files of the tree without facts; if paths is not nil, only those with these paths.
	Files(ctx context.Context, paths []string) ([]*shard.File, error)
	// Lines returns, for each of the paths that the tree has, the lines of the file and of its chunks, as in a shard.
	Lines(ctx context.Context, paths []string) (map[string][]byte, error)
	// Put replaces the lines of a file. was is what Lines returned for it; now is empty if the file is removed.
	Put(ctx context.Context, path string, was, now []byte) error
	// Commit commits all that was put, with the manifest of the next generation.
	Commit(ctx context.Context, next *layout.Manifest) error
}
