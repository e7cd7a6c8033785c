package corpus

import (
	"slices"
	"testing"

	"cortex/lib/notation"
	"cortex/lib/record"
)

func TestPartsOf(t *testing.T) {
	var chunks []*record.Chunk
	for _, id := range []string{
		"code-definitions-a.go", "code-impl-a.go", "code-impl-a.go#f", "code-impl-a.go#f!", "code-impl-a.go#f.g", "code-impl-a.go#f.g~2", "code-impl-a.go#fg", "code-impl-a.go#f~10",
		"code-impl-a.go#f~2", "code-impl-a.go#f~2~3", "code-impl-a.go#f~x", "code-impl-a.go#h~2", "code-impl-a.go~2",
	} {
		kind := record.Implementations
		if id == "code-definitions-a.go" {
			kind = record.Definitions
		}
		chunks = append(chunks, &record.Chunk{ID: id, ChunkType: kind, Text: "text", Metadata: record.Metadata{FilePath: "a.go"}})
	}
	for _, id := range []string{"code-impl-b.go#f~2", "x", "x~2"} {
		chunks = append(chunks, &record.Chunk{ID: id, ChunkType: record.Implementations, Text: "text", Metadata: record.Metadata{FilePath: "b.go"}})
	}
	chunks[len(chunks)-1].ChunkType = record.Data
	gen := ofChunks(t, chunks...).Generation
	// One chunk after another tells what the search by identifiers should find.
	for i := range gen.Len() {
		var want []int
		for k := range gen.Len() {
			if gen.File(k) == gen.File(i) && gen.ChunkType(k) == gen.ChunkType(i) && notation.WithoutPart(gen.ID(k)) == notation.WithoutPart(gen.ID(i)) {
				want = append(want, k)
			}
		}
		if got := PartsOf(gen, i); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", gen.ID(i), got, want)
		}
	}
	f, _ := gen.Find("code-impl-a.go#f")
	if got := PartsOf(gen, f); len(got) != 3 {
		t.Errorf("parts of f: %v", got)
	}
}
