package shard

import (
	"crypto/sha256"
	"slices"

	"cortex/lib/record"
)

// Of returns the number of the shard that has the file with this tree path, in a store with so many shards, a power of
// two. Doubling the number of shards splits each shard into two consecutive ones.
func Of(treePath string, shards int) int {
	digest := sha256.Sum256([]byte(treePath))
	return int(digest[0]) * shards / Most
}

// MaxLine is the greatest length of a line in bytes, with its end. The text of a chunk has at most some 100 KB, which
// JSON can make six times as long; a file of the greatest size has some megabytes of facts.
const MaxLine = 64 << 20

// Most is the greatest number of shards of a store.
const Most = 256

// A File is the record of a file as its line has it, with values that its chunks share.
type File struct {
	// Tree is the name of the file's tree.
	Tree string
	// Record is the record of the file, without text. If the store has only chunks of the file and no record, its
	// status is "".
	Record record.File
	// Created and Updated are the times that most of the chunks have.
	Created, Updated string
	// Chunks are the numbers of chunks by type, in the order of record.ChunkTypes. Unembedded is the number of chunks
	// without an embedding.
	Chunks     [5]int
	Unembedded int
}

// Path returns the tree path of the file.
func (f *File) Path() string { return record.TreePath(f.Tree, f.Record.FilePath) }

// Total returns the number of chunks.
func (f *File) Total() int {
	total := 0
	for _, n := range f.Chunks {
		total += n
	}
	return total
}

// SameForChunks reports whether the lines of chunks have the same meaning below both records of a file.
func (f *File) SameForChunks(other *File) bool {
	a, b := &f.Record, &other.Record
	return a.Language == b.Language && a.Package == b.Package && slices.Equal(a.Tags, b.Tags)
}

// Indexed reports whether the store has a record of the file that says that its text is indexed.
func (f *File) Indexed() bool { return f != nil && f.Record.Status.Indexed() }
