package mcp

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"cortex/lib/hint"
	"cortex/lib/store"
)

const (
	// mostLook bounds the wait for the check for changed files before a question is answered, where it takes longer than mostCatchUp and goes on meanwhile;
	// mostCatchUp any such wait, and that for the index that has the changes.
	mostLook    = 50 * time.Millisecond
	mostCatchUp = 500 * time.Millisecond
	// catchUpStep is the time between two looks for that index.
	catchUpStep = 10 * time.Millisecond
)

// newer is how many files are newer than the store, and whether there was time to look at all, which there is for so long. The error tells why that cannot be known.
func (s *indexManager) newer(ctx context.Context, most time.Duration) (files int, whole bool, err error) {
	g := &s.glances
	g.mu.Lock()
	if g.next == nil {
		g.next = &glance{done: make(chan struct{})}
	}
	mine := g.next
	if !g.running {
		g.running = true
		go g.look(s)
	}
	g.mu.Unlock()
	if g.glance.TakesLonger(mostCatchUp) {
		most = min(most, mostLook)
	}
	select {
	case <-mine.done:
		return mine.newer, mine.whole, mine.err
	case <-time.After(most):
		return 0, false, nil
	case <-ctx.Done():
		return 0, true, nil
	}
}

// look looks until nobody waits for another look.
func (g *glances) look(s *indexManager) {
	for {
		g.mu.Lock()
		now := g.next
		g.next = nil
		g.running = now != nil
		g.mu.Unlock()
		if now == nil {
			return
		}
		now.err = s.protected(func() (err error) {
			if s.slots != nil {
				defer take(s.ctx, s.slots.look)()
			}
			s.mu.Lock()
			dir := s.dir
			s.mu.Unlock()
			now.newer, now.whole, err = g.glance.Look(s.ctx, dir, s.rootOf(dir), s.opts.Sources, mostLook)
			return err
		})
		close(now.done)
	}
}

// opened waits for the first index, and reports whether there is one.
func (s *indexManager) opened(ctx context.Context) bool {
	s.mu.Lock()
	if s.current == nil {
		s.refresh()
	}
	loading := s.loading
	if s.current != nil || loading == nil {
		defer s.mu.Unlock()
		return s.current != nil
	}
	s.mu.Unlock()
	select {
	case <-loading.done:
		return loading.err == nil
	case <-ctx.Done():
		return false
	}
}

// catchUp waits a little for the index that has what the files have now. If it does not come, it says how far the index is behind, else "". It looks
// at files for so long.
func (s *indexManager) catchUp(ctx context.Context, look time.Duration) (behind string) {
	if s.Keeper == nil || s.opts.Sources == nil || !s.opened(ctx) {
		return ""
	}
	until := time.Now().Add(mostCatchUp)
	looked, newer := false, 0
	var unknown error // why newer is not known
	for {
		s.mu.Lock()
		if s.current == nil {
			s.mu.Unlock()
			return "" // closed, or damaged
		}
		s.refresh()
		loading := s.loading
		info, err := os.Stat(filepath.Join(s.dir, store.ManifestName))
		loaded := err != nil || same(s.seen, info)
		s.mu.Unlock()
		if loading == nil && loaded && !looked {
			var whole bool
			switch newer, whole, unknown = s.newer(ctx, look); {
			case unknown != nil:
			case newer == 0 && whole:
				return ""
			case newer == 0:
				return "There was no time to see whether files are newer than the index of this answer."
			}
			looked = true
			s.Keeper.Want()
		}
		wait := time.Until(until)
		if wait <= 0 || looked && !s.Keeper.Active() || ctx.Err() != nil {
			break
		}
		if loading != nil {
			select {
			case <-loading.done:
				looked = false // it has other files than the one that was looked at
			case <-time.After(wait):
			case <-ctx.Done():
			}
			continue
		}
		select {
		case <-time.After(min(wait, catchUpStep)):
		case <-ctx.Done():
		}
	}
	problem := s.Keeper.Problem()
	switch {
	case unknown != nil && problem != nil:
		return fmt.Sprintf("The index cannot be compared with its files: %v.", unknown)
	case newer == 0 && problem == nil:
		return "The index is being updated; this answer may be of files as they were before."
	case newer == 0:
		behind = "This answer may be of files as they were before."
	case newer == 1:
		behind = "1 file is newer than the index of this answer."
	default:
		behind = fmt.Sprintf("%d files are newer than the index of this answer.", newer)
	}
	if problem != nil {
		behind += fmt.Sprintf(" The index cannot be updated: %s.", hint.Text(problem))
	}
	return behind
}
