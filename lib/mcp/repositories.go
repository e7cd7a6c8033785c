package mcp

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"cortex/lib/embed/lending"
	"cortex/lib/mcp/stdio"
	"cortex/lib/request"
	"cortex/lib/search"
	"cortex/lib/search/answer"
	"cortex/lib/store"
)

// repositories holds an index manager for each served repository. The index of a single repository is opened at once
// and stays open. With several repositories, an index is opened at its first question, and closed when nobody has asked
// for maxIdle.
type repositories struct {
	opts      Options
	embedders *lending.Embedders
	// ctx ends all loading and keeping; nil before start.
	ctx     context.Context
	keeping sync.WaitGroup
	served  []*served
	// names are the names of the repositories, and slots bounds concurrent work for them; both are nil if there is one
	// repository.
	names []string
	slots *slots
}

// A served is a repository that is served, and its index manager if that is open.
type served struct {
	Repository
	repositories *repositories

	mu      sync.Mutex
	manager *indexManager // nil while it is closed
	stop    context.CancelFunc
	// readers counts the users of the index manager. idle closes the index manager when it had no readers for maxIdle.
	readers int
	idle    *time.Timer
}

const (
	// maxIdle is how long an index stays open without questions if several are served.
	maxIdle = 15 * time.Minute
	// maxCheckAll bounds the check for changed files before a question to several repositories.
	maxCheckAll = 150 * time.Millisecond
)

// newRepositories returns the repositories of opts, all closed.
func newRepositories(opts Options) *repositories {
	l := &repositories{opts: opts, embedders: lending.New()}
	for _, r := range opts.Repositories {
		l.served = append(l.served, &served{Repository: r, repositories: l})
		if len(opts.Repositories) > 1 {
			l.names = append(l.names, r.Name)
			l.slots = &slots{make(chan struct{}, runtime.GOMAXPROCS(0)), make(chan struct{}, runtime.GOMAXPROCS(0))}
		}
	}
	return l
}

// start begins to keep the indexes up to date, and opens the index if there is only one repository. The caller must
// call close.
func (l *repositories) start(ctx context.Context) {
	l.ctx, l.embedders.Context = ctx, ctx
	if l.opts.Keep != nil {
		l.keeping.Go(func() { l.opts.Keep(ctx) })
	}
	if len(l.served) == 1 {
		l.served[0].open()
	}
}

// close closes all indexes. The context of start must have ended; see indexManager.close.
func (l *repositories) close(leave time.Time) {
	defer l.keeping.Wait()
	var closing sync.WaitGroup
	for _, p := range l.served {
		closing.Go(func() {
			p.mu.Lock()
			s := p.manager
			p.manager = nil
			if p.idle != nil {
				p.idle.Stop()
			}
			p.mu.Unlock()
			if s != nil {
				p.stop()
				s.close(leave)
			}
		})
	}
	closing.Wait()
}

// open returns the index manager and opens it if necessary. It stays open until leave is called.
func (p *served) open() (s *indexManager, leave func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.manager == nil {
		ctx, stop := context.WithCancel(p.repositories.ctx)
		p.stop = stop
		p.manager = newIndexManager(ctx, p.Repository, p.repositories.opts, p.repositories.embedders, search.DefaultAnswers/len(p.repositories.served), p.repositories.slots)
	}
	if p.idle != nil {
		p.idle.Stop()
	}
	p.readers++
	return p.manager, sync.OnceFunc(p.leave)
}

func (p *served) leave() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.readers--; p.readers == 0 && p.manager != nil {
		p.idle = time.AfterFunc(maxIdle, p.closeIdle)
	}
}

// closeIdle closes the index manager unless it has readers.
func (p *served) closeIdle() {
	p.mu.Lock()
	s, stop := p.manager, p.stop
	if p.readers > 0 || s == nil {
		p.mu.Unlock()
		return
	}
	p.manager = nil
	p.mu.Unlock()
	stop()
	s.close(time.Now().Add(stdio.CloseTimeout))
}

// at returns the index manager if it is open, nil otherwise.
func (p *served) at() *indexManager {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.manager
}

// exists reports whether the repository has an index.
func (p *served) exists() bool {
	dir := p.Store
	if dir == "" {
		dir = filepath.Join(p.Root(), store.Dir)
	}
	_, err := os.Stat(filepath.Join(dir, store.ManifestName))
	return err == nil
}

// named returns the repositories with these names, all if there are no names.
func (l *repositories) named(names []string) []*served {
	var chosen []*served
	for i, p := range l.served {
		if len(names) == 0 || slices.Contains(names, l.names[i]) {
			chosen = append(chosen, p)
		}
	}
	return chosen
}

// failed is a repository that could not be searched, and the reason.
type failed struct {
	repository string
	err        error
}

// ask asks the repositories, and returns what was found and which of them failed. It returns an error if all fail.
func (l *repositories) ask(ctx context.Context, asked []*served, ask func(context.Context, *openIndex) (*finding, error)) (found []*finding, not []failed, err error) {
	if len(asked) == 1 {
		one, err := asked[0].ask(ctx, ask)
		if err != nil {
			return nil, nil, err
		}
		return []*finding{one}, nil, nil
	}
	all := make([]*finding, len(asked))
	errs := make([]error, len(asked))
	l.askAll(ctx, asked, ask, all, errs)
	for i, p := range asked {
		if errs[i] != nil {
			not = append(not, failed{p.Name, errs[i]})
			continue
		}
		found = append(found, all[i])
	}
	if len(found) > 0 {
		// A path that is absolute lies in only one repository. A line of code that is no query may occur in only one.
		not = slices.DeleteFunc(not, func(f failed) bool {
			return errors.As(f.err, new(*request.Outside)) || errors.As(f.err, new(*search.QueryError))
		})
		return found, not, nil
	}
	for _, f := range not[1:] {
		if f.err.Error() != not[0].err.Error() {
			return nil, nil, errors.New(unsearched(not))
		}
	}
	return nil, nil, not[0].err
}

// askAll asks several repositories at once. Checks of files and waiting run for all of them at the same time, searches
// only one per processor.
func (l *repositories) askAll(ctx context.Context, asked []*served, ask func(context.Context, *openIndex) (*finding, error), all []*finding, errs []error) {
	anyExists := slices.ContainsFunc(asked, (*served).exists)
	patience := mostWait
	if anyExists {
		patience = mostCatchUp // the repositories with an index answer meanwhile
	}
	told := progressOfAll(ctx)
	processors := make(chan struct{}, runtime.GOMAXPROCS(0))
	var asking sync.WaitGroup
	for i, p := range asked {
		asking.Go(func() {
			defer func() {
				if v := recover(); v != nil {
					errs[i] = panicked(l.opts.Report, "search "+p.Name, v)
				}
			}()
			s, leave := p.open()
			defer leave()
			if errs[i] = s.await(ctx, patience, told(i)); errs[i] != nil {
				return
			}
			behind := s.catchUp(ctx, maxCheckAll)
			defer take(ctx, processors)()
			if all[i], errs[i] = s.ask(ctx, ctx, ask); errs[i] == nil {
				all[i].behind = behind
				p.sign(all[i], s)
			}
		})
	}
	asking.Wait()
}

// ask asks this repository alone.
func (p *served) ask(ctx context.Context, ask func(context.Context, *openIndex) (*finding, error)) (*finding, error) {
	s, leave := p.open()
	defer leave()
	if p.Keeper != nil {
		p.Keeper.Want() // a client that asks for one repository works in it
	}
	err := s.await(ctx, mostWait, func(done, total int) { progress(ctx, done, total) })
	if err != nil {
		return nil, err
	}
	behind := s.catchUp(ctx, mostCatchUp)
	found, err := s.ask(ctx, ctx, ask)
	if err != nil {
		return nil, err
	}
	found.behind = behind
	if p.repositories.names != nil {
		p.sign(found, s)
	}
	return found, nil
}

// sign records the repository's name and root in the finding.
func (p *served) sign(found *finding, s *indexManager) {
	s.mu.Lock()
	dir := s.dir
	s.mu.Unlock()
	found.repository, found.root = p.Name, s.rootOf(dir)
	if full, err := filepath.Abs(found.root); err == nil {
		found.root = full
	}
}

// unsearched lists the repositories that were not searched, with the reasons.
func unsearched(not []failed) string {
	var reasons answer.Messages
	for _, f := range not {
		reasons.Add(explain(f.err), f.repository)
	}
	const most = 8
	var lines []string
	for _, reason := range reasons[:min(len(reasons), most)] {
		lines = append(lines, "not searched: "+answer.Few(reason.From)+": "+reason.Text)
	}
	if more := len(reasons) - most; more > 0 {
		lines = append(lines, fmt.Sprintf("not searched: %d more", more))
	}
	return strings.Join(lines, "\n")
}

// notesOf returns remarks for the client: which indexes are older than their files, and which repositories were not
// searched.
func notesOf(found []*finding, not []failed) string {
	var behind answer.Messages
	for _, f := range found {
		if f.behind != "" {
			behind.Add(f.behind, f.repository)
		}
	}
	var lines []string
	for _, m := range behind {
		line := m.Text
		if len(found) > 1 {
			line = answer.Few(m.From) + ": " + line
		}
		lines = append(lines, line)
	}
	if len(not) > 0 {
		lines = append(lines, unsearched(not))
	}
	return strings.Join(lines, "\n")
}
