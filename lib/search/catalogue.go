package search

import (
	"slices"

	"cortex/lib/record"
	"cortex/lib/search/index"
	"cortex/lib/search/query"
)

// A catalogue knows of every chunk what ranking and filters need, without its text. A chunk is named by its
// number, which is that of its place in the store.
type catalogue = *index.Generation

// A chunk's traits are a bit for each of wordFields that is not empty, by its place in that list, and these.
const (
	traitContinued uint32 = 1 << 7
	// traitDerived is that of chunks without a line of their own, such as outlines.
	traitDerived uint32 = 1 << 6
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
