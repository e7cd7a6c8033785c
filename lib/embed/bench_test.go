package embed

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"testing"

	"cortex/lib/embed/provider"
	"cortex/lib/record"
)

// benchTexts are the snippets, joined to texts of the size of usual chunks.
func benchTexts(tb testing.TB) []string {
	var texts []string
	joined := ""
	for _, s := range readSnippets(tb) {
		if joined += s.text; len(joined) > 1500 {
			texts = append(texts, joined)
			joined = ""
		}
	}
	return texts
}

func BenchmarkHash(b *testing.B) {
	texts := benchTexts(b)
	size := 0
	for _, t := range texts {
		size += len(t)
	}
	e := newHash(hashDimensions)
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := e.Embed(context.Background(), provider.Passage, texts); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRun(b *testing.B) {
	var stream []byte
	texts := benchTexts(b)
	for i := range 1000 {
		c := snippetChunk(fmt.Sprintf("f%d.go", i), texts[i%len(texts)])
		var err error
		if stream, err = record.Append(stream, c); err != nil {
			b.Fatal(err)
		}
	}
	e := newHash(hashDimensions)
	b.SetBytes(int64(len(stream)))
	b.ReportAllocs()
	for b.Loop() {
		w := record.NewWriter(io.Discard)
		if err := Run(context.Background(), record.NewReader(bytes.NewReader(stream), "b"), w, e, Options{Jobs: 1}); err != nil {
			b.Fatal(err)
		}
	}
}
