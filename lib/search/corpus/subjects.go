package corpus

import (
	"slices"

	"cortex/lib/language"
	"cortex/lib/record"
	"cortex/lib/search/token"
)

// eachSubject calls emit for the tags of a document that say what it is about.
func eachSubject(c *record.Chunk, emit func(tag string)) {
	if c.ChunkType != record.Documentation {
		return
	}
	for _, tag := range c.Tags {
		if tag = token.Fold(tag); isSubjectTag(tag) {
			emit(tag)
		}
	}
}

// isSubjectTag reports whether a tag may say what a document is about. Those that Cortex itself gives say what a chunk is.
func isSubjectTag(tag string) bool {
	switch tag {
	case record.SourceCode, record.SourceDoc, TestTag, "generated":
		return false
	}
	if slices.Contains(record.ChunkTypes, record.ChunkType(tag)) {
		return false
	}
	l, ok := language.ByName(tag)
	return !ok || l.Name != tag
}
