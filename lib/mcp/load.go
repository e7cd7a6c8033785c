package mcp

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"cortex/lib/embed/provider"
	"cortex/lib/search"
	"cortex/lib/store"
)

// refresh starts a load if the manifest has changed since the last load began, or if a retry is due. The caller holds
// the lock. refresh costs one stat.
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
		// An open index goes on answering without its store. If there was never a store, the load makes the error for
		// borrow.
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

// load starts loading. The caller holds the lock, and no load is in progress.
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
		if s.slots != nil {
			defer take(s.ctx, s.slots.load)()
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
		told, why := s.told, ""
		if err != nil {
			why = explain(err)
		}
		s.told = why
		if err == nil && s.current != nil && provider.IsUnreachable(s.current.noEmbedder) {
			s.retry.after(s.current.noEmbedder)
		} else {
			s.retry.after(err)
		}
		s.mu.Unlock()
		l.finish(err)
		kept := s.Keeper != nil && (errors.Is(err, fs.ErrNotExist) || errors.Is(err, store.ErrDamagedManifest)) // the keeper makes the index again, or reports why it cannot
		if err != nil && why != told && !kept {
			s.warn("load index: %s", why)
		}
		if old != nil {
			s.giveBack(old)
		}
	}()
}

// replace opens the store and makes it the current index in place of old, which may be nil. It does nothing if the
// store is still of old's generation. The new index is warmed before it replaces old.
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
		// The first index answers questions before it is warmed.
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
		// An error is reported to those who ask the graph. Neither it nor a panic keeps the new index from being used.
		_ = s.protected(func() error {
			_, err := next.graph.get(s.ctx)
			return err
		})
	}
	s.swap(next, l)
	return nil
}

// invalidate drops the open index because files under it were changed. The next load rebuilds the derived files.
func (s *indexManager) invalidate(e *openIndex) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current != e {
		return
	}
	e.retired = true // the caller has borrowed e and gives it back
	s.current = nil
	s.distrusted = true
	if s.loading == nil {
		s.load()
	}
}

// same reports whether a and b describe the same unchanged file.
func same(a, b os.FileInfo) bool {
	return a != nil && b != nil && os.SameFile(a, b) && a.ModTime().Equal(b.ModTime()) && a.Size() == b.Size()
}
