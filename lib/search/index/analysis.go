package index

import (
	"iter"

	"cortex/lib/record"
)

// An Analysis says what of a chunk is indexed. Its functions may be called at once and must depend on nothing
// but the chunk.
type Analysis struct {
	// Version changes whenever anything that the functions give for any chunk does.
	Version string
	// Dicts are the names of the dictionaries.
	Dicts []string
	// Terms calls emit for every term of the chunk, with the number of its dictionary and its interval of
	// positions.
	Terms func(c *record.Chunk, emit func(dict int, term string, from, to int))
	// Symbols are what the chunk declares.
	Symbols func(c *record.Chunk) iter.Seq[record.SymbolRef]
	// Traits are bits of which package index knows nothing.
	Traits func(c *record.Chunk) uint32
}
