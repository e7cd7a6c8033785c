package search

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"cortex/lib/search/index"
	"cortex/lib/store"
)

func TestWeigh(t *testing.T) {
	dir := os.Getenv("WEIGH")
	if dir == "" {
		t.Skip()
	}
	start := time.Now()
	snap, err := store.Load(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println("load", len(snap.Chunks), time.Since(start))
	text := 0
	for _, c := range snap.Chunks {
		text += len(c.Text)
	}
	fmt.Println("text", text)
	for range 2 {
		start = time.Now()
		stem, _ := newStemmer("")
		g, err := index.New(context.Background(), snap.Chunks, snap.Manifest.Model, commonLength(snap.Chunks), 32, indexed(stem))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Println("build", time.Since(start))
		for name, n := range index.Weigh(g, indexed(stem)) {
			fmt.Printf("%8.1f B/chunk %s\n", float64(n)/float64(len(snap.Chunks)), name)
		}
	}
}
