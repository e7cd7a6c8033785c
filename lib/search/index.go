package search

import (
	"context"

	"cortex/lib/embed"
	"cortex/lib/search/corpus"
	"cortex/lib/search/exact"
	"cortex/lib/search/index"
	"cortex/lib/search/rank"
	"cortex/lib/store"
)

// An Index answers questions about one generation of a store. Its methods except Close may be called concurrently.
type Index struct {
	corpus   *corpus.Corpus
	exact    *exact.Searcher
	ranker   *rank.Ranker
	settings Settings
	embedder embed.Embedder
	cache    *cache
}

func newIndexOf(g *index.Generation, e embed.Embedder, s Settings, stemmer *corpus.Stemmer) *Index {
	merging := rank.DefaultMerging()
	if s.Merging != nil {
		merging = *s.Merging
	}
	c := corpus.New(g, stemmer)
	return &Index{corpus: c, exact: exact.New(c), ranker: rank.New(c, merging, s.fuzziness() > 0, meaningForLexicon), settings: s, embedder: e, cache: &cache{}}
}

// Close frees the index. No request may be running.
func (x *Index) Close() error { return x.corpus.Generation.Close() }

// Store returns the generation of the store that the index reads, nil for an index in memory. It stays open as long as
// the index.
func (x *Index) Store() *store.Generation { return x.corpus.Generation.Store() }

// Paths returns the paths of the files that have chunks in the tree without a name.
func (x *Index) Paths() (paths []string, err error) {
	defer index.Guard(&err)()
	g := x.corpus.Generation
	g.EachFile(func(file uint32, path string, _ int) {
		if g.Tree(g.First(file)) == "" {
			paths = append(paths, path)
		}
	})
	return paths, nil
}

// Warm builds the tables that requests need.
func (x *Index) Warm(ctx context.Context) (err error) {
	defer index.Guard(&err)()
	if g := x.Store(); g != nil {
		g.Warm()
	}
	return x.ranker.Warm(ctx)
}
