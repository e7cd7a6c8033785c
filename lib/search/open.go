package search

import (
	"context"
	"errors"

	"cortex/lib/embed"
	"cortex/lib/search/corpus"
	"cortex/lib/search/index"
	"cortex/lib/store"
)

// IsStale reports whether a request failed because somebody changed files under the open index. To get an answer, call
// Forget and open the index again.
func IsStale(err error) bool {
	return errors.Is(err, store.ErrChanged) || errors.Is(err, index.ErrDamaged)
}

// Forget removes the index of the store in dir after an error for which IsStale holds, so that Open makes it again.
func Forget(dir string) error { return index.Forget(dir) }

// A Making says how a missing index is made, and how much an open index keeps.
type Making struct {
	// Jobs is the number of workers.
	Jobs int
	// Answers bounds the size in bytes of the answers that the open index keeps for repeated questions; 0 means
	// DefaultAnswers.
	Answers int
	// Progress is called with the number of indexed chunks and of all chunks; it may be nil.
	Progress func(done, total int)
	// Aside is called with the reason if the index cannot be kept for other processes; it may be nil.
	Aside func(why error)
}

// Open opens the index of the current generation of the store in dir. All processes that read the store share the
// index, so opening takes milliseconds and little memory. If the index is missing, Open makes it, or waits for another
// process that makes it. open returns the embedder for the model of the store, or nil for no semantic search; the index
// does not close the embedder. The new index shares its unchanged parts with old, which may be nil. The caller must
// close the index.
func Open(ctx context.Context, dir string, open func(model string) (embed.Embedder, error), s Settings, m Making, old *Index) (*Index, error) {
	stemmer, err := corpus.NewStemmer(s.Stemmer)
	if err != nil {
		return nil, err
	}
	opts := index.Options{Jobs: m.Jobs, Progress: m.Progress, Aside: m.Aside}
	if old != nil {
		opts.Old = old.corpus.Generation
	}
	g, err := index.Open(ctx, dir, corpus.Analysis(stemmer), opts)
	if err != nil {
		return nil, err
	}
	e, err := open(g.Model())
	if err != nil {
		return nil, errors.Join(err, g.Close())
	}
	x := newIndexOf(g, e, s, stemmer)
	x.cache.most = m.Answers
	return x, nil
}

// Build makes the missing parts of the index of a generation that was just committed to the store in dir.
func Build(ctx context.Context, dir string, g *store.Generation, s Settings, m Making) error {
	stemmer, err := corpus.NewStemmer(s.Stemmer)
	if err != nil {
		return err
	}
	return index.Build(ctx, dir, g, corpus.Analysis(stemmer), index.Options{Jobs: m.Jobs, Progress: m.Progress, Aside: m.Aside})
}
