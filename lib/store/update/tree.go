package update

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"slices"

	"cortex/lib/store/layout"
	"cortex/lib/store/shard"
)

// A treeWriter applies one change to a tree of a Target, as the plan says.
type treeWriter struct {
	*plan
	tree   Tree
	result Result
}

// updateTree applies the run to the tree of that name of the Target.
func updateTree(ctx context.Context, target Target, opts Options, c *change, name string) (result Result, err error) {
	of := Preview{Tree: name}
	if c.first != nil {
		of.Model, of.Dimensions = c.first.model, c.first.dimensions
	}
	err = target.Update(ctx, of, func(ctx context.Context, t Tree) error {
		old := t.Manifest()
		if old != nil {
			copied := *old
			copied.Shards = make([]layout.Shard, 1) // heads has a single list for all files
			old = &copied
		}
		w := &treeWriter{plan: newPlan(opts, c, old), tree: t, result: newResult(name, c)}
		w.isTree, w.name = true, name
		if err := w.apply(ctx); err != nil {
			return err
		}
		w.result.Chunks, w.result.Generation = w.next.Stats.Chunks, w.next.Generation
		result = w.result
		return nil
	})
	return result, err
}

// apply computes the next generation of the tree, and commits it if it differs from the current one.
func (w *treeWriter) apply(ctx context.Context) error {
	if err := w.readFiles(ctx); err != nil {
		return err
	}
	if err := w.decide(); err != nil {
		var keeps *settingsError
		if errors.As(err, &keeps) {
			w.next = keeps.next
			err = cmp.Or(w.commit(ctx, false), err)
		}
		return err
	}
	return w.put(ctx)
}

// readFiles reads the file records of the tree: those of the run's files, or all if the plan needs them.
func (w *treeWriter) readFiles(ctx context.Context) error {
	if w.old == nil {
		return nil
	}
	var paths []string
	if !w.needsAll() {
		paths = []string{}
		for f := range w.change.files() {
			paths = append(paths, f.Path())
		}
	}
	files, err := w.tree.Files(ctx, paths)
	w.heads, w.lost = [][]*shard.File{files}, make([]bool, 1)
	return err
}

// put passes the changed files to the tree, and commits.
func (w *treeWriter) put(ctx context.Context) error {
	var paths [shard.Most][]string
	for path := range w.actions {
		part := shard.Of(path, shard.Most)
		paths[part] = append(paths[part], path)
	}
	tally := layout.NewTally()
	if w.old != nil {
		tally = w.old.Tally()
	}
	changed := false
	for part, list := range paths {
		if len(list) == 0 {
			continue
		}
		slices.Sort(list)
		data, err := w.change.spool.take(part)
		if err != nil {
			return err
		}
		differs, err := w.putFiles(ctx, tally, list, data)
		if err != nil {
			return err
		}
		changed = changed || differs
	}
	w.next.SetCounts(tally)
	return w.commit(ctx, changed)
}

// putFiles merges the files of one part of the spool, and passes the changed ones to the tree.
func (w *treeWriter) putFiles(ctx context.Context, tally *layout.Tally, paths []string, data []byte) (changed bool, err error) {
	olds := map[string][]byte{}
	if w.old != nil {
		if olds, err = w.tree.Lines(ctx, paths); err != nil {
			return false, err
		}
	}
	groups, err := groupsOf(data, true)
	if err != nil {
		return false, err
	}
	news := map[string]*group{}
	for _, g := range groups {
		if g.head.Tree == w.name {
			news[g.head.Path()] = g
		}
	}
	for _, path := range paths {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		var old *group
		if was := olds[path]; len(was) > 0 {
			list, err := groupsOf(was, false)
			if err != nil {
				return false, err
			}
			old = list[0]
		}
		m := &merged{counts: layout.NewTally()}
		if old != nil {
			m.counts.Count(old.head, -1)
		}
		if a := w.actions[path]; a.head != nil {
			err = w.mergeFile(m, a, old, news[path])
		} else if old != nil {
			m.removed = len(old.lines)
		}
		if err != nil {
			return false, err
		}
		tally.Merge(m.counts)
		w.result.Added += m.added
		w.result.Changed += m.changed
		w.result.Removed += m.removed
		if !bytes.Equal(olds[path], m.data) {
			changed = true
			if err := w.tree.Put(ctx, path, olds[path], m.data); err != nil {
				return false, err
			}
		}
	}
	return changed, nil
}

// commit commits the next generation unless it equals the current one.
func (w *treeWriter) commit(ctx context.Context, changed bool) error {
	if w.old != nil {
		w.next.Shards = w.old.Shards
		if !changed && layout.SameContent(w.old, w.next) {
			w.next.Generation = w.old.Generation
			return nil
		}
	}
	next := *w.next
	next.Shards, next.Generation, next.GeneratedAt = nil, 1, w.now
	if w.old != nil {
		next.Generation = w.old.Generation + 1
	}
	w.result.Written = true
	w.next = &next
	return w.tree.Commit(ctx, &next)
}
