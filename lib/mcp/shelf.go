package mcp

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"
	"time"

	"cortex/lib/embed"
	"cortex/lib/search"
	"cortex/lib/store"
)

// pollInterval is how often the shelf looks for a new generation when nobody asks.
const pollInterval = time.Second

// A shelf holds the index of a store. It loads it in the background, and again when the store has
// changed; meanwhile the old one goes on answering.
type shelf struct {
	opts Options
	// ctx ends all loading.
	ctx context.Context

	mu      sync.Mutex
	current *edition
	// loading is the load that is under way; nil if none is.
	loading *load
	// dir is the store's folder and seen its manifest when the last load began; seen is nil
	// if there was none.
	dir  string
	seen os.FileInfo
}

// A load is one attempt to read the store. Err is to be read when done is closed.
type load struct {
	done chan struct{}
	err  error
}

// An edition is one generation of a store, indexed. It is closed when it was replaced
// and its last reader is gone.
type edition struct {
	index *search.Index
	// embedder is nil in a store without embeddings, and where noEmbedder says why.
	embedder   embed.Embedder
	noEmbedder error
	model      string
	files      map[string]store.ChunkFile

	// readers and retired belong to the shelf's lock.
	readers int
	retired bool
}

// newShelf starts loading at once. The shelf must be closed.
func newShelf(ctx context.Context, opts Options) *shelf {
	s := &shelf{opts: opts, ctx: ctx}
	s.mu.Lock()
	s.refresh()
	s.mu.Unlock()
	go s.watch()
	return s
}

// close frees the index as soon as nobody has it on loan. Loading, which must have been cancelled
// through its context, may go on for a moment; what comes of it is freed as well.
func (s *shelf) close() {
	s.swap(nil)
}

// watch notices a new generation while nobody asks, so that the first question after
// an update finds it ready.
func (s *shelf) watch() {
	ticker := time.NewTicker(pollInterval)
	defer ticker.Stop()
	for {
		select {
		case <-s.ctx.Done():
			return
		case <-ticker.C:
			s.mu.Lock()
			s.refresh()
			s.mu.Unlock()
		}
	}
}

// borrow returns the newest edition that is ready, and waits for one only if there is none.
// When the last load failed, it tries again. The edition must be given back.
func (s *shelf) borrow(ctx context.Context) (*edition, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refresh()
	if s.current == nil {
		if s.loading == nil {
			s.load()
		}
		loading := s.loading
		s.mu.Unlock()
		select {
		case <-loading.done:
		case <-ctx.Done():
		}
		s.mu.Lock()
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if loading.err != nil {
			return nil, loading.err
		}
		if s.current == nil {
			return nil, s.ctx.Err() // closed meanwhile
		}
	}
	s.current.readers++
	return s.current, nil
}

// giveBack ends a loan.
func (s *shelf) giveBack(e *edition) {
	s.mu.Lock()
	e.readers--
	last := e.retired && e.readers == 0
	s.mu.Unlock()
	if last {
		s.report(e.close())
	}
}

// refresh starts a load if the store is not what it was when the last one began. It is called with
// the lock held, and costs one stat.
func (s *shelf) refresh() {
	if s.loading != nil {
		return
	}
	dir := s.dir
	if s.current == nil {
		dir = s.find()
	}
	info, err := os.Stat(filepath.Join(dir, store.ManifestName))
	if err != nil {
		// What is on loan outlives its store; what is missing at the start is for borrow to tell.
		if s.current == nil && s.dir == "" {
			s.load()
		}
		return
	}
	if s.dir == dir && s.seen != nil && os.SameFile(s.seen, info) &&
		s.seen.ModTime().Equal(info.ModTime()) && s.seen.Size() == info.Size() {
		return
	}
	s.load()
}

// find is the folder of the store, absolute so that messages say which it is.
func (s *shelf) find() string {
	dir := filepath.Join(s.opts.Root(), store.Dir)
	if full, err := filepath.Abs(dir); err == nil {
		return full
	}
	return dir
}

// load starts loading. It is called with the lock held and no load under way.
func (s *shelf) load() {
	if s.current == nil {
		s.dir = s.find()
	}
	s.seen = nil
	if info, err := os.Stat(filepath.Join(s.dir, store.ManifestName)); err == nil {
		s.seen = info
	}
	l := &load{done: make(chan struct{})}
	s.loading = l
	dir, old := s.dir, s.current
	go func() {
		var first *edition
		first, l.err = s.replace(dir, old)
		s.mu.Lock()
		s.loading = nil
		s.mu.Unlock()
		close(l.done)
		if l.err != nil {
			s.warn("load index: %s", explain(l.err))
		}
		if first != nil {
			s.build(first)
		}
		// Loading leaves much garbage, and a server that waits for questions would keep it.
		debug.FreeOSMemory()
	}()
}

// replace loads the store and puts it in the place of old. An edition that replaces
// another is warm before. One that replaces nothing is lent out at once, since its parts are
// built when they are needed; replace returns it as a loan.
func (s *shelf) replace(dir string, old *edition) (first *edition, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = s.panicked("load index", p)
		}
	}()
	if old != nil {
		manifest, err := store.ReadManifest(dir)
		if err == nil && manifest.Model == old.model && maps.Equal(manifest.ChunkFiles, old.files) {
			return nil, nil
		}
	}
	next, err := s.open(dir)
	if err != nil {
		return nil, err
	}
	if old == nil {
		next.readers++
		s.swap(next)
		return next, nil
	}
	if err := next.index.Warm(s.ctx); err != nil {
		s.report(next.close())
		return nil, err
	}
	s.swap(next)
	return nil, nil
}

// build makes the parts of an edition on loan, so that the first question need not wait
// for it, and gives it back.
func (s *shelf) build(e *edition) {
	defer s.giveBack(e)
	defer func() {
		if p := recover(); p != nil {
			s.panicked("build index", p)
		}
	}()
	if err := e.index.Warm(s.ctx); err != nil {
		s.warn("build index: %s", explain(err))
	}
}

// panicked reports a recovered panic with its stack and returns what to tell the client.
func (s *shelf) panicked(doing string, p any) error {
	s.report(fmt.Errorf("%s: panic: %v\n%s", doing, p, debug.Stack()))
	return fmt.Errorf("%s: internal error: %v", doing, p)
}

// open loads the store and makes an edition of it.
func (s *shelf) open(dir string) (*edition, error) {
	snapshot, err := store.Load(s.ctx, dir)
	if err != nil {
		return nil, err
	}
	manifest := &snapshot.Manifest
	cfg, err := s.opts.Embedding(filepath.Dir(dir))
	if err != nil {
		return nil, err
	}
	e := &edition{model: manifest.Model, files: manifest.ChunkFiles}
	if e.model != "" {
		e.embedder, e.noEmbedder = embed.OpenModel(s.ctx, e.model, cfg)
	}
	if e.noEmbedder != nil {
		s.warn("no search by meaning: %s", explain(e.noEmbedder))
		e.embedder = nil
	}
	e.index, err = search.New(s.ctx, snapshot, e.embedder, search.Settings{})
	if err != nil {
		s.report(e.closeEmbedder())
		return nil, err
	}
	return e, nil
}

// swap makes next, which may be nil, the current edition. At the end it only retires both.
func (s *shelf) swap(next *edition) {
	var idle []*edition
	retire := func(e *edition) {
		if e != nil {
			e.retired = true
			if e.readers == 0 {
				idle = append(idle, e)
			}
		}
	}
	s.mu.Lock()
	retire(s.current)
	s.current = next
	if s.ctx.Err() != nil {
		retire(next)
		s.current = nil
	}
	s.mu.Unlock()
	for _, e := range idle {
		s.report(e.close())
	}
}

func (e *edition) close() error {
	return errors.Join(e.index.Close(), e.closeEmbedder())
}

func (e *edition) closeEmbedder() error {
	if e.embedder == nil {
		return nil
	}
	return e.embedder.Close()
}

// warn is silent at the end, when what was cancelled fails.
func (s *shelf) warn(format string, args ...any) {
	if s.ctx.Err() == nil {
		s.opts.Warn(format, args...)
	}
}

func (s *shelf) report(err error) {
	if err != nil {
		s.opts.Report(err)
	}
}
