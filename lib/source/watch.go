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
	// Also names files, by paths as the process sees them, whose change counts though they are not of the tree,
	// such as the manifest of a store.
	Also []string
	// Poll makes the Watcher look at the tree every now and then instead of being told by the system.
	Poll bool
	// Warn takes what the user should know and what is no error.
	Warn func(format string, args ...any)
}

// A Watcher walks a tree and waits until it changes. Use it from one goroutine.
//
// It is told of changes in every folder that the last walk entered, new ones included. Those to what is
// ignored do not count, those to ignore files do. If the system cannot watch so
// many folders, it says so once and looks for itself.
type Watcher struct {
	opts WatchOptions
	root string // absolute, links resolved
	// also are the absolute paths of the files that count, by folder and name.
	also map[string]map[string]bool
	// gitLock is where git says that it is changing the work tree; "" outside of one.
	gitLock string

	events *fsnotify.Watcher // nil when polling
	// watched are the folders being watched, by absolute path.
	watched map[string]bool
	walked  time.Duration // what the last walk took
	ended   chan struct{} // closed when no more events will be noted

	mu sync.Mutex
	// scopes are those of the folders of the last walk, by path.
	scopes map[string]*scope
	globs  globs
	rest   rest
	// during are the events of the walk under way by their names, nil without one: it may read ignore files by which those count that did not count before.
	during map[string]fsnotify.Op
	broken error
	wake   chan struct{}
}

// NewWatcher prepares to watch; the first Walk begins it.
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
		// The folder may come later.
		dir = filepath.Join(real, filepath.Base(dir))
	}
	if w.also[dir] == nil {
		w.also[dir] = map[string]bool{}
	}
	w.also[dir][name] = true
	return nil
}

// findRepository adds what git and the folders above the root say about the tree.
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

// Close ends the watch.
func (w *Watcher) Close() error {
	if w.events == nil {
		return nil
	}
	err := w.events.Close()
	<-w.ended
	w.events = nil
	return err
}

// poll gives up being told by the system.
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

// Walk is the function Walk over the watched tree; Wait tells of changes from its start on.
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

// isInPlace reports whether the root still is the folder of the name that is watched: one that is the working folder may have been moved away.
func (w *Watcher) isInPlace() bool {
	read, err := os.Stat(w.opts.Root)
	if err != nil {
		return false
	}
	named, err := os.Stat(w.root)
	return err == nil && os.SameFile(read, named)
}

// forget ends the watch of folders that were not seen.
func (w *Watcher) forget(seen map[string]bool) {
	removed := false
	for dir := range w.watched {
		if !seen[dir] {
			delete(w.watched, dir)
			// It fails where the folder is gone, and the watch with it.
			removed = w.events != nil && w.events.Remove(dir) == nil || removed
		}
	}
	if !removed {
		return
	}
	// A folder has one watch under all its names: that of one that was renamed is now removed under the
	// new name too.
	for dir := range seen {
		w.watch(dir)
	}
	w.mu.Lock()
	w.rest.note(time.Now(), true)
	w.mu.Unlock()
}

// watch begins to watch a folder. One that is watched already is watched again: it may be another of the
// same name.
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

// note notes events until the watch ends.
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

// take notes an event if it counts.
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

// changed notes a change, of the tree or of a file that counts besides, or why no more will be told.
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

// counts reports whether an event is one of the tree, or of a file that counts besides.
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

// A Change says what Wait saw.
type Change struct {
	// Tree tells that the tree may have changed, Also that one of WatchOptions.Also has. Neither is set
	// if the time was up.
	Tree, Also bool
}

// Wait blocks until something has changed since the last Walk began and nothing has for a moment, or until the deadline,
// if that is not zero. It lets editors finish their exchange of files, and git its checkout.
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
			// A slow walk must not fill the time.
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

// lockedSince is when git made or wrote its lock, the zero time if there is none.
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
	// quiet is how long nothing must happen before a change counts as complete, and
	// longestRest how long that is waited for.
	quiet       = 150 * time.Millisecond
	longestRest = 2 * time.Second
	// longestLock is how long a run waits for git to remove its lock, lockInterval how often it checks. A lock counts as one that a crash left
	// if the tree does not change for longestPause while it is there.
	longestLock  = 30 * time.Second
	longestPause = 3 * time.Second
	lockInterval = 25 * time.Millisecond
	// pollInterval is how often the tree is looked at when the system does not tell, or pollFactor times what that takes.
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

// due reports whether the burst is over, or else how long to wait before asking again; 0 is until the next change. Git made its lock at that time,
// the zero time is none.
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
