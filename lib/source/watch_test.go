package source

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/google/go-cmp/cmp"
)

// patience is how long a test waits for an event.
const patience = 30 * time.Second

// watching creates a tree with the files and watches it.
func watching(t *testing.T, opts WatchOptions, names string) (*Watcher, string) {
	t.Helper()
	root := opts.Root
	if root == "" {
		root = t.TempDir()
	}
	write(t, root, tree(names))
	opts.Root = root
	if opts.Warn == nil {
		opts.Warn = func(format string, args ...any) { t.Errorf(format, args...) }
	}
	w, err := NewWatcher(opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	w.walkAll(t)
	return w, root
}

func (w *Watcher) walkAll(t *testing.T) []string {
	t.Helper()
	entries, err := w.Walk(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return paths(entries)
}

// next waits for a change.
func (w *Watcher) next(t *testing.T) Change {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	c, err := w.Wait(ctx, time.Time{})
	if err != nil {
		t.Fatal("no change: ", err)
	}
	return c
}

// eventOf returns an event as inotify reports it.
func eventOf(root, name, op string) fsnotify.Event {
	ops := map[string]fsnotify.Op{"CREATE": fsnotify.Create, "WRITE": fsnotify.Write}
	return fsnotify.Event{Name: filepath.Join(root, name), Op: ops[op]}
}

func place(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestWatchSeesEveryKindOfChange(t *testing.T) {
	t.Parallel()
	w, root := watching(t, WatchOptions{}, "a.go d/b.go d/e/c.go")
	for _, step := range []struct {
		name   string
		change func() error
		want   string
	}{
		{"write", func() error { return os.WriteFile(filepath.Join(root, "d/b.go"), []byte("x"), 0o666) }, "a.go d/b.go d/e/c.go"},
		{"new file", func() error { return os.WriteFile(filepath.Join(root, "d/n.go"), nil, 0o666) }, "a.go d/b.go d/e/c.go d/n.go"},
		{"deleted", func() error { return os.Remove(filepath.Join(root, "d/n.go")) }, "a.go d/b.go d/e/c.go"},
		{"new folders", func() error { return os.MkdirAll(filepath.Join(root, "n/m/o"), 0o777) }, "a.go d/b.go d/e/c.go"},
		{"a file in a new folder", func() error { return os.WriteFile(filepath.Join(root, "n/m/o/p.go"), nil, 0o666) }, "a.go d/b.go d/e/c.go n/m/o/p.go"},
		{"renamed folder", func() error { return os.Rename(filepath.Join(root, "n"), filepath.Join(root, "r")) }, "a.go d/b.go d/e/c.go r/m/o/p.go"},
		{"a file in a renamed folder", func() error { return os.WriteFile(filepath.Join(root, "r/m/o/q.go"), nil, 0o666) }, "a.go d/b.go d/e/c.go r/m/o/p.go r/m/o/q.go"},
		{"a new folder of the old name", func() error { return os.MkdirAll(filepath.Join(root, "n/m/o"), 0o777) }, "a.go d/b.go d/e/c.go r/m/o/p.go r/m/o/q.go"},
		{"a file in it", func() error { return os.WriteFile(filepath.Join(root, "n/m/o/s.go"), nil, 0o666) }, "a.go d/b.go d/e/c.go n/m/o/s.go r/m/o/p.go r/m/o/q.go"},
		{"deleted folder", func() error { return os.RemoveAll(filepath.Join(root, "r")) }, "a.go d/b.go d/e/c.go n/m/o/s.go"},
		{"renamed over", func() error {
			if err := os.WriteFile(filepath.Join(root, "d/.b.go.swp"), []byte("new"), 0o666); err != nil {
				return err
			}
			return os.Rename(filepath.Join(root, "d/.b.go.swp"), filepath.Join(root, "d/b.go"))
		}, "a.go d/b.go d/e/c.go n/m/o/s.go"},
		{"made readable", func() error { return os.Chmod(filepath.Join(root, "a.go"), 0o600) }, "a.go d/b.go d/e/c.go n/m/o/s.go"},
	} {
		if err := step.change(); err != nil {
			t.Fatal(step.name, err)
		}
		if c := w.next(t); !c.Tree {
			t.Errorf("%s: %+v", step.name, c)
		}
		if diff := cmp.Diff(strings.Fields(step.want), w.walkAll(t)); diff != "" {
			t.Errorf("%s: %s", step.name, diff)
		}
	}
}

// Events of excluded files do not wake the Watcher. The change at the end shows that all earlier events have arrived.
func TestWatchPassesOverWhatIsIgnored(t *testing.T) {
	t.Parallel()
	w, root := watching(t, WatchOptions{Options: Options{Ignore: []string{"gen/**", "gen"}, Code: []string{"**/*.go"}, Docs: []string{"**/*.md"}}},
		"a.go .git/HEAD node_modules/m/i.js gen/g.go logs/x.log s/.cortex/x .cortex/generator-output.json .cortex/chunks/x")
	place(t, filepath.Join(root, ".gitignore"), "*.log\nlogs/\n")
	w.next(t)
	w.walkAll(t)
	// logs is watched no more, so there is another look at what came meanwhile.
	w.next(t)
	w.walkAll(t)
	for _, name := range []string{"b.log", ".git/index", ".git/HEAD", "node_modules/m/i.js", "node_modules/n.js", "gen/g.go", "logs/x.log", ".cortex/generator-output.json", ".cortex/chunks/x", ".DS_Store"} {
		place(t, filepath.Join(root, name), "new")
	}
	w.mu.Lock()
	r := w.rest
	w.mu.Unlock()
	if r.tree || r.also {
		t.Errorf("%+v", r)
	}
	for _, name := range []string{"b.log", ".git", "node_modules", "gen", "logs", ".cortex", ".DS_Store"} {
		for _, e := range []string{"CREATE", "WRITE"} {
			if tree, also := w.counts(eventOf(root, name, e)); tree || also {
				t.Errorf("%s %s counts", e, name)
			}
		}
	}
	if tree, _ := w.counts(eventOf(root, "data.csv", "WRITE")); tree {
		t.Error("a file that no pattern wants counts")
	}
}

// Ignore files are heeded live, in the tree, above it and in the repository's own list.
func TestWatchHeedsIgnoreFiles(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	git(t, top, "init", "-q")
	root := filepath.Join(top, "sub", "tree")
	w, _ := watching(t, WatchOptions{Options: Options{Root: root}}, "a.go b.go c.go d/e.go")
	for _, step := range []struct{ file, text, want string }{
		{"sub/tree/.gitignore", "b.go\n", ".gitignore a.go c.go d/e.go"},
		{".gitignore", "c.go\n", ".gitignore a.go d/e.go"},
		{"sub/.ignore", "d/\n", ".gitignore a.go"},
		{".git/info/exclude", "a.go\n", ".gitignore"},
		{"sub/tree/.gitignore", "\n", ".gitignore b.go"},
	} {
		place(t, filepath.Join(top, step.file), step.text)
		w.next(t)
		if diff := cmp.Diff(strings.Fields(step.want), w.walkAll(t)); diff != "" {
			t.Errorf("%s: %s", step.file, diff)
		}
	}
	// A folder that was ignored is watched again.
	place(t, filepath.Join(top, "sub/.ignore"), "\n")
	w.next(t)
	w.walkAll(t)
	place(t, filepath.Join(root, "d/f.go"), "")
	w.next(t)
	if diff := cmp.Diff([]string{".gitignore", "b.go", "d/e.go", "d/f.go"}, w.walkAll(t)); diff != "" {
		t.Error(diff)
	}
}

func TestWatchAlso(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	manifest := filepath.Join(root, ".cortex", "generator-output.json")
	w, _ := watching(t, WatchOptions{Options: Options{Root: root}, Also: []string{manifest}}, "a.go")
	if err := os.Mkdir(filepath.Dir(manifest), 0o777); err != nil {
		t.Fatal(err)
	}
	if c := w.next(t); c != (Change{Also: true}) {
		t.Errorf("the folder comes: %+v", c)
	}
	w.walkAll(t)
	place(t, filepath.Join(root, ".cortex", "other"), "x")
	place(t, manifest+".tmp", "x")
	if err := os.Rename(manifest+".tmp", manifest); err != nil {
		t.Fatal(err)
	}
	if c := w.next(t); c != (Change{Also: true}) {
		t.Errorf("the file is replaced: %+v", c)
	}
}

// Changes between the walk and the wait are not lost.
func TestWatchBetweenWalkAndWait(t *testing.T) {
	t.Parallel()
	w, root := watching(t, WatchOptions{}, "a.go")
	for i := range 5 {
		path := filepath.Join(root, fmt.Sprintf("d%d", i), "e", "f.go")
		place(t, path, "")
		w.next(t)
		seen := w.walkAll(t)
		place(t, filepath.Join(filepath.Dir(path), "g.go"), "")
		if len(seen) != 2+2*i {
			t.Fatalf("%d files after %d folders", len(seen), i+1)
		}
		w.next(t)
		if n := len(w.walkAll(t)); n != 3+2*i {
			t.Fatalf("%d files after %d folders", n, i+1)
		}
	}
}

func TestWatchEnds(t *testing.T) {
	t.Parallel()
	w, root := watching(t, WatchOptions{}, "a.go")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.Wait(ctx, time.Time{}); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
	if c, err := w.Wait(t.Context(), time.Now()); c != (Change{}) || err != nil {
		t.Errorf("at the deadline: %+v, %v", c, err)
	}
	if err := os.RemoveAll(root); err != nil {
		t.Fatal(err)
	}
	w.next(t)
	if _, err := w.Walk(t.Context()); err == nil || !strings.Contains(err.Error(), root) {
		t.Errorf("without a root: %v", err)
	}
}

// A file that comes while a walk is under way, which has passed it, counts by the ignore files that the walk has read.
func TestWatchDuringAWalk(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	var w *Watcher
	during := func() {}
	// A walk tells of the ignore file that is too long when it has seen the whole tree.
	place(t, filepath.Join(root, ".ignore"), strings.Repeat("nothing\n", maxIgnoreFile/8+1))
	place(t, filepath.Join(root, ".gitignore"), "b.go\n")
	w, _ = watching(t, WatchOptions{Options: Options{Root: root, Report: func(error) { during() }}, Poll: true}, "a.go")
	place(t, filepath.Join(root, ".gitignore"), "")
	told := 0
	during = func() {
		told++
		place(t, filepath.Join(root, "b.go"), "")
		w.take(eventOf(root, "b.go", "CREATE"))
	}
	if diff := cmp.Diff([]string{".gitignore", ".ignore", "a.go"}, w.walkAll(t)); diff != "" || told != 1 {
		t.Error(told, diff)
	}
	if !w.rest.tree {
		t.Error("the new file does not count")
	}
}

// Where the system refuses, the watch goes on by itself and says so once.
func TestWatchPolls(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("waits")
	}
	var said []string
	warn := func(format string, args ...any) { said = append(said, fmt.Sprintf(format, args...)) }
	w, root := watching(t, WatchOptions{Warn: warn}, "a.go")
	w.poll(syscall.ENOSPC)
	place(t, filepath.Join(root, "d", "b.go"), "")
	if c := w.next(t); c != (Change{Tree: true}) {
		t.Errorf("%+v", c)
	}
	if diff := cmp.Diff([]string{"a.go", "d/b.go"}, w.walkAll(t)); diff != "" {
		t.Error(diff)
	}
	want := []string{"cannot watch " + root + ": the system's limit on watched folders is reached: looking for changes every few seconds instead"}
	if diff := cmp.Diff(want, said); diff != "" {
		t.Error(diff)
	}
}

// A burst is over when nothing has happened for a moment, or when it has lasted too long.
func TestRest(t *testing.T) {
	var r rest
	if wait, due := r.due(at(0), unlocked); wait != 0 || due {
		t.Error("nothing happened, and it is over")
	}
	r.note(at(0), false)
	r.note(at(100), true)
	if !r.tree || !r.also {
		t.Errorf("%+v", r)
	}
	for _, test := range []struct {
		now  int
		wait time.Duration
		due  bool
	}{
		{110, 140 * time.Millisecond, false},
		{249, time.Millisecond, false},
		{250, 0, true},
	} {
		if wait, due := r.due(at(test.now), unlocked); wait != test.wait || due != test.due {
			t.Errorf("at %d: wait %v, over %v", test.now, wait, due)
		}
	}
	for ms := 200; ms <= 1950; ms += 50 {
		r.note(at(ms), true)
		if _, due := r.due(at(ms), unlocked); due {
			t.Errorf("over at %d while it goes on", ms)
		}
	}
	if wait, due := r.due(at(1960), unlocked); wait != 40*time.Millisecond || due {
		t.Errorf("wait %v, over %v", wait, due)
	}
	r.note(at(2000), true)
	if _, due := r.due(at(2000), unlocked); !due {
		t.Error("it lasts for ever")
	}
}

func at(ms int) time.Time { return time.Unix(1700000000, int64(ms)*1e6) }

var unlocked time.Time

// A burst is not over while git holds its lock. A lock without changes is left over from a crash: it delays only
// briefly, and does not delay later bursts.
func TestRestWhileGitWorks(t *testing.T) {
	for _, test := range []struct {
		name string
		// lock is when git created its lock; changes are when the tree changed.
		lock    int
		changes []int
		// At the times waits, the lock keeps the burst from being over; at the time over it is over.
		waits []int
		over  int
	}{
		{"a checkout begins", -1000, []int{0}, []int{0, 200, 2999}, 3000},
		{"a checkout goes on", -1000, []int{0, 2500, 5000, 7500, 10000}, []int{10000, 12999}, 13000},
		{"a lock after the first change", 100, []int{0, 2500}, []int{2600, 5499}, 5500},
		{"git never ends", -1000, every(1000, 40000), []int{29999}, 30000},
		{"a lock of long ago", -3600_000, []int{0}, nil, 150},
		{"a lock of a while ago", -3000, []int{0}, nil, 150},
		{"a lock of another clock", 3600_000, []int{0}, []int{2999}, 3000},
	} {
		now := at(test.over)
		var r rest
		for _, change := range test.changes {
			if !at(change).After(now) {
				r.note(at(change), true)
			}
		}
		if _, due := r.due(now, at(test.lock)); !due {
			t.Errorf("%s: at %d it is not over", test.name, test.over)
		}
		for _, ms := range test.waits {
			if wait, due := r.due(at(ms), at(test.lock)); wait != lockInterval || due {
				t.Errorf("%s: at %d wait %v, over %v", test.name, ms, wait, due)
			}
		}
	}
}

// every returns the times from 0 to end.
func every(step, end int) (times []int) {
	for ms := 0; ms <= end; ms += step {
		times = append(times, ms)
	}
	return times
}

// All changes while git holds its lock are one burst.
func TestWatchWaitsForGit(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	git(t, root, "init", "-q")
	w, _ := watching(t, WatchOptions{Options: Options{Root: root}}, "a.go")
	lock := filepath.Join(root, ".git", "index.lock")
	place(t, lock, "")
	place(t, filepath.Join(root, "b.go"), "")
	if c, err := w.Wait(t.Context(), time.Now().Add(longestRest/4)); c != (Change{}) || err != nil {
		t.Errorf("git is at work: %+v, %v", c, err)
	}
	if err := os.Remove(lock); err != nil {
		t.Fatal(err)
	}
	if c := w.next(t); !c.Tree {
		t.Errorf("%+v", c)
	}
	place(t, lock, "")
	made := time.Now().Add(-time.Hour).Truncate(time.Second)
	if err := os.Chtimes(lock, made, made); err != nil {
		t.Fatal(err)
	}
	if got := w.lockedSince(); !got.Equal(made) {
		t.Errorf("locked since %v, want %v", got, made)
	}
}

// TestWatchEndsWhereTheWorkingFolderIsMoved: after the working folder was moved, a walk would read the moved folder,
// which is no longer watched.
func TestWatchEndsWhereTheWorkingFolderIsMoved(t *testing.T) {
	root := filepath.Join(t.TempDir(), "tree")
	if err := os.Mkdir(root, 0o777); err != nil {
		t.Fatal(err)
	}
	t.Chdir(root)
	w, _ := watching(t, WatchOptions{Options: Options{Root: "."}}, "a.go")
	if err := os.Rename(root, root+".old"); err != nil {
		t.Fatal(err)
	}
	w.next(t)
	if _, err := w.Walk(t.Context()); err == nil || !strings.Contains(err.Error(), `read tree ".": it was moved`) {
		t.Errorf("after a move: %v", err)
	}
	if err := os.Mkdir(root, 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Walk(t.Context()); err == nil {
		t.Error("another folder is taken for the root")
	}
}
