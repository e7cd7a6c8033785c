package parse

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"time"

	"cortex/lib/parallel"
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

// A sending is the state of a file that was written to the stream, with the time.
type sending struct {
	state string
	at    time.Time
}

// States of files other than the digest of their content.
const (
	stateGone    = "gone"
	stateSkipped = "skipped: " // the reason follows
)

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

// A task is one file of a run.
type task struct {
	entry source.Entry
	// known is the file's record in the store, nil if it has none.
	known *record.File
	// state is the present state of the file: its digest, stateGone, or stateSkipped with the reason; "" if it is
	// unknown.
	state  string
	action action
}

// action is how a run treats a file.
type action int8

const (
	parseIt action = iota // parse the file and write its record
	keepIt                // write nothing: the store has this state of the file
	awaitIt               // write nothing: this state was sent and the store is about to have it
)

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
		}
	}
	if err := u.send(ctx, w, &r); err != nil {
		return outcome{}, err
	}
	o.written = true
	u.save(whole)
	return o, nil
}

// isChange reports whether a task requires a run. An unreadable file does not if the store has it: the store keeps it.
func isChange(t task) bool {
	return t.action == parseIt && !(t.known != nil && t.known.Status.Indexed() && strings.HasPrefix(t.state, stateSkipped+source.Unreadable))
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

// tasks returns a task for each entry, and for each file that the store has or was sent and the tree no longer has,
// sorted by path. The entries must be sorted by path. If whole is not set, only files below u.Dirs can be gone.
func (u *Update) tasks(entries []source.Entry, known map[string]*record.File, whole bool) []task {
	tasks := make([]task, 0, len(entries))
	locked := map[string]bool{}
	missing := len(known)
	for _, e := range entries {
		if source.Reason(e.Skip) == source.Unreadable {
			locked[e.Path] = true
		}
		f := known[e.Path]
		if f != nil {
			missing--
		}
		tasks = append(tasks, task{entry: e, known: f})
	}
	isGone := func(path string) bool {
		_, listed := slices.BinarySearchFunc(entries, path, func(e source.Entry, path string) int { return strings.Compare(e.Path, path) })
		return !listed && !isInside(path, locked) &&
			(whole || slices.ContainsFunc(u.Dirs, func(dir string) bool { return isBelow(path, dir) }))
	}
	if missing > 0 {
		for path, f := range known {
			if isGone(path) {
				tasks = append(tasks, task{entry: source.Entry{Path: path, Deleted: true}, known: f})
			}
		}
	}
	for path, s := range u.sent {
		switch {
		case known[path] != nil || !isGone(path):
		case s.state == stateGone:
			if !u.isFresh(s.at) {
				delete(u.sent, path)
			}
		default:
			tasks = append(tasks, task{entry: source.Entry{Path: path, Deleted: true}})
		}
	}
	if len(tasks) > len(entries) {
		slices.SortFunc(tasks, func(a, b task) int { return strings.Compare(a.entry.Path, b.entry.Path) })
	}
	return tasks
}

// isInside reports whether the path is below one of the folders.
func isInside(path string, folders map[string]bool) bool {
	for i := range len(path) {
		if path[i] == '/' && folders[path[:i]] {
			return true
		}
	}
	return false
}

// look sets the state and the action of each task. It reads only files whose state is not in the cache.
func (u *Update) look(ctx context.Context, tasks []task) error {
	var unknown []*task
	for i := range tasks {
		t := &tasks[i]
		if !u.recall(t) {
			unknown = append(unknown, t)
		}
	}
	next := func() (*task, error) {
		if len(unknown) == 0 {
			return nil, io.EOF
		}
		t := unknown[0]
		unknown = unknown[1:]
		return t, nil
	}
	work := func(_ context.Context, t *task) (*task, error) { return t, u.read(t) }
	if err := parallel.Map(ctx, u.Jobs, next, work, func(*task) error { return nil }); err != nil {
		return err
	}
	for i := range tasks {
		u.decide(&tasks[i])
	}
	return nil
}

// recall sets the state of a file without reading it. It reports false if the file must be read.
func (u *Update) recall(t *task) bool {
	switch {
	case t.entry.Deleted:
		t.state = stateGone
		return true
	case t.entry.Skip != "":
		t.state = stateSkipped + t.entry.Skip
		return true
	}
	seen, ok := u.cache.Get(t.entry)
	if ok {
		t.set(seen)
	}
	return ok
}

func (t *task) set(seen source.Seen) {
	if t.state = seen.Digest; seen.Skip != "" {
		t.state = stateSkipped + seen.Skip
	}
}

// read sets the state of a file by reading it, and adds it to the cache.
func (u *Update) read(t *task) error {
	data, _, skip, stat, err := u.tree.ReadStat(t.entry, u.Source.MaxSize)
	if errors.Is(err, fs.ErrNotExist) {
		t.state = stateGone
		return nil
	}
	if err != nil {
		return err
	}
	seen := source.Seen{Skip: skip}
	if skip == "" {
		sum := sha256.Sum256(data)
		seen.Digest = hex.EncodeToString(sum[:])
	}
	u.cache.Put(t.entry.Path, stat, seen)
	t.set(seen)
	return nil
}

// decide compares the state with what the store has and was sent.
func (u *Update) decide(t *task) {
	stored := stateGone
	switch {
	case t.known == nil:
	case t.known.Status.Indexed():
		stored = t.known.SHA256
	default:
		stored = stateSkipped + t.known.Reason
	}
	s, isSent := u.sent[t.entry.Path]
	if isSent && s.state == stored {
		delete(u.sent, t.entry.Path)
		isSent = false
	}
	switch {
	case t.state == stored && !isSent && !t.isResized():
		t.action = keepIt
	case isSent && s.state == t.state && stored != "" && u.isFresh(s.at):
		t.action = awaitIt
	}
}

// isResized reports whether a skipped file has another size than in the store.
func (t *task) isResized() bool {
	return t.known != nil && t.known.Status == record.StatusSkipped && !t.entry.Deleted && t.known.Size != t.entry.Size
}

// isFresh reports whether records written at that time may still be on their way to the store.
func (u *Update) isFresh(at time.Time) bool { return !at.IsZero() && time.Since(at) < u.patience }

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

// state returns the state of the file as a task has it.
func (r *result) state() string {
	switch r.status {
	case record.StatusDeleted:
		return stateGone
	case record.StatusSkipped:
		return stateSkipped + r.reason
	}
	return r.sha256
}

// Watch writes a run, then an incremental run whenever files have changed, until ctx is done or the stream is closed.
// also is a file of the store that each commit replaces: it shows when the store has taken a run. If poll is set, Watch
// polls the tree instead of using file system events.
func (u *Update) Watch(ctx context.Context, w *jsonl.Writer, also string, poll bool) error {
	if err := u.open(); err != nil {
		return err
	}
	defer u.tree.Close()
	u.openCache()
	watcher, err := source.NewWatcher(source.WatchOptions{Options: u.Source, Also: []string{also}, Poll: poll, Warn: u.Warn})
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
