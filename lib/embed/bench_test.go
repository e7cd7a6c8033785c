package embed

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"testing"

	"cortex/lib/record/jsonl"
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

func BenchmarkRun(b *testing.B) {
	var stream []byte
	texts := benchTexts(b)
	for i := range 1000 {
		c := snippetChunk(fmt.Sprintf("f%d.go", i), texts[i%len(texts)])
		var err error
		if stream, err = jsonl.Append(stream, c); err != nil {
			b.Fatal(err)
		}
	}
	e := testModel()
	b.SetBytes(int64(len(stream)))
	b.ReportAllocs()
	for b.Loop() {
		w := jsonl.NewWriter(io.Discard)
		if err := Run(context.Background(), jsonl.NewReader(bytes.NewReader(stream), "b"), w, e, Options{Jobs: 1}); err != nil {
			b.Fatal(err)
		}
	}
}
