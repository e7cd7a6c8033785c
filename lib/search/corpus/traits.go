package corpus

import (
	"slices"

	"cortex/lib/notation"
	"cortex/lib/record"
	"cortex/lib/search/query"
)

// The traits of a chunk are bits: bit i is set if the chunk has a value of field i of wordFields. The constants are the
// other bits.
const (
	// TraitContinued marks chunks that continue another chunk.
	TraitContinued uint32 = 1 << 7
	// TraitDerived marks chunks without a line of their own, such as outlines.
	TraitDerived uint32 = 1 << 6
)

func traits(c *record.Chunk) uint32 {
	var bits uint32
	for i, f := range wordFields() {
		if len(f.values(c)) > 0 {
			bits |= 1 << i
		}
	}
	if notation.IsContinued(c) {
		bits |= TraitContinued
	}
	if isDerived(c) {
		bits |= TraitDerived
	}
	return bits
}

// TraitOf returns the trait of chunks in which the word field is not empty.
func TraitOf(field query.Field) uint32 {
	return 1 << slices.IndexFunc(wordFields(), func(f wordField) bool { return f.field == field })
}
