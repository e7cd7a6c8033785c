package search

import (
	"cortex/lib/embed"
	"cortex/lib/record"
	"cortex/lib/search/corpus"
	"cortex/lib/search/index"
)

// contents are the chunks of an index and the model of their embeddings.
type contents struct {
	model  string
	chunks []*record.Chunk
}

// newInMemory makes an index in memory over the chunks, which it shares and does not change. With no embedder there is
// no semantic search.
func newInMemory(c *contents, e embed.Embedder, s Settings) (*Index, error) {
	return newSharded(c, e, s, 1+len(c.chunks)/shardSize)
}

// shardSize is about the number of chunks in a segment of an index in memory.
const shardSize = 1000

// newSharded is newInMemory with so many segments.
func newSharded(c *contents, e embed.Embedder, s Settings, shards int) (*Index, error) {
	stemmer, err := corpus.NewStemmer(s.Stemmer)
	if err != nil {
		return nil, err
	}
	g, err := index.New(c.chunks, c.model, commonLength(c.chunks), shards, corpus.Analysis(stemmer))
	if err != nil {
		return nil, err
	}
	return newIndexOf(g, e, s, stemmer), nil
}

// commonLength is the most frequent length of an embedding, the greater one of two.
func commonLength(chunks []*record.Chunk) int {
	counts := map[int]int{}
	for _, c := range chunks {
		if n := len(c.Embedding); n > 0 {
			counts[n]++
		}
	}
	best := 0
	for n, count := range counts {
		if count > counts[best] || count == counts[best] && n > best {
			best = n
		}
	}
	return best
}
