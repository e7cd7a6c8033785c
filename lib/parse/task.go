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

	"cortex/lib/parallel"
	"cortex/lib/record"
	"cortex/lib/source"
)

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

// States of files other than the digest of their content.
const (
	stateGone    = "gone"
	stateSkipped = "skipped: " // the reason follows
)

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

// isChange reports whether a task requires a run. An unreadable file does not if the store has it: the store keeps it.
func isChange(t task) bool {
	return t.action == parseIt && !(t.known != nil && t.known.Status.Indexed() && strings.HasPrefix(t.state, stateSkipped+source.Unreadable))
}

// tasks returns a task for each entry, and for each file that the store has or was sent and the tree no longer has,
// sorted by path. The entries must be sorted by path. If whole is not set, only files below u.Dirs can be gone.
func (u *Update) tasks(entries []source.Entry, known map[string]*record.File, whole bool) []task {
	tasks := make([]task, 0, len(entries))
	locked := map[string]bool{}
	missing := len(known)
	for _, e := range entries {
		if record.ReasonOf(e.Skip) == source.Unreadable {
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
		return !listed && !record.IsInside(path, locked) &&
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
