package index

import "cortex/lib/record"

// A Source reads what a Catalogue does not hold: the postings and terms of dictionaries that are not Shared, vectors
// and records. It serves one request, whose context bounds the reading. Its methods are safe for concurrent use. A tree
// is identified by its position in the list from which the Remote was made, a chunk by the Number of its Entry.
type Source interface {
	// Postings visits the postings of the terms in the dictionaries of the bit mask, with positions if places is true.
	// The index ignores numbers that are in no catalogue.
	Postings(terms []string, dicts uint64, places bool, visit func(p Postings) error) error
	// Counts visits the number of chunks, 0 included, for each of the different terms and dictionaries of the bit mask.
	Counts(terms []string, dicts uint64, visit func(term, dict, count int)) error
	// Terms visits the terms of the dictionaries in the bit mask that begin with the prefix, until visit returns false.
	// Each call has one dictionary that has the term, as a bit.
	Terms(dicts uint64, prefix string, visit func(term string, in uint64) bool) error
	// Near does what Text.Near does.
	Near(dict int, term string, edits int, visit func(term string) bool) error
	// Nearest visits the chunks nearest to the vector, nearest first, until visit returns false. values are the chunk's
	// own vector as record.Quantize returns it, valid during the call. wanted is the number that the caller expects to
	// need; it is not a bound. If only is not nil, Nearest visits these chunks alone.
	Nearest(vector []float32, wanted int, only []Ref, visit func(r Ref, values []int8) bool) error
	// Vectors visits those of the chunks that have a vector, in any order, with values as Nearest has them.
	Vectors(refs []Ref, visit func(r Ref, values []int8)) error
	// Records returns the chunks in the order of refs.
	Records(refs []Ref) ([]*record.Chunk, error)
}

// A Ref identifies a chunk to a Source.
type Ref struct {
	Tree   int
	Number uint32
}

// Postings has the postings of one term in one dictionary of one tree. Term is an index into the terms asked for.
type Postings struct {
	Term, Dict, Tree int
	// Each visits the chunks with how often and, if asked for, where they have the term. spans is reused.
	Each func(visit func(number uint32, times int, spans []Span)) error
}

// A Span is an interval of positions, see package token, or of bytes.
type Span struct{ From, To int }
