package mcp

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"cortex/lib/hint"
	"cortex/lib/status"
	"cortex/lib/store"
	"cortex/lib/terminal"
)

const (
	// mostCatchUp bounds the wait before a question is answered: for the check for changed files, and for an index that
	// has the changes. The first check reads the store, so a question waits for it as long as that. If the last check
	// took longer than mostCatchUp, a question waits only mostCheck for the check, which goes on in the background.
	mostCheck   = 50 * time.Millisecond
	mostCatchUp = 500 * time.Millisecond
	// catchUpStep is the time between two checks for a newer index.
	catchUpStep = 10 * time.Millisecond
)

// newerFiles returns the files that are newer than the store. If the check takes longer than most, there are no files
// and Whole is false. The error says why files cannot be compared with the store.
func (s *indexManager) newerFiles(ctx context.Context, most time.Duration) (status.Newest, error) {
	f := &s.freshness
	f.mu.Lock()
	if f.next == nil {
		f.next = &check{done: make(chan struct{})}
	}
	mine := f.next
	if !f.running {
		f.running = true
		go f.run(s)
	}
	f.mu.Unlock()
	select {
	case <-mine.done:
		return mine.newer, mine.err
	case <-time.After(f.patience(most)):
		return status.Newest{}, nil
	case <-ctx.Done():
		return status.Newest{Whole: true}, nil
	}
}

// patience returns how long a question waits for a check that is given the time most.
func (f *freshness) patience(most time.Duration) time.Duration {
	switch {
	case !f.files.TakesLonger(0):
		return mostCatchUp
	case f.files.TakesLonger(mostCatchUp):
		return min(most, mostCheck)
	}
	return most
}

// run checks the files again and again until nobody waits for another check.
func (f *freshness) run(s *indexManager) {
	for {
		f.mu.Lock()
		now := f.next
		f.next = nil
		f.running = now != nil
		f.mu.Unlock()
		if now == nil {
			return
		}
		now.err = s.protected(func() (err error) {
			if s.slots != nil {
				defer take(s.ctx, s.slots.check)()
			}
			s.mu.Lock()
			dir := s.dir
			s.mu.Unlock()
			now.newer, err = f.files.Look(s.ctx, dir, s.rootOf(dir), s.opts.Sources, mostCheck)
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

// catchUp waits up to mostCatchUp for an index that has all changes of the files. If no such index comes, catchUp
// returns a sentence that says so, otherwise "". The check for changed files takes at most
// the time most.
func (s *indexManager) catchUp(ctx context.Context, most time.Duration) (behind string) {
	if s.Keeper == nil || s.opts.Sources == nil || !s.opened(ctx) {
		return ""
	}
	until := time.Now().Add(mostCatchUp)
	checked := false
	var newer status.Newest
	var unknown error // why the files could not be compared
	for {
		s.mu.Lock()
		if s.current == nil {
			s.mu.Unlock()
			return "" // the index is closed or damaged
		}
		s.refresh()
		loading := s.loading
		info, err := os.Stat(filepath.Join(s.dir, store.ManifestName))
		loaded := err != nil || same(s.seen, info)
		s.mu.Unlock()
		if loading == nil && loaded && !checked {
			switch newer, unknown = s.newerFiles(ctx, most); {
			case unknown != nil:
			case newer.Files == 0 && newer.Whole:
				return ""
			case newer.Files == 0:
				return "There was no time to see whether files are newer than the index of this answer."
			}
			checked = true
			s.Keeper.Want()
		}
		wait := time.Until(until)
		if wait <= 0 || checked && !s.Keeper.Active() || ctx.Err() != nil {
			break
		}
		if loading != nil {
			select {
			case <-loading.done:
				checked = false // the new index must be compared with the files again
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
	case errors.Is(unknown, fs.ErrNotExist) && s.isGone():
		return "The folder of this index is gone; this answer is of its files as they were before."
	case unknown != nil && (problem != nil || !errors.Is(unknown, fs.ErrNotExist)):
		return fmt.Sprintf("The index cannot be compared with its files: %s.", hint.Text(unknown))
	case newer.Files == 0 && problem == nil:
		return "The index is being updated; this answer may be of files as they were before."
	case newer.Files == 0:
		behind = "This answer may be of files as they were before."
	default:
		behind = tellNewer(newer)
	}
	if problem != nil {
		behind += fmt.Sprintf(" The index cannot be updated: %s.", hint.Text(problem))
	}
	return behind
}

// isGone reports whether the folder with the files does not exist.
func (s *indexManager) isGone() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, err := os.Stat(s.rootOf(s.dir))
	return errors.Is(err, fs.ErrNotExist)
}

// maxPath bounds a path in the sentence about newer files, in bytes.
const maxPath = 80

// tellNewer returns a sentence with the number of newer files and the names of the first.
func tellNewer(newer status.Newest) string {
	names := make([]string, len(newer.First))
	for i, path := range newer.First {
		names[i] = terminal.Clean(terminal.Short(path, maxPath))
	}
	are := "files are"
	if newer.Files == 1 {
		are = "file is"
	}
	more := ""
	if others := newer.Files - len(names); others > 0 {
		more = fmt.Sprintf(" and %d more", others)
	}
	return fmt.Sprintf("%d %s newer than the index: %s%s.", newer.Files, are, strings.Join(names, ", "), more)
}
