package mcp

import (
	"context"
	"errors"
	"time"

	"cortex/lib/embed/lending"
	"cortex/lib/search"
)

// newIndexManager starts loading at once. The index manager must be closed.
func newIndexManager(ctx context.Context, r Repository, opts Options, embedders *lending.Embedders, answers int, slots *slots) *indexManager {
	s := &indexManager{Repository: r, opts: opts, ctx: ctx, embedders: embedders, answers: answers, slots: slots}
	if r.Database != nil {
		go r.Database.Follow(ctx, func(err error) { s.warn("follow database: %s", explain(err)) })
		return s
	}
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
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if loading.err != nil {
			return nil, loading.err
		}
	}
	s.current.readers++
	return s.current, nil
}

// mostWait is how long a call waits for an index; clients give up after a minute.
const mostWait = 45 * time.Second

// await waits for the index where none was ever made.
func (s *indexManager) await(ctx context.Context, most time.Duration, told func(done, total int)) error {
	s.mu.Lock()
	ready := s.current != nil
	s.mu.Unlock()
	if ready || s.Keeper == nil {
		return nil
	}
	return s.Keeper.Await(ctx, most, told)
}

// maxStale is how often a question is asked again because of an index that turned out to be stale.
const maxStale = 3

// ask asks the newest index that is ready, for which it waits until opening ends.
func (s *indexManager) ask(ctx, opening context.Context, ask func(context.Context, *openIndex) (*finding, error)) (*finding, error) {
	if s.Database != nil {
		return s.askDatabase(ctx, ask)
	}
	for range maxStale {
		e, err := s.borrow(opening)
		if err != nil {
			return nil, err
		}
		found, err := ask(ctx, e)
		stale := search.IsStale(err)
		if stale {
			s.invalidate(e)
		}
		if found != nil && err == nil {
			found.written = func() { s.giveBack(e) }
			return found, nil
		}
		s.giveBack(e)
		if !stale {
			return found, err
		}
	}
	return nil, errors.New("the index is being changed by something else than cortex-store")
}
