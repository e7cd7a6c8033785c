package corpus

import (
	"testing"

	"cortex/lib/record"
	"cortex/lib/search/index"
)

// ofChunks is a corpus in memory of three segments.
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
