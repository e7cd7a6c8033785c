// Package corpus holds the searchable form of one generation of a store: its chunks as sets of numbers, the terms of
// their fields, the values of fields that are compared as a whole, and filters over these. It finds chunks; packages
// exact and rank order them, each over a Corpus.
//
// Begin with corpus.go. dict.go names the dictionaries of terms, analysis.go says which terms a chunk has, text.go
// looks terms up. facets.go and filter.go make sets of chunks, paths.go has the patterns of paths, and near.go suggests
// paths and names for those that nothing has; matches.go and scored.go order chunks by score.
package corpus

import (
	"sync"

	"cortex/lib/search/index"
)

// A Corpus gives access to the chunks of one generation of a store. A chunk is identified by its number, see
// index.Generation. The methods are safe for concurrent use.
type Corpus struct {
	// Generation has the metadata of each chunk: its place, symbols, tags and record.
	Generation *index.Generation
	// Text holds the terms of the chunks.
	Text Text
	// Stemmer finds the stems of words in documents.
	Stemmer *Stemmer
	// WithLines returns the set of chunks that have lines of their own. The set is computed once.
	WithLines func() Set
}

// New returns the corpus of a generation that was analysed with the stemmer.
func New(g *index.Generation, stemmer *Stemmer) *Corpus {
	x := &Corpus{Generation: g, Text: Text{index: g.Text()}, Stemmer: stemmer}
	x.WithLines = sync.OnceValue(x.chunksWithLines)
	return x
}

// Over returns a corpus of the same chunks that reads through g, the generation over another request's source.
func (x *Corpus) Over(g *index.Generation) *Corpus {
	own := *x
	own.Generation, own.Text = g, Text{index: g.Text()}
	return &own
}

// NewMatches returns an empty set of matches with room for the scores of all chunks.
func (x *Corpus) NewMatches() *Matches {
	return &Matches{Set: NewSet(x.Generation.Len()), Score: make([]float32, x.Generation.Len())}
}

// chunksWithLines returns the set of chunks that have lines of their own.
func (x *Corpus) chunksWithLines() Set {
	set := NewSet(x.Generation.Len())
	set.Fill(x.Generation.Len())
	x.Generation.Having(TraitDerived, set.Remove)
	return set
}

// IsDerived reports whether the chunk has no line of its own.
func (x *Corpus) IsDerived(chunk int) bool {
	return x.Generation.Traits(chunk)&TraitDerived != 0
}
