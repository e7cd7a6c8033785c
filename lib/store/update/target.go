package update

import (
	"context"

	"cortex/lib/store/layout"
	"cortex/lib/store/shard"
)

// A Target is where runs go instead of into a folder, such as a database. Each tree of it is a store of its own.
type Target interface {
	// Update calls apply with what there is of a tree, which nobody else changes meanwhile. It may call apply again if the change could not be kept.
	Update(ctx context.Context, of Preview, apply func(ctx context.Context, t Tree) error) error
}

// A Preview says what a Target must know of a run beforehand.
type Preview struct {
	// Tree is the tree that is changed.
	Tree string
	// Model and Dimensions are those of the embeddings that the run brings; "" and 0 for none.
	Model      string
	Dimensions int
}

// A Tree is the last generation of a tree of a Target, while it is changed.
type Tree interface {
	// Manifest is that of the tree, without shards; nil if there is none.
	Manifest() *layout.Manifest
	// Files are the files of the tree without facts, those of the paths alone if paths is not nil.
	Files(ctx context.Context, paths []string) ([]*shard.File, error)
	// Lines gives for each of the paths that the tree has the lines of the file and of its chunks, as a shard has them.
	Lines(ctx context.Context, paths []string) (map[string][]byte, error)
	// Put replaces the lines of a file; was is what Lines gave for it, now is empty if the file is removed.
	Put(ctx context.Context, path string, was, now []byte) error
	// Commit keeps all that was put, with the manifest of the next generation.
	Commit(ctx context.Context, next *layout.Manifest) error
}
