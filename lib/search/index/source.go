package index

import "cortex/lib/record"

// A Source reads what a Catalogue does not hold from where the chunks are kept: postings and terms of the dictionaries that are not Shared, vectors and records. It is for one
// request, whose context ends what it reads. Its methods may be called at once. Trees go by their place in the list from which the generation was made, chunks by the number
// that their entry had.
type Source interface {
	// Postings visits where terms are in the dictionaries, which are given as bits, with the places if they are wanted. Numbers that are in no catalogue are left out.
	Postings(terms []string, dicts uint64, places bool, visit func(p Postings) error) error
	// Counts visits the numbers of chunks that have different terms in the dictionaries, of all of them, 0 where there is none.
	Counts(terms []string, dicts uint64, visit func(term, dict, count int)) error
	// Terms visits the terms of some dictionaries that begin with the prefix, with one of the dictionaries that has it as a bit at a time, until visit returns false.
	Terms(dicts uint64, prefix string, visit func(term string, in uint64) bool) error
	// Near is Text.Near.
	Near(dict int, term string, edits int, visit func(term string) bool) error
	// Nearest visits the chunks nearest to the vector with their own as record.Quantize gives it, valid during the call, the nearest first, until visit returns false.
	// About so many are wanted, which is no bound. With only, it visits these alone.
	Nearest(vector []float32, wanted int, only []Ref, visit func(r Ref, values []int8) bool) error
	// Vector is the embedding of a chunk as record.Quantize gives it, of any length; nil if it has none.
	Vector(r Ref) ([]float32, error)
	// Records reads chunks, in their order.
	Records(refs []Ref) ([]*record.Chunk, error)
}

// A Ref is a chunk as a Source knows it.
type Ref struct {
	Tree   int
	Number uint32
}

// Postings are the chunks of one tree that have a term, an index of the terms that were looked for, in a dictionary.
type Postings struct {
	Term, Dict, Tree int
	// Each visits the chunks with how often each has the term and, if that was asked for, where. spans is valid during the call.
	Each func(visit func(number uint32, times int, spans []Span)) error
}

// A Span is an interval of positions, see package token, or of bytes.
type Span struct{ From, To int }
