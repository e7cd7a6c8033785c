package index

import (
	"fmt"
	"strings"
	"testing"

	"cortex/lib/record"
)

// BenchmarkPostings measures making postings of a batch of chunks.
func BenchmarkPostings(b *testing.B) {
	var chunks []*record.Chunk
	for i := range batchSize {
		var text strings.Builder
		for n := range 120 {
			fmt.Fprintf(&text, "word%d ", (i*7+n*n)%(50+n*20))
		}
		chunks = append(chunks, &record.Chunk{ID: fmt.Sprint(i), Title: "title", Text: text.String()})
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := newPostings(chunks, words()); err != nil {
			b.Fatal(err)
		}
	}
}
