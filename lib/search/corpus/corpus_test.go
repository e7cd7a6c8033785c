package corpus

import (
	"testing"

	"cortex/lib/record"
	"cortex/lib/search/index"
)

// ofChunks returns a corpus of the chunks in memory, with three segments.
func ofChunks(t *testing.T, chunks ...*record.Chunk) *Corpus {
	t.Helper()
	stemmer, err := NewStemmer("")
	if err != nil {
		t.Fatal(err)
	}
	g, err := index.New(chunks, "", 0, 3, Analysis(stemmer))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { g.Close() })
	return New(g, stemmer)
}
