package shard

import (
	"crypto/sha256"
	"slices"

	"cortex/lib/record"
)

// Of is the number of the shard, of so many, in which the file with this tree path stands. The number of shards is a power of two. Each shard
// of n is the sum of consecutive ones of 2n.
func Of(treePath string, shards int) int {
	digest := sha256.Sum256([]byte(treePath))
	return int(digest[0]) * shards / Most
}

// MaxLine bounds a line with its end: the text of a chunk has some 100 KB at most, which JSON can make six times as long, and a file of the
// largest size has some megabytes of facts.
const MaxLine = 64 << 20

// Most is the largest number of shards that a store can have.
const Most = 256

// A File is the file that a line describes, and what its chunks have in common.
type File struct {
	// Tree is the name of the tree that the file is of.
	Tree string
	// Record is the record of the file, without text. Its status is "" if the store has none and the file is known by chunks alone.
	Record record.File
	// Created and Updated are the times of most of the chunks.
	Created, Updated string
	// Chunks are the numbers of chunks by type, in the order of record.ChunkTypes; Unembedded are those of them without an embedding.
	Chunks     [5]int
	Unembedded int
}

// Path is the tree path of the file.
func (f *File) Path() string { return record.TreePath(f.Tree, f.Record.FilePath) }

// Total is the number of chunks.
func (f *File) Total() int {
	total := 0
	for _, n := range f.Chunks {
		total += n
	}
	return total
}

// SameForChunks reports whether lines of chunks mean the same below both records of a file.
func (f *File) SameForChunks(other *File) bool {
	a, b := &f.Record, &other.Record
	return a.Language == b.Language && a.Package == b.Package && slices.Equal(a.Tags, b.Tags)
}

// Indexed reports whether the file has text to search, so far as the store has its record.
func (f *File) Indexed() bool { return f != nil && f.Record.Status.Indexed() }
