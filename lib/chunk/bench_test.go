package chunk_test

import (
	"bytes"
	"context"
	"io"
	"testing"

	"cortex/lib/chunk"
	"cortex/lib/record/jsonl"
)

func BenchmarkFile(b *testing.B) {
	for _, name := range []string{"handler.go", "wide.go", "shapes.py", "build.mk"} {
		f := samples(b)[name]
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(f.Text)))
			for b.Loop() {
				chunk.File(f, "", chunk.DefaultOptions())
			}
		})
	}
}

func BenchmarkRun(b *testing.B) {
	var stream []byte
	var err error
	for range 20 {
		for _, f := range samples(b) {
			if stream, err = jsonl.Append(stream, f); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportAllocs()
	b.SetBytes(int64(len(stream)))
	for b.Loop() {
		if err := chunk.Run(context.Background(), jsonl.NewReader(bytes.NewReader(stream), "in"), jsonl.NewWriter(io.Discard), chunk.DefaultOptions()); err != nil {
			b.Fatal(err)
		}
	}
}
