package corpus

import (
	"strings"

	"cortex/lib/notation"
	"cortex/lib/record"
	"cortex/lib/search/index"
)

// PartsOf returns the chunks of this chunk's type whose identifiers differ from its own at most in the number of a
// further part, in the order of their identifiers.
func PartsOf(gen *index.Generation, chunk int) []int {
	file, own := gen.File(chunk), gen.ID(chunk)
	id := notation.WithoutPart(own)
	var parts []int
	add := func(i int, other string) {
		if notation.WithoutPart(other) == id && gen.ChunkType(i) == gen.ChunkType(chunk) {
			parts = append(parts, i)
		}
	}
	if own == id {
		parts = append(parts, chunk)
	} else if first, end := gen.Seek(file, id); first < end && gen.ID(first) == id {
		add(first, id)
	}
	further := id + notation.NumberMark
	for i, end := gen.Seek(file, further); i < end; i++ {
		other := gen.ID(i)
		if !strings.HasPrefix(other, further) {
			break
		}
		add(i, other)
	}
	return parts
}

// IsVerbatim reports whether chunks of the type end with a piece of their file.
func IsVerbatim(t record.ChunkType) bool {
	return t == record.Implementations || t == record.Documentation
}

// IsTest reports whether the chunk is test code.
func IsTest(gen *index.Generation, chunk int) bool {
	for tag := range gen.Tags(chunk) {
		if tag == record.TagTest {
			return true
		}
	}
	return false
}
