package mcp

import (
	"context"
	"errors"
	"time"

	"cortex/lib/embed/lending"
	"cortex/lib/search"
)

// newIndexManager returns an index manager that starts to load the index at once. The caller must close it.
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

// close retires the index, which is freed when its last reader gives it back. The caller must have cancelled the
// manager's context, which ends a load soon. close waits for the load until leave at the latest.
func (s *indexManager) close(leave time.Time) {
	s.swap(nil, nil)
	s.freshness.files.Close()
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

// borrow returns the newest open index. If there is none, borrow waits for a load, and starts one if the last one
// failed. The caller must give the index back.
func (s *indexManager) borrow(ctx context.Context) (*openIndex, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.current == nil {
		if err := s.ctx.Err(); err != nil {
			return nil, err // the index manager is closed
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

// mostWait is the longest that a call waits for an index. Clients give up after a minute.
const mostWait = 45 * time.Second

// await waits until the keeper has created the index, if no index is open. told receives the progress.
func (s *indexManager) await(ctx context.Context, most time.Duration, told func(done, total int)) error {
	s.mu.Lock()
	ready := s.current != nil
	s.mu.Unlock()
	if ready || s.Keeper == nil {
		return nil
	}
	return s.Keeper.Await(ctx, most, told)
}

// maxStale is how often a question is tried if the index turns out to be stale.
const maxStale = 3

// ask runs ask on the newest open index. It waits for an index until opening ends.
func (s *indexManager) ask(ctx, opening context.Context, ask func(context.Context, *openIndex) (*finding, error)) (*finding, error) {
	if s.Database != nil {
		return s.askDatabase(ctx, ask)
	}
	for range maxStale {
		e, err := s.borrow(opening)
		if err != nil {
			return nil, err
		}
		stale := false
		found, err := lent(func() { s.giveBack(e) }, func() (*finding, error) {
			found, err := ask(ctx, e)
			if stale = search.IsStale(err); stale {
				s.invalidate(e)
			}
			return found, err
		})
		if !stale {
			return found, err
		}
	}
	return nil, errors.New("the index is being changed by something else than cortex-store")
}

// lent asks what was borrowed for one question. The finding takes over the loan and ends it once it is written. Without
// a finding, and if ask panics, lent ends the loan.
func lent(end func(), ask func() (*finding, error)) (found *finding, err error) {
	kept := false
	defer func() {
		if !kept {
			end()
		}
	}()
	if found, err = ask(); err == nil && found != nil {
		found.written, kept = end, true
	}
	return found, err
}
