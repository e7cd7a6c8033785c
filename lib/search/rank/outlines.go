package rank

import (
	"cortex/lib/record"
	"cortex/lib/search/corpus"
	"cortex/lib/search/index"
)

// An outlineSets has the outlines of code, and the chunks that stand for a whole document with its title and sections.
type outlineSets struct{ code, documents corpus.Set }

func newOutlineSets(gen *index.Generation) *outlineSets {
	s := &outlineSets{corpus.NewSet(gen.Len()), corpus.NewSet(gen.Len())}
	is := func(t record.ChunkType) func(string) bool {
		return func(value string) bool { return value == string(t) }
	}
	gen.Select(index.ChunkType, is(record.Symbols), s.code.AddAll)
	gen.Select(index.ChunkType, is(record.Documentation), func(first, end int) {
		for chunk := first; chunk < end; chunk++ {
			if !gen.NamesPart(chunk) {
				s.documents.Add(chunk)
			}
		}
	})
	return s
}
