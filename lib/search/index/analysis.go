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
	Dicts   []Dict
	// Terms calls emit for every term of the chunk, with the number of its dictionary and its interval of positions. Those of one term come in ascending order.
	Terms func(c *record.Chunk, emit func(dict int, term string, from, to int))
	// PlaceTerms does so for the dictionaries that are Shared. It must depend on the path and the package alone.
	PlaceTerms func(c *record.Chunk, emit func(dict int, term string, from, to int))
	// Symbols are what the chunk declares.
	Symbols func(c *record.Chunk) iter.Seq[record.SymbolRef]
	// Name are the words of a file's name, each once.
	Name func(path string) iter.Seq[string]
	// Traits are bits of which package index knows nothing.
	Traits func(c *record.Chunk) uint32
}

// A Dict is a dictionary.
type Dict struct {
	Name string
	// Shared tells that its terms are those of PlaceTerms, which the chunks of a file have in common.
	Shared bool
	// Places tells that positions are asked for.
	Places bool
	// Length is the number of the dictionary in whose length its terms count.
	Length int
}
