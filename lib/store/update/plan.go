package update

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"reflect"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"cortex/lib/hint"
	"cortex/lib/record"
	"cortex/lib/store/layout"
	"cortex/lib/store/shard"
	"cortex/lib/terminal"
)

// plan decides what becomes of every file, and makes the next manifest as far as it follows from that. It fails if files of two
// settings or embeddings of two models would stand in one tree.
func (w *writer) plan(ctx context.Context) error {
	c := w.change
	w.next = &layout.Manifest{Version: layout.Version, Trees: map[string]layout.Tree{}}
	w.actions = map[string]*action{}
	if w.old != nil {
		maps.Copy(w.next.Trees, w.old.Trees)
		w.next.Shards = slices.Clone(w.old.Shards)
		w.kept = w.old.Stats.Chunks
	}
	settings := map[string]string{}
	var before layout.Tree
	var known bool
	if c.begin != nil {
		maps.Copy(settings, c.begin.Settings)
		before, known = w.next.Trees[c.begin.Tree]
		w.renewed = known && c.whole && !maps.Equal(before.Settings, settings)
	}
	if err := w.readHeads(ctx, before.Again); err != nil {
		return err
	}
	w.findLocked()
	w.planFiles(before.Again)
	if w.renewed && w.staying > 0 {
		err := hint.Wrap(fmt.Errorf("the run was made with other settings than the index (%s), which would keep %s: the index is unchanged",
			differences(before.Settings, settings), terminal.Count(w.staying, "file", "files")), "index all files again: "+layout.IndexAgain)
		return cmp.Or(w.forgetChecksums(ctx), err)
	}
	if c.begin != nil && (!known || c.whole) {
		w.next.Trees[c.begin.Tree] = layout.Tree{Settings: settings, Again: before.Again && w.staying > 0, Files: before.Files, Chunks: before.Chunks}
	}
	return w.chooseModel()
}

// forgetChecksums commits the generation as it is, with the note that the next run of the tree is to bring all files again.
func (w *writer) forgetChecksums(ctx context.Context) error {
	next := *w.old
	next.Trees = maps.Clone(w.old.Trees)
	tree := next.Trees[w.change.begin.Tree]
	tree.Again = true
	next.Trees[w.change.begin.Tree] = tree
	w.next = &next
	if w.tree != nil {
		return w.commitTree(ctx, false)
	}
	return w.or(ctx, w.finish(ctx, nil))
}

// readHeads reads which files the old shards have, those in which the run has files; all if the run says something about files that it
// does not mention.
func (w *writer) readHeads(ctx context.Context, all bool) error {
	if w.old == nil {
		return nil
	}
	c := w.change
	n := len(w.old.Shards)
	all = all || w.renewed || c.whole && c.begin.Mode == record.Full || w.anyUnreadable()
	if w.tree != nil {
		return w.treeFiles(ctx, all)
	}
	w.heads, w.lost = make([][]*shard.File, n), make([]bool, n)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(max(w.opts.Jobs, runtime.GOMAXPROCS(0)))
	for i := range n {
		if !all && !w.brings(i, n) {
			continue
		}
		group.Go(func() error {
			files, err := w.oldFiles(ctx, i)
			var d *layout.Damage
			if errors.As(err, &d) && w.replacesTree() {
				w.lost[i] = true
				return nil
			}
			w.heads[i] = files
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return layout.WithCure(w.lock.root.Name(), err)
	}
	if slices.Contains(w.lost, true) {
		w.kept = 0
		for _, list := range w.heads {
			for _, f := range list {
				w.kept += f.Total()
			}
		}
	}
	return nil
}

// brings reports whether the run has records of files in shard i of n.
func (w *writer) brings(i, n int) bool {
	for part := i * shard.Most / n; part < (i+1)*shard.Most/n; part++ {
		if len(w.change.heads[part]) > 0 {
			return true
		}
	}
	return false
}

func (w *writer) anyUnreadable() bool {
	for f := range w.change.files() {
		if isUnreadable(f) {
			return true
		}
	}
	return false
}

// oldFiles returns the files of an old shard.
func (w *writer) oldFiles(ctx context.Context, i int) ([]*shard.File, error) {
	s := &w.old.Shards[i]
	if files, ok := w.tables.Read(s, nil); ok {
		return files, nil
	}
	groups, err := w.oldGroups(ctx, i)
	files := make([]*shard.File, len(groups))
	for j, g := range groups {
		files[j] = g.head
	}
	return files, err
}

// planFiles decides what becomes of every file.
func (w *writer) planFiles(again bool) {
	c := w.change
	n := 1
	if w.old != nil {
		n = len(w.old.Shards)
	}
	for i := range n {
		news := map[string]*shard.File{}
		for part := i * shard.Most / n; part < (i+1)*shard.Most/n; part++ {
			for _, f := range c.heads[part] {
				if w.tree == nil || f.Tree == w.name {
					news[f.Path()] = f
				}
			}
		}
		olds := map[string]*shard.File{}
		if w.old != nil {
			for _, f := range w.heads[i] {
				if again && c.begin != nil && f.Tree == c.begin.Tree {
					f.Record.SHA256 = ""
				}
				olds[f.Path()] = f
			}
		}
		paths := slices.Collect(maps.Keys(news))
		for path := range olds {
			if news[path] == nil {
				paths = append(paths, path)
			}
		}
		slices.Sort(paths)
		for _, path := range paths {
			w.planFile(path, olds[path], news[path])
		}
	}
}

// planFile decides what becomes of one file.
func (w *writer) planFile(path string, old, now *shard.File) {
	c := w.change
	a := w.actionFor(path, old, now)
	if a != nil {
		w.actions[path] = a
		w.touched[shard.Of(path, shard.Most)] = true
		if old != nil && !a.stay {
			w.kept -= old.Total()
		}
	}
	// An indexed file stays if its chunks do.
	if c.begin != nil && old.Indexed() && old.Tree == c.begin.Tree && (a == nil || a.stay) && !(now != nil && now.Indexed()) {
		w.staying++
	}
}

// actionFor returns nil if the file stays as it is.
func (w *writer) actionFor(path string, old, now *shard.File) *action {
	c := w.change
	// A file that is known by chunks alone has no record.
	known := old != nil && old.Record.Status != ""
	switch {
	case c.begin == nil:
		head := now
		if old != nil {
			head = clone(old)
		}
		return &action{head: head, stay: true}
	case now == nil:
		if !c.whole || c.begin.Mode != record.Full || old.Tree != c.begin.Tree || w.isLocked(path) {
			return nil
		}
		return &action{}
	case old != nil && old.Tree != c.begin.Tree:
		w.opts.Report(fmt.Errorf("file %q is of tree %q in the store, and of tree %q in the run: left out", path, old.Tree, c.begin.Tree))
		return nil
	case now.Record.Status == record.StatusUnchanged:
		if !known {
			w.opts.Report(hint.Wrap(fmt.Errorf("file %q is said to be unchanged, but the index does not have it", path),
				"index all files again: "+layout.IndexAll))
		} else if sum := now.Record.SHA256; sum != "" && sum != old.Record.SHA256 {
			// Another run came between.
			w.opts.Report(hint.Wrap(fmt.Errorf("file %q is said to be unchanged, but the index has another version of it", path),
				"run it again: "+layout.IndexAgain))
			head := clone(old)
			head.Record.SHA256 = ""
			return &action{head: head, stay: true}
		}
		return nil
	case now.Indexed():
		head := now
		if !c.whole {
			// Some of its chunks may be lost: without a checksum the next run does the file again.
			head = clone(now)
			head.Record.SHA256 = ""
		}
		return &action{head: head, ownFacts: true, stay: !c.whole}
	case !c.whole && known:
		return nil
	case now.Record.Status == record.StatusDeleted:
		if old == nil {
			return nil
		}
		return &action{}
	case isUnreadable(now) && old.Indexed():
		// That it could be read before and cannot now is no reason for it to vanish from the index.
		if !w.renewed {
			w.opts.Warn("%s: %s: its old chunks stay", path, now.Record.Reason)
			return nil
		}
		w.opts.Warn("%s: %s: its old chunks go, since they were made with other settings", path, now.Record.Reason)
	case w.locked[path]:
		w.opts.Warn("%s: %s: its old chunks stay", path, now.Record.Reason)
	}
	head := clone(now)
	head.Record.SHA256 = ""
	if known && old.Total() == 0 && reflect.DeepEqual(old.Record, head.Record) {
		return nil // skipped as before
	}
	return &action{head: head, ownFacts: true}
}

func clone(f *shard.File) *shard.File {
	copied := *f
	return &copied
}

func isUnreadable(f *shard.File) bool {
	// The reason itself may follow, as in "unreadable: permission denied".
	reason, _, _ := strings.Cut(f.Record.Reason, ":")
	return f.Record.Status == record.StatusSkipped && reason == "unreadable"
}

// findLocked finds the folders that could be read before, since files in them are known, and
// cannot now.
func (w *writer) findLocked() {
	w.locked = map[string]bool{}
	unreadable, mentioned := map[string]bool{}, map[string]bool{}
	for f := range w.change.files() {
		if isUnreadable(f) {
			unreadable[f.Path()] = true
		}
	}
	if len(unreadable) == 0 || w.renewed {
		return
	}
	for f := range w.change.files() {
		mentioned[f.Path()] = true
	}
	for _, list := range w.heads {
		for _, f := range list {
			path := f.Path()
			if f.Tree != w.change.begin.Tree || mentioned[path] {
				continue
			}
			for folder := range folders(path) {
				if unreadable[folder] {
					w.locked[folder] = true
				}
			}
		}
	}
}

// isLocked reports whether the file lies in a folder that cannot be read.
func (w *writer) isLocked(path string) bool {
	if len(w.locked) == 0 {
		return false
	}
	for folder := range folders(path) {
		if w.locked[folder] {
			return true
		}
	}
	return false
}

// folders yields the paths of the folders that the file lies in.
func folders(path string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range len(path) {
			if path[i] == '/' && !yield(path[:i]) {
				return
			}
		}
	}
}

// differences names the stages whose settings differ.
func differences(before, now map[string]string) string {
	var names []string
	for _, list := range []map[string]string{before, now} {
		for stage := range list {
			if before[stage] != now[stage] && !slices.Contains(names, stage) {
				names = append(names, stage)
			}
		}
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// embedStage is the name of the stage that adds embeddings in the settings of a run.
const embedStage = "embed"

// chooseModel sets the model of the next generation. Embeddings of two models never
// stand in one store, since no query could be compared with both.
func (w *writer) chooseModel() error {
	c := w.change
	first := c.first
	switch {
	case w.kept > 0 && first == nil:
		w.next.Model, w.next.Dimensions = w.old.Model, w.old.Dimensions
	case w.kept > 0 && w.old.Dimensions > 0 && (first.model != w.old.Model || first.dimensions != w.old.Dimensions):
		return hint.Wrap(fmt.Errorf("the run brings chunks with %s, the index keeps %s with %s: the index is unchanged",
			layout.DescribeModel(first.model, first.dimensions), terminal.Count(w.kept, "chunk", "chunks"), layout.DescribeModel(w.old.Model, w.old.Dimensions)),
			"embed with the model of the index, or index everything again: "+layout.IndexAll)
	case first != nil:
		w.next.Model, w.next.Dimensions = first.model, first.dimensions
	}
	if w.old != nil && w.old.Dimensions > 0 && w.next.Dimensions == 0 && c.count > 0 {
		w.opts.Warn("the index loses its embeddings by %q, since the run brings none: search goes by words alone", w.old.Model)
	}
	w.dropUnembedded = w.next.Dimensions > 0 || c.begin != nil && c.begin.Settings[embedStage] != ""
	return nil
}
