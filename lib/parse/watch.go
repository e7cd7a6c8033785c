package parse

import (
	"context"
	"time"

	"cortex/lib/record/jsonl"
	"cortex/lib/source"
)

// Watch writes a run, then an incremental run whenever files have changed, until ctx is done or the stream is closed.
// also is a file of the store that each commit replaces: it shows when the store has taken a run. If poll is set, Watch
// polls the tree instead of using file system events.
func (u *Update) Watch(ctx context.Context, w *jsonl.Writer, also string, poll bool) error {
	if err := u.open(); err != nil {
		return err
	}
	defer u.tree.Close()
	u.openCache()
	watcher, err := source.NewWatcher(source.WatchOptions{Options: u.Source, Also: append([]string{also}, u.Also...), Poll: poll, Warn: u.Warn})
	if err != nil {
		return err
	}
	defer watcher.Close()
	u.patience = shortestPatience
	for now := (runOptions{whole: true, always: true, thorough: true}); ; {
		started := time.Now()
		entries, err := watcher.Walk(ctx)
		if err != nil {
			return err
		}
		o, err := u.write(ctx, w, entries, started, now)
		if err != nil {
			return err
		}
		now = runOptions{whole: true}
		var deadline time.Time
		if o.written || o.waiting {
			deadline = time.Now().Add(u.patience)
		}
		change, err := watcher.Wait(ctx, deadline)
		if err != nil {
			return err
		}
		switch {
		case !o.written && !o.waiting:
			u.patience = shortestPatience
		case change == source.Change{}:
			// The store did not take the run in time. It may be damaged, or broken for long.
			now.thorough = true
			u.Warn("%s does not have the last run: writing it again", also)
			u.patience = min(2*u.patience, longestPatience)
		}
	}
}

const (
	// shortestPatience is far longer than the pipeline takes for the records in its pipes.
	shortestPatience = time.Minute
	longestPatience  = 15 * time.Minute
)

// A sending is the state of a file that was written to the stream, with the time.
type sending struct {
	state string
	at    time.Time
}

// isFresh reports whether records written at that time may still be on their way to the store.
func (u *Update) isFresh(at time.Time) bool { return !at.IsZero() && time.Since(at) < u.patience }
