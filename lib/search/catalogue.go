package search

import (
	"iter"
	"slices"

	"cortex/lib/record"
	"cortex/lib/search/query"
)

// A catalogue knows of every chunk what ranking and filters need, without its text. A chunk is named by its
// number, which is its rank by identifier.
type catalogue interface {
	Len() int
	ID(chunk int) string
	ChunkType(chunk int) record.ChunkType
	FilePath(chunk int) string
	Language(chunk int) string
	Tree(chunk int) string
	Tags(chunk int) iter.Seq[string]
	// Symbols are what the chunk declares, as declared gives it.
	Symbols(chunk int) iter.Seq[record.SymbolRef]
	// Lines are the first and the last line in the file.
	Lines(chunk int) (start, end int)
	Traits(chunk int) uint32
	// Chunk reads the chunk itself; it need not have the embedding.
	Chunk(chunk int) (*record.Chunk, error)
}

// A chunk's traits are a bit for each of wordFields that is not empty, by its place in that list, and these.
const (
	traitContinued uint32 = 1 << 31
	// traitDerived is that of chunks without a line of their own, such as outlines.
	traitDerived uint32 = 1 << 30
)

func traits(c *record.Chunk) uint32 {
	var bits uint32
	for i, f := range wordFields() {
		if len(f.values(c)) > 0 {
			bits |= 1 << i
		}
	}
	if isContinued(c) {
		bits |= traitContinued
	}
	if isDerived(c) {
		bits |= traitDerived
	}
	return bits
}

// traitOf is the trait of chunks in which the field of words is not empty.
func traitOf(field query.Field) uint32 {
	return 1 << slices.IndexFunc(wordFields(), func(f wordField) bool { return f.field == field })
}

// chunkList is the catalogue of chunks that are held in memory.
type chunkList []*record.Chunk

func (l chunkList) Len() int                             { return len(l) }
func (l chunkList) ID(chunk int) string                  { return l[chunk].ID }
func (l chunkList) ChunkType(chunk int) record.ChunkType { return l[chunk].ChunkType }
func (l chunkList) FilePath(chunk int) string            { return l[chunk].Metadata.FilePath }
func (l chunkList) Language(chunk int) string            { return l[chunk].Metadata.Language }
func (l chunkList) Tree(chunk int) string                { return l[chunk].Metadata.Tree }
func (l chunkList) Tags(chunk int) iter.Seq[string]      { return slices.Values(l[chunk].Tags) }
func (l chunkList) Traits(chunk int) uint32              { return traits(l[chunk]) }
func (l chunkList) Symbols(chunk int) iter.Seq[record.SymbolRef] {
	return declared(l[chunk])
}

func (l chunkList) Lines(chunk int) (start, end int) {
	return l[chunk].Metadata.StartLine, l[chunk].Metadata.EndLine
}

func (l chunkList) Chunk(chunk int) (*record.Chunk, error) { return l[chunk], nil }
