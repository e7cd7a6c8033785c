package corpus

import (
	"context"
	"errors"
	"testing"

	"cortex/lib/record"
	"cortex/lib/search/answer"
)

// TestMatchSaysWhichIndexFound has one chunk for words, one for meaning and one for both.
// Filters are compared with every path and symbol, so they look at the context as they go.
func TestFiltersHeedCancellation(t *testing.T) {
	x := ofChunks(t, &record.Chunk{ID: "a", ChunkType: record.Implementations, Text: "a", Metadata: record.Metadata{FilePath: "lib/a.go", SymbolName: "a", SymbolType: record.Function}})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, f := range []answer.Filter{{Path: "**/*.go"}, {SymbolName: "*a*"}, {SymbolType: "function"}} {
		if _, err := x.Allowed(ctx, f); !errors.Is(err, context.Canceled) {
			t.Errorf("%+v: %v", f, err)
		}
		if _, err := x.Allowed(t.Context(), f); err != nil {
			t.Errorf("%+v: %v", f, err)
		}
	}
}
