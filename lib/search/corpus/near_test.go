package corpus

import (
	"slices"
	"testing"

	"cortex/lib/record"
)

func TestNearPaths(t *testing.T) {
	var chunks []*record.Chunk
	for _, path := range []string{"lib/search/index.go", "lib/search/rank/rank.go", "lib/a.go", "web/Index.tsx", "web/b.go", "tools:cmd/main.go", "tools:cmd/search/main.go"} {
		chunks = append(chunks, &record.Chunk{ID: path, ChunkType: record.Implementations, Text: "x", Metadata: record.Metadata{FilePath: path}})
	}
	x := ofChunks(t, chunks...)
	for _, tt := range []struct {
		pattern string
		want    []string
	}{
		{"lib/serch", []string{"lib/search", "tools:cmd/search"}},
		{"tools:cmd/serch/**", []string{"tools:cmd/search", "lib/search"}},
		{"src/search/index.go", []string{"lib/search/index.go"}},
		{"index.ts", []string{"web/Index.tsx"}},
		{"lib/serch/*.py", []string{"lib/search", "tools:cmd/search"}},
		{"lib/serch/c.go", []string{"lib/search", "tools:cmd/search"}},
		{"inde", []string{"web/Index.tsx", "lib/search/index.go"}},
		{"**/*.py", nil},
		{"nowhere", nil},
		{"", nil},
	} {
		if got := x.NearPaths(tt.pattern); !slices.Equal(got, tt.want) {
			t.Errorf("near to %q: %q, want %q", tt.pattern, got, tt.want)
		}
	}
}
