package mcp

import (
	"os"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"

	"cortex/lib/store"
)

const (
	// quiet is how long a store must be unchanged before it is loaded. After longestRest it is loaded even if it keeps
	// changing.
	quiet       = 500 * time.Millisecond
	longestRest = 2 * time.Second
	// pollInterval is the time between two checks of a store if the system does not report changes. If it does, the
	// time is toldInterval, since network file systems do not report changes by other machines. A check is one stat.
	pollInterval = 500 * time.Millisecond
	toldInterval = 2 * time.Second
)

// watch loads new generations while nobody asks, so that they are ready for the next question.
func (s *indexManager) watch() {
	var events chan fsnotify.Event
	var faults chan error
	watcher, err := fsnotify.NewWatcher()
	if err == nil {
		defer watcher.Close()
		events, faults = watcher.Events, watcher.Errors
	}
	// told reports whether the system reports changes of the folder. It watches the folder again if it was replaced.
	told := func() bool {
		s.mu.Lock()
		dir := s.dir
		s.mu.Unlock()
		return watcher != nil && dir != "" && watcher.Add(dir) == nil
	}
	var r rest
	for {
		wait := pollInterval
		if told() {
			wait = toldInterval
		}
		if due := s.look(&r); due > 0 {
			wait = min(wait, due)
		}
		timer := time.NewTimer(wait)
		select {
		case <-s.ctx.Done():
			timer.Stop()
			return
		case <-timer.C:
		case <-events:
		case <-faults: // too many events, or a broken watcher: the next look checks the store anyway
		}
		timer.Stop()
	}
}

// A rest records how long a store has been unchanged.
type rest struct {
	seen        os.FileInfo
	first, last time.Time
}

// look loads the store if it has changed and is at rest, or if a retry is due. It returns the time until the store may
// be loaded, 0 if nothing has changed.
func (s *indexManager) look(r *rest) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.loading != nil {
		if r.first.IsZero() {
			return 0
		}
		return loadingInterval
	}
	dir := s.dir
	if s.current == nil {
		dir = s.find()
	}
	info, err := os.Stat(filepath.Join(dir, store.ManifestName))
	if err != nil || s.dir == dir && same(s.seen, info) {
		*r = rest{}
		if s.retry.due() {
			s.refresh()
		}
		return 0
	}
	now := time.Now()
	if !same(r.seen, info) {
		r.seen, r.last = info, now
		if r.first.IsZero() {
			r.first = now
		}
	}
	due := r.last.Add(quiet)
	if latest := r.first.Add(longestRest); latest.Before(due) {
		due = latest
	}
	if now.Before(due) {
		return due.Sub(now)
	}
	*r = rest{}
	s.refresh()
	return 0
}

// loadingInterval is the time between two checks whether a load has ended.
const loadingInterval = 20 * time.Millisecond
