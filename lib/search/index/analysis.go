package index

import (
	"iter"

	"cortex/lib/record"
)

// An Analysis says how chunks are indexed. Its functions are called concurrently and depend on the chunk alone.
type Analysis struct {
	// Version must change whenever one of the functions returns something else for the same chunk.
	Version string
	Dicts   []Dict
	// Terms calls emit with each term of the chunk, its dictionary and its positions; those of one term must ascend.
	Terms func(c *record.Chunk, emit func(dict int, term string, from, to int))
	// PlaceTerms does the same for the Shared dictionaries. It depends on the chunk's path and package alone.
	PlaceTerms func(c *record.Chunk, emit func(dict int, term string, from, to int))
	// Symbols returns the symbols that the chunk declares.
	Symbols func(c *record.Chunk) iter.Seq[record.SymbolRef]
	// Name returns the words of a file's name, each once.
	Name func(path string) iter.Seq[string]
	// Traits returns bits that package index stores but does not interpret.
	Traits func(c *record.Chunk) uint32
}

// A Dict describes a dictionary of terms.
type Dict struct {
	Name string
	// Shared says that its terms come from PlaceTerms, so that the chunks of a file have them in common.
	Shared bool
	// Places says that the dictionary stores positions.
	Places bool
	// Length is the number of the dictionary to whose length its terms are added.
	Length int
}
