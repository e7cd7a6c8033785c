package corpus

import (
	"slices"

	"cortex/lib/language"
	"cortex/lib/record"
	"cortex/lib/search/token"
)

// eachSubject calls emit for the tags of a document that name its subject.
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

// isSubjectTag reports whether a tag may name the subject of a document. The tags that Cortex itself gives say what
// kind of chunk it is, and TagGenerated how the document was made.
func isSubjectTag(tag string) bool {
	switch tag {
	case record.SourceCode, record.SourceDoc, record.TagTest, record.TagGenerated:
		return false
	}
	if slices.Contains(record.ChunkTypes, record.ChunkType(tag)) {
		return false
	}
	l, ok := language.ByName(tag)
	return !ok || l.Name != tag
}
