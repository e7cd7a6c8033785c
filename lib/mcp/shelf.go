package mcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"cortex/lib/embed"
	"cortex/lib/hint"
	"cortex/lib/search"
	"cortex/lib/store"
)

// A shelf holds the index of a store. It opens it in the background, and again when the store has
// changed and is at rest; meanwhile the old one goes on answering.
type shelf struct {
	opts Options
	// unreachable tells that it was said that the service of the embedder does not answer.
	unreachable atomic.Bool
	// ctx ends all loading.
	ctx      context.Context
	courtesy courtesy
	glances  glances

	mu      sync.Mutex
	current *edition
	// loading is the load that is under way; nil if none is.
	loading *load
	// dir is the store's folder and seen its manifest when the last load began; seen is nil
	// if there was none.
	dir  string
	seen os.FileInfo
	// distrusted tells that files under an index were changed, so that the next one is made from the chunks.
	distrusted bool
	retry      backoff
	loads      loads
	tidying    *time.Timer
	// closing is the number of editions that are being closed beside all else.
	closing atomic.Int64
	// rebasing is closed when the base that is being made is done; nil if none is.
	rebasing chan struct{}
	// spare is never touched, so that it is no memory in use; the collector takes it for what lives, and lets as much garbage wait. Indexes are mapped, so
	// the heap of a server is so small that it would be collected dozens of times a second.
	spare []byte
}

// spareSize is the size of spare in bytes.
const spareSize = 32 << 20

// A load is one attempt to read the store. Done is closed when there is an edition, or err. Over is closed when nothing is
// left to do, such as to make a better one.
type load struct {
	once sync.Once
	done chan struct{}
	err  error
	over chan struct{}
}

// An edition is one generation of a store, indexed. It is closed when it was replaced
// and its last reader is gone.
type edition struct {
	index *search.Index
	shelf *shelf
	dir   string // of the store
	// embedder is nil in a store without embeddings, and where noEmbedder says why.
	embedder   embed.Embedder
	noEmbedder error
	head       store.Head
	graph      *graphFile
	// makeshift tells that the index reads all chunks for each request, since there was none better.
	makeshift bool

	// readers, retired and before belong to the shelf's lock.
	readers int
	retired bool
	// before is the edition that this one follows, on loan while the graph is read; otherwise nil.
	before *edition
}

// newShelf starts loading at once. The shelf must be closed.
func newShelf(ctx context.Context, opts Options) *shelf {
	s := &shelf{opts: opts, ctx: ctx, spare: make([]byte, spareSize)}
	s.mu.Lock()
	s.refresh()
	s.mu.Unlock()
	go s.watch()
	return s
}

// close frees the index as soon as nobody has it on loan. Loading must have been cancelled
// through its context, at which it looks now and then; what comes of it until the given time is freed as well.
func (s *shelf) close(leave time.Time) {
	s.swap(nil, nil)
	s.mu.Lock()
	loading, rebasing := s.loading, s.rebasing
	s.mu.Unlock()
	end := time.After(time.Until(leave))
	if loading != nil {
		select {
		case <-loading.over:
		case <-end:
			return
		}
	}
	if rebasing != nil {
		select {
		case <-rebasing:
		case <-end:
			return
		}
	}
	for s.closing.Load() > 0 {
		select {
		case <-time.After(time.Millisecond):
		case <-end:
			return
		}
	}
}

// borrow returns the newest edition that is ready, and waits for one only if there is none.
// When the last load failed, it tries again. The edition must be given back.
func (s *shelf) borrow(ctx context.Context) (*edition, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current == nil {
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
		if s.current == nil {
			return nil, s.ctx.Err() // closed meanwhile
		}
	}
	s.current.readers++
	s.courtesy.questions.Add(1)
	return s.current, nil
}

// giveBack ends a loan to a question.
func (s *shelf) giveBack(e *edition) {
	s.courtesy.questions.Add(-1)
	s.release(e)
}

// release ends a loan.
func (s *shelf) release(e *edition) {
	s.mu.Lock()
	e.readers--
	last := e.retired && e.readers == 0
	s.mu.Unlock()
	if last {
		// That may be long, and is not for the last one who asked.
		s.closing.Add(1)
		go func() {
			defer s.closing.Add(-1)
			s.dispose(e)
		}()
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
	if s.dir == dir && same(s.seen, info) && !s.retry.due() {
		return
	}
	s.load()
}

// find is the folder of the store, absolute so that messages say which it is.
func (s *shelf) find() string {
	dir := s.opts.Store
	if dir == "" {
		dir = filepath.Join(s.opts.Root(), store.Dir)
	}
	if full, err := filepath.Abs(dir); err == nil {
		return full
	}
	return dir
}

// rootOf is the folder that was indexed, of the store in dir.
func (s *shelf) rootOf(dir string) string {
	if s.opts.Store != "" {
		return s.opts.Root()
	}
	return filepath.Dir(dir)
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
	l := &load{done: make(chan struct{}), over: make(chan struct{})}
	s.loading = l
	dir, old, distrusted := s.dir, s.current, s.distrusted
	s.distrusted = false
	s.loads.started = time.Now()
	go func() {
		defer close(l.over)
		err := s.protected(func() error { return s.replace(dir, old, distrusted, l) })
		s.mu.Lock()
		s.loading = nil
		s.loads.over(err)
		if err == nil && s.current != nil && embed.IsUnreachable(s.current.noEmbedder) {
			s.retry.after(s.current.noEmbedder)
		} else {
			s.retry.after(err)
		}
		if err == nil {
			s.rebase()
		}
		s.mu.Unlock()
		l.finish(err)
		if err != nil && (s.opts.Keeper == nil || !errors.Is(err, fs.ErrNotExist)) { // the keeper makes a missing one
			s.warn("load index: %s", explain(err))
		}
		s.tidy()
	}()
}

// rebase makes another base for the index, if one is due, beside what else goes on. It is called with the lock held.
func (s *shelf) rebase() {
	if s.current == nil || !s.current.index.Due() || s.rebasing != nil || s.ctx.Err() != nil {
		return
	}
	done := make(chan struct{})
	s.rebasing = done
	dir := s.current.dir
	go func() {
		// If it fails, the next load tries again; no index depends on it.
		_ = s.protected(func() error {
			settings, err := s.settings(dir)
			if err != nil {
				return err
			}
			return search.Rebase(s.courtesy.during(s.ctx), dir, settings)
		})
		s.mu.Lock()
		s.rebasing = nil
		s.mu.Unlock()
		close(done)
		s.tidy()
	}()
}

// tidy gives memory back when loading has been over for a while: it leaves much garbage, which a server that waits for questions would keep, and
// to collect it costs those that are asked.
func (s *shelf) tidy() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tidying != nil {
		s.tidying.Stop()
	}
	s.tidying = time.AfterFunc(calm, func() {
		if s.ctx.Err() == nil {
			debug.FreeOSMemory()
		}
	})
}

// calm is how long after a load memory is given back, unless there is another.
const calm = 3 * time.Second

// finish tells those who wait for the load what came of it. Only the first call counts.
func (l *load) finish(err error) {
	l.once.Do(func() {
		l.err = err
		close(l.done)
	})
}

// protected turns a panic into an error.
func (s *shelf) protected(work func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = s.panicked("load index", p)
		}
	}()
	return work()
}

// replace opens the store and puts it in the place of old, if it is another generation, when it is ready for all requests. Where there is
// nothing to replace and no index is ready, questions are answered from the chunks until one is made.
func (s *shelf) replace(dir string, old *edition, distrusted bool, l *load) error {
	if old != nil && !old.makeshift && !distrusted && !embed.IsUnreachable(old.noEmbedder) {
		head, err := store.ReadHead(dir)
		if err == nil && head.Model == old.head.Model && sameGeneration(&head, &old.head) {
			return nil
		}
	}
	ctx := s.ctx
	if old != nil && !old.makeshift {
		ctx = s.courtesy.during(ctx)
	}
	var next *edition
	err := search.ErrNotReady
	if distrusted {
		// Where it can't be taken away, it is found to be useless again.
		_ = search.Forget(dir)
	} else {
		next, err = s.update(ctx, dir)
	}
	switch {
	case err == nil && old == nil:
		// Its first question need not wait for what only the second may need.
		next.readers++
		s.swap(next, l)
		defer s.release(next)
		return next.index.Warm(s.ctx)
	case err != nil && (old == nil || distrusted):
		head, err := s.improvise(dir, l)
		if err != nil {
			return err
		}
		if next, err = s.make(dir, func() { head = s.improviseAgain(dir, head) }); err != nil {
			return err
		}
	case err != nil:
		if next, err = s.make(dir, func() {}); err != nil {
			return err
		}
	}
	if err := next.index.Warm(ctx); err != nil {
		s.report(next.close())
		return err
	}
	release := s.bridge(old, next)
	s.swap(next, l)
	if release != nil {
		_, _ = next.graph.get(ctx) // who asks is told
		release()
	}
	return nil
}

// bridge lets the old edition answer questions to the graph, if it has, until that of the next one is read, which takes longer than the rest: then
// release is to be called. It is nil where there is nothing to wait for.
func (s *shelf) bridge(old, next *edition) (release func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if old == nil || s.current != old || old.graph.loaded.Load() == nil {
		return nil
	}
	old.readers++
	next.before = old
	return func() {
		s.mu.Lock()
		next.before = nil
		s.mu.Unlock()
		s.release(old)
	}
}

// update opens what is there, or nearly so.
func (s *shelf) update(ctx context.Context, dir string) (*edition, error) {
	return s.open(ctx, dir, s.cached(search.Update))
}

// improvise lets an edition answer that reads all chunks for each request.
func (s *shelf) improvise(dir string, l *load) (store.Head, error) {
	e, err := s.open(s.ctx, dir, search.Scan)
	if err != nil {
		return store.Head{}, err
	}
	e.makeshift = true
	head := e.head
	s.swap(e, l)
	return head, nil
}

// improviseAgain does so if the store is another than that of the head, and returns that of the edition that answers.
func (s *shelf) improviseAgain(dir string, head store.Head) store.Head {
	now, err := store.ReadHead(dir)
	if err != nil || sameGeneration(&now, &head) {
		return head
	}
	if again, err := s.improvise(dir, nil); err == nil {
		return again
	}
	return head
}

// make makes an index of the store, however often that is written meanwhile. It calls wait again and again until it is done.
func (s *shelf) make(dir string, wait func()) (*edition, error) {
	for attempt := 1; ; attempt++ {
		var e *edition
		done := make(chan error, 1)
		go func() {
			done <- s.protected(func() (err error) {
				e, err = s.makeOnce(dir)
				return err
			})
		}()
		ticker := time.NewTicker(pollInterval)
		var err error
		for made := false; !made; {
			select {
			case err = <-done:
				made = true
			case <-ticker.C:
				wait()
			}
		}
		ticker.Stop()
		if err != nil {
			return nil, err
		}
		now, err := store.ReadHead(dir)
		if err != nil || sameGeneration(&now, &e.head) || attempt == maxMade {
			return e, nil // the rest is for the next load
		}
		// It is old already, but what has changed since is little, as a rule.
		s.report(e.close())
		if e, err = s.update(s.ctx, dir); err == nil || s.ctx.Err() != nil {
			return e, cmp.Or(err, s.ctx.Err())
		}
	}
}

// maxMade is how often an index is made from the beginning because the store has become too different meanwhile.
const maxMade = 3

// makeOnce makes an index on disk, and where that can't be, in memory.
func (s *shelf) makeOnce(dir string) (*edition, error) {
	e, err := s.open(s.ctx, dir, s.cached(search.Build))
	if err == nil || s.ctx.Err() != nil {
		return e, err
	}
	why := err
	e, err = s.open(s.ctx, dir, search.Load)
	if err == nil {
		s.warn("the index is kept in memory: %v", why)
	}
	return e, err
}

// An opener is search.Load or a function like it.
type opener func(ctx context.Context, dir string, open func(model string) (embed.Embedder, error), s search.Settings) (*search.Index, error)

// cached is search.Open with the effort.
func (s *shelf) cached(effort search.Effort) opener {
	return func(ctx context.Context, dir string, open func(string) (embed.Embedder, error), settings search.Settings) (*search.Index, error) {
		return search.Open(ctx, dir, open, settings, effort)
	}
}

// doubt is told that files under the edition's index were changed. The next one is made from the chunks themselves.
func (s *shelf) doubt(e *edition) {
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

// panicked reports a recovered panic with its stack and returns what to tell the client.
func (s *shelf) panicked(doing string, p any) error {
	s.report(fmt.Errorf("%s: panic: %v\n%s", doing, p, debug.Stack()))
	return fmt.Errorf("%s: internal error: %v", doing, p)
}

// maxRewritten is how often an edition is made again because the store was written meanwhile.
const maxRewritten = 10

// open makes an edition of the store, whose index and graph are of one generation.
func (s *shelf) open(ctx context.Context, dir string, open opener) (*edition, error) {
	for attempt := 1; ; attempt++ {
		e, err := s.openOnce(ctx, dir, open)
		if err != nil {
			return nil, err
		}
		var head store.Head
		if e.graph, head, err = openGraph(ctx, dir); err != nil {
			s.report(e.close())
			return nil, err
		}
		if sameGeneration(&head, &e.head) {
			return e, nil
		}
		if attempt == maxRewritten {
			// The next edition has one.
			s.report(e.graph.close())
			e.graph = &graphFile{err: hint.Wrap(errors.New("the store is being written again and again"), "ask again in a moment")}
			return e, nil
		}
		s.report(e.close())
	}
}

func (s *shelf) openOnce(ctx context.Context, dir string, open opener) (*edition, error) {
	root := s.rootOf(dir)
	e := &edition{shelf: s, dir: dir}
	var err error
	if e.head, err = store.ReadHead(dir); err != nil {
		return nil, err
	}
	if s.opts.Accept != nil {
		if err := s.opts.Accept(root, e.head.Model); err != nil {
			return nil, err
		}
	}
	settings, err := s.settings(dir)
	if err != nil {
		return nil, err
	}
	e.index, err = open(ctx, dir, func(model string) (embed.Embedder, error) {
		if model == "" {
			return nil, nil
		}
		cfg, err := s.opts.Embedding(root)
		if err != nil {
			return nil, err
		}
		if e.embedder, e.noEmbedder = embed.OpenModel(s.ctx, model, cfg); e.noEmbedder != nil {
			// A service that does not answer is tried again and again, and told of once.
			if !embed.IsUnreachable(e.noEmbedder) || !s.unreachable.Swap(true) {
				s.warn("no search by meaning: %s", explain(e.noEmbedder))
			}
			e.embedder = nil
			return nil, nil
		}
		s.unreachable.Store(false)
		return e.embedder, nil
	}, settings)
	if err != nil {
		s.report(e.closeEmbedder())
		return nil, err
	}
	return e, nil
}

// settings are those of search in the store.
func (s *shelf) settings(dir string) (search.Settings, error) {
	if s.opts.Settings == nil {
		return search.Settings{}, nil
	}
	return s.opts.Settings(s.rootOf(dir))
}

// swap makes next, which may be nil, the current edition, and finishes the load that it comes from. At the end it only retires both.
func (s *shelf) swap(next *edition, l *load) {
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
	if next != nil {
		s.loads.ready(s.current != nil && !s.current.makeshift)
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
		s.dispose(e)
	}
}

// dispose closes an edition that was replaced. What the system has to free then are the files of its generation that nobody else has open.
func (s *shelf) dispose(e *edition) {
	ctx := s.courtesy.during(s.ctx)
	e.index.Discard(ctx)
	e.graph.discard(ctx)
	s.report(e.close())
}

func (e *edition) close() error {
	return errors.Join(e.index.Close(), e.graph.close(), e.closeEmbedder())
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
