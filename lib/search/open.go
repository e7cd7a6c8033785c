package search

import (
	"context"
	"errors"
	"runtime"

	"cortex/lib/embed"
	"cortex/lib/search/index"
	"cortex/lib/store"
)

// An Effort says what Open may do to have an index.
type Effort = index.Effort

// The efforts.
const (
	// Ready opens what is there.
	Ready = index.Ready
	// Update also makes, in milliseconds, an index that differs little from one that is there.
	Update = index.Update
	// Build makes what is missing. It waits for another process that does so already.
	Build = index.Build
)

// ErrNotReady says that no index can be had with the effort that was allowed.
var ErrNotReady = index.ErrNotReady

// Rebase makes another base for the index of the store in dir if one is due, so that further updates cost little; see Index.Due. It takes a second for
// every few thousand chunks, leaves a processor to others, and the index can be opened and updated meanwhile.
func Rebase(ctx context.Context, dir string, s Settings) error {
	stemmer, err := newStemmer(s.Stemmer)
	if err != nil {
		return err
	}
	g, err := index.Open(ctx, dir, indexed(stemmer), index.Options{Effort: index.Rebase, Jobs: polite()})
	if err != nil {
		return err
	}
	return g.Close()
}

// Due reports whether Rebase has something to do.
func (x *Index) Due() bool { return x.generation != nil && x.generation.Due() }

// IsStale reports whether a request failed because files were changed, as nobody should, under the index. Another one opened anew, or
// made from a snapshot, has the answer.
func IsStale(err error) bool {
	return errors.Is(err, store.ErrChanged) || errors.Is(err, index.ErrDamaged)
}

// Forget takes away the index of the store in dir, in which a request has found what IsStale, so that none is made of it.
func Forget(dir string) error { return index.Forget(dir) }

// Open opens the index of the current generation of the store in dir, which is kept on disk and shared by all processes that
// read the store: it takes milliseconds and little memory. open gives the embedder for the
// model of the store; see New. The index must be closed.
func Open(ctx context.Context, dir string, open func(model string) (embed.Embedder, error), s Settings, effort Effort) (*Index, error) {
	stemmer, err := newStemmer(s.Stemmer)
	if err != nil {
		return nil, err
	}
	jobs := runtime.GOMAXPROCS(0)
	if effort == Update {
		jobs = polite()
	}
	g, err := index.Open(ctx, dir, indexed(stemmer), index.Options{Effort: effort, Jobs: jobs, Wait: true})
	if err != nil {
		return nil, err
	}
	e, err := open(g.Model())
	if err != nil {
		return nil, errors.Join(err, g.Close())
	}
	x := bareIndex(g, e, s, stemmer)
	x.generation = g
	x.text.make = func(context.Context) (textIndex, error) { return newStoredText(g.Text()), nil }
	x.vectors.make = func(ctx context.Context) (vectorIndex, error) {
		return newChromemIndex(ctx, vectorSource{len: g.Len(), dimensions: g.Dimensions(), of: g.Vector})
	}
	return x, nil
}

// polite is how many processors an update may have: one is for the questions that are answered meanwhile.
func polite() int { return max(1, runtime.GOMAXPROCS(0)-1) }

// Ask is Open for a process that asks one question: where no index is ready, or nearly so, it is Once.
func Ask(ctx context.Context, dir string, open func(model string) (embed.Embedder, error), s Settings) (*Index, error) {
	var refused error
	x, err := Open(ctx, dir, func(model string) (e embed.Embedder, err error) {
		e, refused = open(model)
		return e, refused
	}, s, Update)
	if err == nil || refused != nil || ctx.Err() != nil {
		return x, err
	}
	return Scan(ctx, dir, open, s)
}

// Scan is Once over the current generation of the store.
func Scan(ctx context.Context, dir string, open func(model string) (embed.Embedder, error), s Settings) (*Index, error) {
	return fromChunks(ctx, dir, open, s, Once)
}

// Load is New over the current generation of the store.
func Load(ctx context.Context, dir string, open func(model string) (embed.Embedder, error), s Settings) (*Index, error) {
	return fromChunks(ctx, dir, open, s, New)
}

func fromChunks(ctx context.Context, dir string, open func(model string) (embed.Embedder, error), s Settings,
	index func(context.Context, *store.Snapshot, embed.Embedder, Settings) (*Index, error)) (*Index, error) {
	snap, err := store.Load(ctx, dir)
	if err != nil {
		return nil, err
	}
	e, err := open(snap.Manifest.Model)
	if err != nil {
		return nil, err
	}
	return index(ctx, snap, e, s)
}

// smallStore is the number of chunks below which reading them all is as fast as opening an index.
const smallStore = 500

// Prepare makes the index that the next Open will find, unless it is there, another process makes it, or the store is too small to
// need one. A cache that can't be written is no error, since all goes without. progress is told how many chunks are indexed.
func Prepare(ctx context.Context, dir string, s Settings, progress func(done, total int)) error {
	stemmer, err := newStemmer(s.Stemmer)
	if err != nil {
		return err
	}
	head, err := store.ReadHead(dir)
	if err != nil {
		return err
	}
	if head.Chunks() < smallStore {
		return nil
	}
	opts := index.Options{Effort: Build, Jobs: runtime.GOMAXPROCS(0), Progress: progress}
	g, err := index.Open(ctx, dir, indexed(stemmer), opts)
	if err == nil && g.Due() {
		g.Close()
		opts.Effort = index.Rebase
		g, err = index.Open(ctx, dir, indexed(stemmer), opts)
	}
	if err != nil {
		return ctx.Err()
	}
	return g.Close()
}

// guard turns a fault of mapped memory into an error; see index.Guard.
func (x *Index) guard(err *error) func() {
	if x.generation == nil {
		return func() {}
	}
	return index.Guard(err)
}
