package parse

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"sync"
	"time"

	"cortex/lib/record"
	"cortex/lib/record/jsonl"
	"cortex/lib/source"
)

// An Update writes incremental runs: records of files that differ from the store, deleted records for files that are
// gone, nothing for unchanged files. If there is no store, or its settings differ, it writes a full run.
type Update struct {
	Options
	// Indexed returns the content of the store: its begin record with the settings, and its file records by path. It
	// returns an error that wraps fs.ErrNotExist if there is no store. If thorough is set, it also checks the store for
	// damage.
	Indexed func(ctx context.Context, thorough bool) (*record.Begin, map[string]*record.File, error)
	// Store is the folder of the store, among whose derived files the cache of stat results is; "" for no cache.
	Store string
	// Also are further files whose changes wake Watch.
	Also []string
	// Warn, if not nil, is called with warnings for the user.
	Warn func(format string, args ...any)

	cache *source.Cache
	tree  *source.Folder
	// sent has, by path, the states that Watch has written and the store does not have yet. fullSent is the time at
	// which it wrote a full run.
	sent     map[string]sending
	fullSent time.Time
	// patience is how long Watch waits for the store to take a run before it writes the run again; 0 in Run.
	patience time.Duration
}

// Run writes one run.
func (u *Update) Run(ctx context.Context, w *jsonl.Writer) error {
	// Read the store and the cache while walking the tree.
	var store *indexed
	var asking sync.WaitGroup
	defer asking.Wait()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	asking.Go(func() { store = u.ask(ctx, true) })
	if err := u.open(); err != nil {
		return err
	}
	defer u.tree.Close()
	asking.Go(u.openCache)
	started := time.Now()
	whole := u.Paths == nil && u.Dirs == nil || u.Mode == record.Full
	entries, err := find(ctx, &u.Options)
	if err != nil {
		return err
	}
	asking.Wait()
	_, err = u.write(ctx, w, entries, started, runOptions{whole: whole, always: true, indexed: store})
	return err
}

// indexed has the results of Update.Indexed.
type indexed struct {
	begin *record.Begin
	files map[string]*record.File
	err   error
}

func (u *Update) ask(ctx context.Context, thorough bool) *indexed {
	var i indexed
	i.begin, i.files, i.err = u.Indexed(ctx, thorough)
	return &i
}

// open checks the options, sets defaults and opens the tree.
func (u *Update) open() error {
	if err := u.complete(); err != nil {
		return err
	}
	if u.Warn == nil {
		u.Warn = func(string, ...any) {}
	}
	u.sent = map[string]sending{}
	var err error
	u.tree, err = source.OpenFolder(u.Source.Root)
	return err
}

func (u *Update) openCache() {
	u.cache = source.OpenCache(u.Store, source.CacheName(u.Tree), fingerprint(u.Source))
}

// An outcome is the result of write.
type outcome struct {
	// written is set if a run was written, waiting if the store does not have all files yet that were sent before.
	written, waiting bool
}

// runOptions configure one run.
type runOptions struct {
	// whole is set if the entries are all files of the tree.
	whole bool
	// always is set if a run is written even without changes.
	always bool
	// indexed is the content of the store, nil if write has to ask for it, with thorough as an argument.
	indexed  *indexed
	thorough bool
}

// write writes a run over the entries. started is the time before they were listed.
func (u *Update) write(ctx context.Context, w *jsonl.Writer, entries []source.Entry, started time.Time, now runOptions) (outcome, error) {
	whole := now.whole
	u.cache.Start(started)
	if now.indexed == nil {
		now.indexed = u.ask(ctx, now.thorough)
	}
	known, full, err := u.known(now.indexed)
	if err != nil {
		return outcome{}, err
	}
	switch {
	case !full:
		u.fullSent = time.Time{} // the store has taken the full run
	case whole && u.isFresh(u.fullSent):
		full, known = false, map[string]*record.File{}
	default:
		clear(u.sent) // the store is gone, and with it all that was sent
	}
	tasks := u.tasks(entries, known, whole)
	if !full {
		if err := u.look(ctx, tasks); err != nil {
			return outcome{}, err
		}
	}
	o := outcome{waiting: slices.ContainsFunc(tasks, func(t task) bool { return t.action == awaitIt })}
	if !now.always && !full && !slices.ContainsFunc(tasks, isChange) {
		u.save(whole)
		return o, nil
	}
	r := run{opts: &u.Options, tree: u.tree, mode: record.Incremental, cache: u.cache}
	if full && whole {
		r.mode = record.Full
	}
	for _, t := range tasks {
		switch {
		case t.action == parseIt:
			r.entries = append(r.entries, t.entry)
		case t.action == keepIt && t.state != stateGone:
			r.unchanged++
			r.kept = append(r.kept, t.known)
		}
	}
	if err := u.send(ctx, w, &r); err != nil {
		return outcome{}, err
	}
	o.written = true
	u.save(whole)
	return o, nil
}

func (u *Update) save(whole bool) {
	if err := u.cache.Save(whole); err != nil {
		u.Warn("%v; the next run reads all files", err)
	}
}

// known returns the files of the store. full is set if there is no store or its settings differ, so that all files must
// be written.
func (u *Update) known(has *indexed) (files map[string]*record.File, full bool, err error) {
	switch {
	case errors.Is(has.err, fs.ErrNotExist):
		return nil, true, nil
	case has.err != nil:
		return nil, false, has.err
	}
	for stage, now := range u.settings() {
		if has.begin.Settings[stage] != now {
			if !u.isFresh(u.fullSent) {
				u.Warn("the index was made with other settings or by another version: everything is indexed again")
			}
			return nil, true, nil
		}
	}
	return has.files, false, nil
}

// send writes the run. In a watch, it notes which states the store is about to have.
func (u *Update) send(ctx context.Context, w *jsonl.Writer, r *run) error {
	if len(r.entries) > 0 {
		jsonl.Warm(nil, []record.Record{&record.File{}})
	}
	states := map[string]string{}
	if u.patience > 0 {
		r.written = func(f *result) { states[f.path] = f.state() }
	}
	if err := r.write(ctx, w); err != nil {
		return err
	}
	now := time.Now()
	for path, state := range states {
		u.sent[path] = sending{state, now}
	}
	if r.mode == record.Full {
		u.fullSent = now
	}
	return nil
}
