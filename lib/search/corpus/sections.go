package corpus

import (
	"strconv"
	"strings"

	"cortex/lib/record"
	"cortex/lib/search/index"
)

// WithoutPart takes off the number of a further part.
func WithoutPart(id string) string {
	if i := strings.LastIndexByte(id, '~'); i >= 0 {
		if _, err := strconv.Atoi(id[i+1:]); err == nil {
			return id[:i]
		}
	}
	return id
}

// IsVerbatim reports whether chunks of the type end with a piece of their file.
func IsVerbatim(t record.ChunkType) bool {
	return t == record.Implementations || t == record.Documentation
}

// TestTag is the tag of test code.
const TestTag = "test"

// IsTest reports whether the chunk is test code.
func IsTest(gen *index.Generation, chunk int) bool {
	for tag := range gen.Tags(chunk) {
		if tag == TestTag {
			return true
		}
	}
	return false
}
