package store

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"cortex/lib/record"
)

func TestSmoke(t *testing.T) {
	dir := filepath.Join(t.TempDir(), Dir)
	var b []byte
	for _, r := range []record.Record{
		&record.Begin{Schema: 1, Mode: record.Full, Files: 1},
		&record.File{FilePath: "a.go", Status: "ok", Language: "go", SHA256: "x"},
		&record.Chunk{ID: "b", ChunkType: record.Data, Metadata: record.Metadata{FilePath: "a.go"}},
		&record.Chunk{ID: "a", ChunkType: record.Data, Metadata: record.Metadata{FilePath: "a.go"}},
		&record.End{Files: 1},
	} {
		b, _ = record.Append(b, r)
	}
	for range 2 {
		err := Run(context.Background(), record.NewReader(strings.NewReader(string(b)), "stdin"), Options{Dir: dir, Report: func(err error) { t.Error(err) }, Committed: func(r Result) { t.Logf("%+v", r) }})
		if err != nil {
			t.Fatal(err)
		}
	}
	snap, err := Load(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(snap.Chunks) != 2 || snap.Chunks[0].ID != "a" {
		t.Fatal(snap.Chunks)
	}
	m, _ := snap.Manifest.encode()
	t.Log(string(m))
}
