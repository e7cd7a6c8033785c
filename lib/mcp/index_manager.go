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

// An indexManager holds the index of a store. It opens it in the background, and again when the store has
// changed and is at rest; meanwhile the old one goes on answering.
type indexManager struct {
	Repository
	opts Options
	// unreachable tells that it was said that the service of the embedder does not answer.
	unreachable atomic.Bool
	// ctx ends all loading.
	ctx     context.Context
	glances glances

	mu      sync.Mutex
	current *openIndex
	// loading is the load that is under way; nil if none is.
	loading *load
	// dir is the store's folder and seen its manifest when the last load began; seen is nil
	// if there was none.
	dir  string
	seen os.FileInfo
	// distrusted tells that files under an index were changed, so that the next one is made anew.
	distrusted bool
	retry      backoff
	loads      loads
	// told is why the last load failed; empty after a load that succeeded.
	told      string
	embedders *lending.Embedders
	// answers bounds the answers that an index keeps, in bytes.
	answers int
	// slots bound what is done in all index managers at once; nil if this is the only one.
	slots *slots
}

// A load is one attempt to open the store. Done is closed when there is an open index, or err. Over is closed when nothing is
// left to do, such as to warm it.
type load struct {
	once sync.Once
	done chan struct{}
	err  error
	over chan struct{}
}

// glances are looks at the files of the tree. Questions that come at once share one, which begins when they have come.
type glances struct {
	mu      sync.Mutex
	glance  status.Glance
	next    *glance
	running bool
}

// A glance is one look; done is closed when it is known what is newer, or err, why that is not known.
type glance struct {
	done  chan struct{}
	newer status.Newest
	err   error
}

// An openIndex is one generation of a store, indexed. It is closed when it was replaced
// and its last reader is gone.
type openIndex struct {
	index   *search.Index
	manager *indexManager
	dir     string // of the store
	// embedder is nil in a store without embeddings, and where noEmbedder says why.
	embedder   embed.Embedder
	noEmbedder error
	graph      *graphFile
	// session is the request to a database that it is for, and for nothing else; nil for a store.
	session page.Database

	// readers and retired belong to the index manager's lock.
	readers int
	retired bool
}

// giveBack ends a loan.
func (s *indexManager) giveBack(e *openIndex) {
	s.mu.Lock()
	e.readers--
	last := e.retired && e.readers == 0
	s.mu.Unlock()
	if last {
		s.report(e.close())
	}
}

// find is the folder of the store, absolute so that messages say which it is.
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

// rootOf is the folder that was indexed, of the store in dir.
func (s *indexManager) rootOf(dir string) string {
	if s.Store != "" {
		return s.Root()
	}
	return filepath.Dir(dir)
}

// finish tells those who wait for the load what came of it. Only the first call counts.
func (l *load) finish(err error) {
	l.once.Do(func() {
		l.err = err
		close(l.done)
	})
}

// protected turns a panic into an error.
func (s *indexManager) protected(work func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = panicked(s.opts.Report, "open store", p)
		}
	}()
	return work()
}

// open makes an open index of the store, whose index and graph are of one generation. What is the same in old is shared with it.
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
			// A service that does not answer is tried again and again, and told of once.
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

// manifest is that of the generation from which the open index answers.
func (e *openIndex) manifest() *store.Manifest { return e.index.Store().Manifest() }

// settings are those of search in the store.
func (s *indexManager) settings(dir string) (search.Settings, error) {
	if s.opts.Settings == nil {
		return search.Settings{}, nil
	}
	return s.opts.Settings(s.rootOf(dir))
}

// swap makes next, which may be nil, the current one, and finishes the load that it comes from. At the end it only retires both.
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

// warn is silent at the end, when what was cancelled fails.
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
