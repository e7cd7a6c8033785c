package mcp

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"

	"cortex/lib/embed"
	"cortex/lib/embed/lending"
	"cortex/lib/embed/provider"
	"cortex/lib/graph/stored"
	"cortex/lib/page"
	"cortex/lib/search"
	"cortex/lib/status"
	"cortex/lib/store"
)

// An indexManager keeps the index of a store open. It opens the index in the background, and again when the store has
// changed and is at rest; until then the old index answers.
type indexManager struct {
	Repository
	opts Options
	// unreachable says that the user was warned that the service of the embedder does not answer.
	unreachable atomic.Bool
	// ctx ends all loading.
	ctx       context.Context
	freshness freshness

	mu      sync.Mutex
	current *openIndex
	// loading is the load in progress; nil if there is none.
	loading *load
	// dir is the store's folder. seen is the file information of its manifest when the last load began; nil if there
	// was no manifest.
	dir  string
	seen os.FileInfo
	// distrusted says that files under an open index were changed, so the next load deletes and rebuilds the derived
	// files.
	distrusted bool
	retry      backoff
	loads      loads
	// told is the text of the last load's error; "" after a successful load.
	told      string
	embedders *lending.Embedders
	// answers bounds the answers that an index caches, in bytes.
	answers int
	// slots bounds concurrent work of all index managers; nil if there is only one.
	slots *slots
}

// A load is one attempt to open the store. done is closed when there is an open index, or err is set. over is closed
// when all work has ended, such as warming the index.
type load struct {
	once sync.Once
	done chan struct{}
	err  error
	over chan struct{}
}

// A freshness checks the files of the tree for changes. Questions that arrive while a check runs share the next check.
type freshness struct {
	mu      sync.Mutex
	files   status.Glance
	next    *check
	running bool
}

// A check is one look at all files. done is closed when newer or err is set; err says why the files cannot be compared.
type check struct {
	done  chan struct{}
	newer status.Newest
	err   error
}

// An openIndex is one generation of a store, opened for search. It is closed once it is retired and its last reader has
// given it back.
type openIndex struct {
	index   *search.Index
	manager *indexManager
	dir     string // of the store
	// embedder is nil if the store has no embeddings, or if the embedder cannot be opened; then noEmbedder says why.
	embedder   embed.Embedder
	noEmbedder error
	graph      *graphFile
	// session is the database session of one question; nil for a store.
	session page.Database

	// readers and retired are guarded by the manager's mu.
	readers int
	retired bool
}

// giveBack ends a loan from borrow, and closes the index if it is retired and this was its last reader.
func (s *indexManager) giveBack(e *openIndex) {
	s.mu.Lock()
	e.readers--
	last := e.retired && e.readers == 0
	s.mu.Unlock()
	if last {
		s.report(e.close())
	}
}

// find returns the absolute path of the store's folder.
func (s *indexManager) find() string {
	dir := s.Store
	if dir == "" {
		dir = filepath.Join(s.Root(), store.Dir)
	}
	if full, err := filepath.Abs(dir); err == nil {
		return full
	}
	return dir
}

// rootOf returns the root of the tree whose store is in dir.
func (s *indexManager) rootOf(dir string) string {
	if s.Store != "" {
		return s.Root()
	}
	return filepath.Dir(dir)
}

// finish reports the load's result to those who wait for it. Only the first call counts.
func (l *load) finish(err error) {
	l.once.Do(func() {
		l.err = err
		close(l.done)
	})
}

// protected calls work and turns a panic into an error.
func (s *indexManager) protected(work func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = panicked(s.opts.Report, "open store", p)
		}
	}()
	return work()
}

// open opens the store's index and its graph, both of one generation. The new index shares unchanged parts with old,
// which may be nil.
func (s *indexManager) open(ctx context.Context, dir string, old *openIndex) (*openIndex, error) {
	root := s.rootOf(dir)
	e := &openIndex{manager: s, dir: dir}
	m, err := store.ReadManifest(dir)
	if err != nil {
		return nil, err
	}
	if s.opts.Accept != nil {
		if err := s.opts.Accept(root, m.Model); err != nil {
			return nil, err
		}
	}
	settings, err := s.settings(dir)
	if err != nil {
		return nil, err
	}
	making := search.Making{Jobs: runtime.GOMAXPROCS(0), Answers: s.answers, Aside: func(why error) { s.warn("the index is made for this process alone: %s", explain(why)) }}
	var known *search.Index
	if old != nil {
		known = old.index
	}
	e.index, err = search.Open(ctx, dir, func(model string) (embed.Embedder, error) {
		if model == "" {
			return nil, nil
		}
		cfg, err := s.opts.Embedding(root)
		if err != nil {
			return nil, err
		}
		if e.embedder, e.noEmbedder = s.embedders.Lend(model, cfg); e.noEmbedder != nil {
			// A service that does not answer is tried repeatedly, with a single warning.
			if !provider.IsUnreachable(e.noEmbedder) || !s.unreachable.Swap(true) {
				s.warn("no search by meaning: %s", explain(e.noEmbedder))
			}
			e.embedder = nil
			return nil, nil
		}
		s.unreachable.Store(false)
		return e.embedder, nil
	}, settings, making, known)
	if err != nil {
		s.report(e.closeEmbedder())
		return nil, err
	}
	e.graph = &graphFile{dir: dir, of: e.index.Store(), opts: stored.Options{Jobs: making.Jobs, Aside: making.Aside}}
	return e, nil
}

// manifest returns the manifest of the open generation.
func (e *openIndex) manifest() *store.Manifest { return e.index.Store().Manifest() }

// settings returns the search settings for the store.
func (s *indexManager) settings(dir string) (search.Settings, error) {
	if s.opts.Settings == nil {
		return search.Settings{}, nil
	}
	return s.opts.Settings(s.rootOf(dir))
}

// swap makes next the current index and retires the previous one; next may be nil. It finishes load l if l is not nil.
// After ctx has ended, swap retires next as well.
func (s *indexManager) swap(next *openIndex, l *load) {
	var idle []*openIndex
	retire := func(e *openIndex) {
		if e != nil {
			e.retired = true
			if e.readers == 0 {
				idle = append(idle, e)
			}
		}
	}
	s.mu.Lock()
	retire(s.current)
	if next != nil {
		s.loads.ready(s.current != nil)
	}
	s.current = next
	if s.ctx.Err() != nil {
		retire(next)
		s.current = nil
	}
	s.mu.Unlock()
	if l != nil {
		l.finish(nil)
	}
	for _, e := range idle {
		s.report(e.close())
	}
}

func (e *openIndex) close() error {
	return errors.Join(e.graph.close(), e.index.Close(), e.closeEmbedder())
}

func (e *openIndex) closeEmbedder() error {
	if e.embedder == nil {
		return nil
	}
	return e.embedder.Close()
}

// warn passes on a warning, except after ctx has ended, when cancelled work fails.
func (s *indexManager) warn(format string, args ...any) {
	if s.ctx.Err() == nil {
		s.opts.Warn(format, args...)
	}
}

func (s *indexManager) report(err error) {
	if err != nil {
		s.opts.Report(err)
	}
}
