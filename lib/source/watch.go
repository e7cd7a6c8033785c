package source

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"
)

// WatchOptions say what a Watcher watches.
type WatchOptions struct {
	Options
	// Also are the paths of further files whose changes count, such as the manifest of a store. The paths need not be
	// in the tree.
	Also []string
	// Poll makes the Watcher look at the tree at intervals instead of relying on events.
	Poll bool
	// Warn receives messages for the user that are not errors.
	Warn func(format string, args ...any)
}

// A Watcher walks a tree and waits until it changes. Use it from one goroutine.
//
// The Watcher watches every folder that the last walk entered. Events of ignored files do not count, those of ignore
// files do. If the system cannot watch that many folders, the Watcher warns once and polls instead.
type Watcher struct {
	opts WatchOptions
	root string // absolute, links resolved
	// also are the files of WatchOptions.Also: sets of names by the absolute path of their folder.
	also map[string]map[string]bool
	// gitLock is the path of git's index.lock, which exists while git changes the worktree; "" outside of one.
	gitLock string

	events *fsnotify.Watcher // nil when polling
	// watched are the folders being watched, by absolute path.
	watched map[string]bool
	walked  time.Duration // duration of the last walk
	ended   chan struct{} // closed when note has ended

	mu sync.Mutex
	// scopes are the scopes of the folders of the last walk, by path.
	scopes map[string]*scope
	globs  globs
	rest   rest
	// during are the events during the current walk, by name; nil if there is none. After the walk they are checked
	// again, since the walk may have read ignore files that make them count.
	during map[string]fsnotify.Op
	broken error
	wake   chan struct{}
}

// NewWatcher returns a Watcher. Watching begins with its first Walk.
func NewWatcher(opts WatchOptions) (*Watcher, error) {
	if opts.Warn == nil {
		opts.Warn = func(string, ...any) {}
	}
	g, err := newGlobs(opts.Options)
	if err != nil {
		return nil, err
	}
	root, err := resolve(opts.Root)
	if err != nil {
		return nil, treeError(opts.Root, err)
	}
	w := &Watcher{opts: opts, root: root, globs: g, also: map[string]map[string]bool{}, watched: map[string]bool{}, wake: make(chan struct{}, 1)}
	for _, file := range opts.Also {
		if err := w.addAlso(file); err != nil {
			return nil, err
		}
	}
	w.findRepository()
	if opts.Poll {
		return w, nil
	}
	if w.events, err = fsnotify.NewWatcher(); err != nil {
		w.poll(err)
		return w, nil
	}
	w.ended = make(chan struct{})
	go w.note(w.events, w.ended)
	return w, nil
}

func resolve(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(path)
}

func (w *Watcher) addAlso(file string) error {
	path, err := filepath.Abs(file)
	if err != nil {
		return err
	}
	dir, name := filepath.Split(path)
	dir = filepath.Clean(dir)
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	} else if real, err := filepath.EvalSymlinks(filepath.Dir(dir)); err == nil {
		// The folder may be created later.
		dir = filepath.Join(real, filepath.Base(dir))
	}
	if w.also[dir] == nil {
		w.also[dir] = map[string]bool{}
	}
	w.also[dir][name] = true
	return nil
}

// findRepository adds the files outside of the tree that decide what is ignored: git's info/exclude and the ignore
// files above the root.
func (w *Watcher) findRepository() {
	top, ok := findTop(w.root)
	if !ok {
		return
	}
	if git, common, err := gitFolders(top); err == nil {
		w.gitLock = filepath.Join(git.Name(), "index.lock")
		_ = w.addAlso(filepath.Join(common.Name(), "info", "exclude"))
		git.Close()
		common.Close()
	}
	for dir := w.root; dir != top; {
		dir = filepath.Dir(dir)
		for _, name := range ignoreNames {
			_ = w.addAlso(filepath.Join(dir, name))
		}
	}
}

// Close ends watching.
func (w *Watcher) Close() error {
	if w.events == nil {
		return nil
	}
	err := w.events.Close()
	<-w.ended
	w.events = nil
	return err
}

// poll switches from events to polling, and warns.
func (w *Watcher) poll(cause error) {
	why := "the system's limit on watched folders is reached"
	switch {
	case errors.Is(cause, syscall.EMFILE) || errors.Is(cause, syscall.ENFILE):
		why = "the system's limit on watchers is reached"
	case !errors.Is(cause, syscall.ENOSPC):
		why = cause.Error()
	}
	w.opts.Warn("cannot watch %s: %s: looking for changes every few seconds instead", w.opts.Root, why)
	w.Close()
}

// Walk walks the watched tree as the function Walk does. Wait then reports changes since the start of this Walk.
func (w *Watcher) Walk(ctx context.Context) ([]Entry, error) {
	start := time.Now()
	w.mu.Lock()
	w.rest, w.during = rest{}, map[string]fsnotify.Op{}
	w.mu.Unlock()
	defer func() {
		w.mu.Lock()
		w.during = nil
		w.mu.Unlock()
	}()
	for dir := range w.also {
		w.watch(dir)
	}
	scopes := map[string]*scope{}
	seen := map[string]bool{}
	for dir := range w.also {
		seen[dir] = true
	}
	entries, err := walkTree(ctx, w.opts.Options, visitor{
		before: func(path string) {
			dir := filepath.Join(w.root, filepath.FromSlash(path))
			seen[dir] = true
			w.watch(dir)
		},
		after: func(path string, in *scope) { scopes[path] = in },
	})
	if err == nil && !w.isInPlace() {
		err = treeError(w.opts.Root, errMoved)
	}
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	during := w.during
	w.scopes, w.during = scopes, nil
	w.mu.Unlock()
	for name, op := range during {
		w.take(fsnotify.Event{Name: name, Op: op})
	}
	w.forget(seen)
	w.walked = time.Since(start)
	return entries, nil
}

var errMoved = errors.New("it was moved, or another folder was put in its place")

// isInPlace reports whether the watched path still is the root folder: if the root is the working folder, it may have
// been moved away.
func (w *Watcher) isInPlace() bool {
	read, err := os.Stat(w.opts.Root)
	if err != nil {
		return false
	}
	named, err := os.Stat(w.root)
	return err == nil && os.SameFile(read, named)
}

// forget stops watching the folders that are not in seen.
func (w *Watcher) forget(seen map[string]bool) {
	removed := false
	for dir := range w.watched {
		if !seen[dir] {
			delete(w.watched, dir)
			// Remove fails if the folder was deleted, which also ended its watch.
			removed = w.events != nil && w.events.Remove(dir) == nil || removed
		}
	}
	if !removed {
		return
	}
	// A folder has a single watch under all its names. If a folder was renamed, Remove has ended the watch under its
	// new name too, so add all folders again.
	for dir := range seen {
		w.watch(dir)
	}
	w.mu.Lock()
	w.rest.note(time.Now(), true)
	w.mu.Unlock()
}

// watch starts watching a folder. It adds a folder that is already watched again, since a new folder may have the same
// name.
func (w *Watcher) watch(dir string) {
	if w.events == nil {
		return
	}
	err := w.events.Add(dir)
	switch {
	case err == nil:
		w.watched[dir] = true
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.ENOTDIR):
	default:
		w.poll(err)
	}
}

// note handles events until the watcher is closed.
func (w *Watcher) note(events *fsnotify.Watcher, ended chan struct{}) {
	defer close(ended)
	for {
		select {
		case e, ok := <-events.Events:
			if !ok {
				return
			}
			w.take(e)
		case err, ok := <-events.Errors:
			if !ok {
				return
			}
			if errors.Is(err, fsnotify.ErrEventOverflow) {
				err = nil
			}
			w.changed(true, err)
		}
	}
}

// take handles an event, and ignores it if it does not count.
func (w *Watcher) take(e fsnotify.Event) {
	w.mu.Lock()
	if w.during != nil {
		w.during[e.Name] |= e.Op
	}
	w.mu.Unlock()
	if tree, also := w.counts(e); tree || also {
		w.changed(tree, nil)
	}
}

// changed records a change: of the tree, or of a file in WatchOptions.Also. broken, if not nil, is the error that ended
// the events.
func (w *Watcher) changed(tree bool, broken error) {
	w.mu.Lock()
	w.rest.note(time.Now(), tree)
	if w.broken == nil {
		w.broken = broken
	}
	w.mu.Unlock()
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// counts reports whether an event concerns the tree, or a file in WatchOptions.Also.
func (w *Watcher) counts(e fsnotify.Event) (tree, also bool) {
	if e.Name == "" {
		return false, false
	}
	folder, name := filepath.Split(e.Name)
	folder = filepath.Clean(folder)
	if w.also[folder][name] || w.also[e.Name] != nil && e.Has(fsnotify.Create) {
		return false, true
	}
	path, err := filepath.Rel(w.root, e.Name)
	if err != nil || !filepath.IsLocal(path) {
		return false, false
	}
	if path == "." {
		return true, false
	}
	path = filepath.ToSlash(path)
	w.mu.Lock()
	defer w.mu.Unlock()
	in := w.scopes[strings.TrimSuffix(strings.TrimSuffix(path, name), "/")]
	switch {
	case never(name, true):
		return false, false
	case in == nil:
		return w.also[folder] == nil, false
	case slices.Contains(ignoreNames[:], name):
		return true, false
	case w.scopes[path] != nil:
		return true, false
	}
	info, err := os.Lstat(e.Name)
	dir := err == nil && info.IsDir()
	return !in.excludes(name, dir) && !w.globs.ignores(path) && (dir || w.globs.wants(path)), false
}

// A Change is the result of Wait.
type Change struct {
	// Tree says that the tree may have changed, Also that a file in WatchOptions.Also has. Neither is set if the
	// deadline has passed.
	Tree, Also bool
}

// Wait blocks until something has changed since the start of the last Walk and no further change follows for a moment,
// or until the deadline, if it is not zero. Waiting lets editors finish replacing files, and git finish a checkout.
func (w *Watcher) Wait(ctx context.Context, deadline time.Time) (Change, error) {
	for {
		w.mu.Lock()
		r, broken := w.rest, w.broken
		w.mu.Unlock()
		if broken != nil && w.events != nil {
			w.poll(broken)
		}
		now := time.Now()
		wait, due := r.due(now, w.lockedSince())
		if due {
			return Change{Tree: r.tree, Also: r.also}, nil
		}
		if wait == 0 && w.events == nil {
			// Polling must leave time between slow walks.
			wait = max(pollInterval, pollFactor*w.walked)
		}
		var timer <-chan time.Time
		atDeadline := false
		if !deadline.IsZero() && (wait == 0 || deadline.Before(now.Add(wait))) {
			wait, atDeadline = max(deadline.Sub(now), 1), true
		}
		if wait > 0 {
			timer = time.After(wait)
		}
		select {
		case <-ctx.Done():
			return Change{}, ctx.Err()
		case <-w.wake:
		case <-timer:
			switch {
			case atDeadline:
				return Change{}, nil
			case w.events == nil:
				return Change{Tree: true}, nil
			}
		}
	}
}

// lockedSince returns the modification time of git's lock, the zero time if there is none.
func (w *Watcher) lockedSince() time.Time {
	if w.gitLock == "" {
		return time.Time{}
	}
	info, err := os.Lstat(w.gitLock)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

const (
	// quiet is how long nothing must change before a change counts as complete. After longestRest it counts as complete
	// in any case.
	quiet       = 150 * time.Millisecond
	longestRest = 2 * time.Second
	// longestLock is how long Wait waits for git to remove its lock, and lockInterval the time between two checks. If
	// the tree does not change for longestPause, the lock counts as left over from a crash.
	longestLock  = 30 * time.Second
	longestPause = 3 * time.Second
	lockInterval = 25 * time.Millisecond
	// pollInterval is the time between two looks at the tree without events, or pollFactor times the duration of a walk
	// if that is longer.
	pollInterval = 2 * time.Second
	pollFactor   = 10
)

// A rest decides when a burst of changes is over.
type rest struct {
	tree, also  bool
	first, last time.Time
}

func (r *rest) note(now time.Time, tree bool) {
	if !r.tree && !r.also {
		r.first = now
	}
	r.last = now
	if tree {
		r.tree = true
	} else {
		r.also = true
	}
}

// due reports whether the burst is over. If not, wait is the time until the next check, 0 for the next change. lock is
// when git created its lock, the zero time if there is none.
func (r *rest) due(now, lock time.Time) (wait time.Duration, due bool) {
	switch {
	case !r.tree && !r.also:
		return 0, false
	case r.first.Sub(lock) < longestPause && now.Sub(r.last) < longestPause && now.Sub(r.first) < longestLock:
		return lockInterval, false
	}
	end := r.last.Add(quiet)
	if latest := r.first.Add(longestRest); latest.Before(end) {
		end = latest
	}
	if !now.Before(end) {
		return 0, true
	}
	return end.Sub(now), false
}
