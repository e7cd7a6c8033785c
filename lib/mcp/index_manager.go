package mcp

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"cortex/lib/embed"
	"cortex/lib/embed/provider"
	"cortex/lib/graph/stored"
	"cortex/lib/search"
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
	// turns bound what is done in all index managers at once; nil if this is the only one.
	turns *turns
}

// A load is one attempt to open the store. Done is closed when there is an open index, or err. Over is closed when nothing is
// left to do, such as to warm it.
type load struct {
	once sync.Once
	done chan struct{}
	err  error
	over chan struct{}
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

	// readers and retired belong to the index manager's lock.
	readers int
	retired bool
}

// newIndexManager starts loading at once. the index manager must be closed.
func newIndexManager(ctx context.Context, r Repository, opts Options, turns *turns) *indexManager {
	s := &indexManager{Repository: r, opts: opts, ctx: ctx, turns: turns}
	s.mu.Lock()
	s.refresh()
	s.mu.Unlock()
	go s.watch()
	return s
}

// close frees the index as soon as nobody has it on loan. Loading must have been cancelled
// through its context, at which it looks now and then; what comes of it until the given time is freed as well.
func (s *indexManager) close(leave time.Time) {
	s.swap(nil, nil)
	s.glances.glance.Close()
	s.mu.Lock()
	loading := s.loading
	s.mu.Unlock()
	if loading != nil {
		select {
		case <-loading.over:
		case <-time.After(time.Until(leave)):
		}
	}
}

// borrow returns the newest open index that is ready, and waits for one only if there is none.
// When the last load failed, it tries again. The open index must be given back.
func (s *indexManager) borrow(ctx context.Context) (*openIndex, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.current == nil {
		if err := s.ctx.Err(); err != nil {
			return nil, err // closed
		}
		s.refresh()
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
	}
	s.current.readers++
	return s.current, nil
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

// refresh starts a load if the store is not what it was when the last one began. It is called with
// the lock held, and costs one stat.
func (s *indexManager) refresh() {
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
	if s.dir == dir && same(s.seen, info) && !s.retry.due() {
		return
	}
	s.load()
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

// load starts loading. It is called with the lock held and no load under way.
func (s *indexManager) load() {
	if s.current == nil {
		s.dir = s.find()
	}
	s.seen = nil
	if info, err := os.Stat(filepath.Join(s.dir, store.ManifestName)); err == nil {
		s.seen = info
	}
	l := &load{done: make(chan struct{}), over: make(chan struct{})}
	s.loading = l
	dir, old, distrusted := s.dir, s.current, s.distrusted
	if s.distrusted = false; old != nil {
		old.readers++
	}
	s.loads.started = time.Now()
	go func() {
		defer close(l.over)
		if s.turns != nil {
			defer take(s.ctx, s.turns.load)()
		}
		err := s.protected(func() error {
			if !distrusted {
				if err := s.replace(dir, old, l); !search.IsStale(err) {
					return err
				}
			}
			if err := search.Forget(dir); err != nil {
				return err
			}
			return s.replace(dir, nil, l)
		})
		s.mu.Lock()
		s.loading = nil
		s.loads.over(err)
		if err == nil && s.current != nil && provider.IsUnreachable(s.current.noEmbedder) {
			s.retry.after(s.current.noEmbedder)
		} else {
			s.retry.after(err)
		}
		s.mu.Unlock()
		l.finish(err)
		if err != nil && (s.Keeper == nil || !errors.Is(err, fs.ErrNotExist)) { // the keeper makes a missing one
			s.warn("load index: %s", explain(err))
		}
		if old != nil {
			s.giveBack(old)
		}
	}()
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
			err = panicked(s.opts.Report, "load index", p)
		}
	}()
	return work()
}

// replace opens the store and puts it in the place of old, which may be nil, if it is another generation, when it is ready for all requests.
func (s *indexManager) replace(dir string, old *openIndex, l *load) error {
	if old != nil && !provider.IsUnreachable(old.noEmbedder) {
		now, err := store.ReadManifest(dir)
		if was := old.manifest(); err == nil && now.Generation == was.Generation && now.Model == was.Model && slices.Equal(now.Shards, was.Shards) {
			return nil
		}
	}
	next, err := s.open(s.ctx, dir, old)
	if err != nil {
		return err
	}
	if old == nil {
		// Its first question need not wait for what only the second may need.
		next.readers++
		s.swap(next, l)
		defer s.giveBack(next)
		return next.index.Warm(s.ctx)
	}
	if err := next.index.Warm(s.ctx); err != nil {
		s.report(next.close())
		return err
	}
	if old.graph.loaded.Load() != nil {
		_, _ = next.graph.get(s.ctx) // who asks is told
	}
	s.swap(next, l)
	return nil
}

// invalidate is told that files under the open index were changed. The next one is made anew.
func (s *indexManager) invalidate(e *openIndex) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current != e {
		return
	}
	e.retired = true // the caller has it on loan
	s.current = nil
	s.distrusted = true
	if s.loading == nil {
		s.load()
	}
}

// A backoff says when to try again what failed.
type backoff struct {
	wait time.Duration
	at   time.Time
}

// Bounds of the time between attempts.
const (
	firstRetry = time.Second
	lastRetry  = time.Minute
)

func (b *backoff) after(err error) {
	if err == nil {
		*b = backoff{}
		return
	}
	b.wait = min(max(2*b.wait, firstRetry), lastRetry)
	b.at = time.Now().Add(b.wait)
}

func (b *backoff) due() bool { return b.wait > 0 && time.Now().After(b.at) }

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
	making := search.Making{Jobs: runtime.GOMAXPROCS(0), Aside: func(why error) { s.warn("the index is made for this process alone: %v", why) }}
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
		if e.embedder, e.noEmbedder = embed.OpenModel(s.ctx, model, cfg); e.noEmbedder != nil {
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
