// Package corpus holds what is searched: the chunks of one generation of a store as sets of numbers, the terms of their fields, the columns
// of values that are compared as a whole, and filters over all of these. It finds chunks and does not rank them: packages exact and rank do, each over a Corpus.
//
// Begin with corpus.go. dict.go names the dictionaries of terms, analysis.go says which terms a chunk has, text.go looks them up; facets.go and
// filter.go make sets of chunks, matches.go and scored.go order them.
package corpus

import (
	"sync"

	"cortex/lib/search/index"
)

// A Corpus is the chunks of one generation of a store with all by which they are found. A chunk is named by its number,
// see index.Generation. Its methods may be called at once.
type Corpus struct {
	// Generation has what is known of each chunk: where it is, what it declares, its tags and its record.
	Generation *index.Generation
	// Text holds the terms of the chunks.
	Text Text
	// Stemmer finds the stems of words in documents.
	Stemmer *Stemmer
	// WithLines is the set of chunks that have lines of their own.
	WithLines func() Set
}

// New is the corpus of a generation whose words were analysed with the stemmer.
func New(g *index.Generation, stemmer *Stemmer) *Corpus {
	x := &Corpus{Generation: g, Text: Text{index: g.Text()}, Stemmer: stemmer}
	x.WithLines = sync.OnceValue(x.chunksWithLines)
	return x
}

// Over is the corpus of the same chunks as another request asks it: g is the generation over that request's source.
func (x *Corpus) Over(g *index.Generation) *Corpus {
	own := *x
	own.Generation, own.Text = g, Text{index: g.Text()}
	return &own
}

// NewMatches is an empty set of matches with room for scores.
func (x *Corpus) NewMatches() *Matches {
	return &Matches{Set: NewSet(x.Generation.Len()), Score: make([]float32, x.Generation.Len())}
}

// chunksWithLines is the set of chunks that have lines of their own.
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
