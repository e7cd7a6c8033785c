package search

import (
	"context"
	"errors"

	"cortex/lib/embed"
	"cortex/lib/search/corpus"
	"cortex/lib/search/index"
	"cortex/lib/store"
)

// IsStale reports whether a request failed because files were changed, as nobody should, under the index. Another one that is
// opened after Forget has the answer.
func IsStale(err error) bool {
	return errors.Is(err, store.ErrChanged) || errors.Is(err, index.ErrDamaged)
}

// Forget takes away the index of the store in dir, in which a request has found what IsStale, so that it is made anew.
func Forget(dir string) error { return index.Forget(dir) }

// A Making says how an index that is not there is made, and what an open one keeps.
type Making struct {
	// Jobs is the number of workers.
	Jobs int
	// Answers bounds the answers that the open index keeps for questions that come again, in bytes; 0 is DefaultAnswers.
	Answers int
	// Progress is told how many chunks of how many are indexed; nil for nobody.
	Progress func(done, total int)
	// Aside is told why the index cannot be kept for others, where that is so; nil for nobody.
	Aside func(why error)
}

// Open opens the index of the current generation of the store in dir, which all processes that
// read the store share: it takes milliseconds and little memory. Where it is missing, it is made, or another process that makes it is waited for. open gives the embedder for the
// model of the store: with nil there is no semantic search, and the index does not close it. What is the same in old, which may be nil, is shared with it. The index must be closed.
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

// Build makes what is missing of the index of a generation that was just committed to the store in dir.
func Build(ctx context.Context, dir string, g *store.Generation, s Settings, m Making) error {
	stemmer, err := corpus.NewStemmer(s.Stemmer)
	if err != nil {
		return err
	}
	return index.Build(ctx, dir, g, corpus.Analysis(stemmer), index.Options{Jobs: m.Jobs, Progress: m.Progress, Aside: m.Aside})
}
