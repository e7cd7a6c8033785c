package tree

import (
	"fmt"
	"hash/maphash"
	"slices"

	"cortex/lib/database/schema"
	"cortex/lib/record"
	"cortex/lib/search/index"
)

// Columns are the columns of a row of chunks that are derived from its record, for filters and lists.
type Columns struct {
	ID, Type, Title, Language, Package string
	Tags                               []string
	Symbols                            []record.SymbolRef
	StartLine, EndLine                 int
	Traits                             uint32
	// Lengths has the number of words in each field of the analysis.
	Lengths []int
}

// ColumnsOf derives the columns of a chunk's row from its record and from the number of its words.
func ColumnsOf(a *index.Analysis, c *record.Chunk, lengths []int) Columns {
	m := &c.Metadata
	columns := Columns{
		ID: c.ID, Type: string(c.ChunkType), Title: schema.Clean(c.Title), Language: schema.Clean(m.Language), Package: schema.Clean(m.Package),
		Tags: slices.Clone(c.Tags), Symbols: slices.Collect(a.Symbols(c)),
		StartLine: m.StartLine, EndLine: m.EndLine, Traits: a.Traits(c), Lengths: lengths,
	}
	for i := range columns.Tags {
		columns.Tags[i] = schema.Clean(columns.Tags[i])
	}
	for i := range columns.Symbols {
		columns.Symbols[i].Name = schema.Clean(columns.Symbols[i].Name)
	}
	return columns
}

// sum returns a number that differs for different columns.
func (c Columns) sum(seed maphash.Seed) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	fmt.Fprintf(&h, "%q %v %d %d %d %d", append([]string{c.ID, c.Type, c.Title, c.Language, c.Package}, c.Tags...), c.Symbols, c.StartLine, c.EndLine, c.Traits, c.Lengths)
	return h.Sum64()
}
