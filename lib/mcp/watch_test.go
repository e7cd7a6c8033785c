package mcp

import (
	"testing"

	"cortex/lib/store"
)

// After several commits the store is loaded once: when it has been at rest, or at the latest after longestRest.
func TestLookWaitsForRest(t *testing.T) {
	s := benchManager(t, 20)
	var r rest
	look := func(want bool) {
		t.Helper()
		wait := s.look(&r)
		s.mu.Lock()
		l := s.loading
		s.mu.Unlock()
		if (l != nil) != want || l == nil && (wait <= 0 || wait > quiet) {
			t.Errorf("loading: %v; to wait: %v", l != nil, wait)
		}
		if l != nil {
			<-l.over
			if l.err != nil {
				t.Error(l.err)
			}
		}
	}
	check := func(reloads int) {
		t.Helper()
		m, err := store.ReadManifest(s.dir)
		if err != nil {
			t.Fatal(err)
		}
		if s.current.manifest().Generation != m.Generation || s.loads.Reloads != reloads {
			t.Errorf("generation %d of %d after %d reloads", s.current.manifest().Generation, m.Generation, s.loads.Reloads)
		}
	}
	if wait := s.look(&r); wait != 0 || s.loading != nil {
		t.Errorf("nothing has changed: to wait %v", wait)
	}
	check(0)

	write(t, s.dir, changes(20, 2, 1))
	look(false)
	first := r.first
	write(t, s.dir, changes(20, 2, 2))
	r.last = r.last.Add(-quiet)
	look(false) // it has changed again
	if r.first != first {
		t.Error("the time since the first change is forgotten")
	}
	r.last = r.last.Add(-quiet)
	look(true)
	check(1)

	write(t, s.dir, changes(20, 2, 3))
	look(false)
	r.first = r.first.Add(-longestRest)
	write(t, s.dir, changes(20, 2, 4))
	look(true)
	check(2)
	if wait := s.look(&r); wait != 0 || s.loading != nil {
		t.Errorf("nothing has changed since: to wait %v", wait)
	}
}
