package update

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"time"

	"cortex/lib/record"
	"cortex/lib/safeopen"
	"cortex/lib/store/layout"
	"cortex/lib/store/shard"
)

// A Target is where runs go instead of into a folder, such as a database. Each tree of it is a store of its own.
type Target interface {
	// Update calls apply with what there is of a tree, which nobody else changes meanwhile. It may call apply again if the change could not be kept.
	Update(ctx context.Context, of Preview, apply func(ctx context.Context, t Tree) error) error
}

// A Preview says what a Target must know of a run beforehand.
type Preview struct {
	// Tree is the tree that is changed.
	Tree string
	// Model and Dimensions are those of the embeddings that the run brings; "" and 0 for none.
	Model      string
	Dimensions int
}

// A Tree is the last generation of a tree of a Target, while it is changed.
type Tree interface {
	// Manifest is that of the tree, without shards; nil if there is none.
	Manifest() *layout.Manifest
	// Files are the files of the tree without facts, those of the paths alone if paths is not nil.
	Files(ctx context.Context, paths []string) ([]*shard.File, error)
	// Lines gives for each of the paths that the tree has the lines of the file and of its chunks, as a shard has them.
	Lines(ctx context.Context, paths []string) (map[string][]byte, error)
	// Put replaces the lines of a file; was is what Lines gave for it, now is empty if the file is removed.
	Put(ctx context.Context, path string, was, now []byte) error
	// Commit keeps all that was put, with the manifest of the next generation.
	Commit(ctx context.Context, next *layout.Manifest) error
}

// RunInto is Run into a target.
func RunInto(ctx context.Context, r *record.Reader, target Target, opts Options) error {
	in := &input{ahead: ahead{r: r}, opts: opts.withDefaults(), target: target}
	return in.run(ctx)
}

// applyTo is apply for a target.
func (in *input) applyTo(ctx context.Context, first record.Line) (applied bool, err error) {
	start := time.Now()
	dir, err := os.MkdirTemp("", "cortex-store-")
	if err != nil {
		return false, fmt.Errorf("hold the run: %w", err)
	}
	defer os.RemoveAll(dir)
	root, err := safeopen.OpenFolder(dir)
	if err != nil {
		return false, fmt.Errorf("hold the run: %w", err)
	}
	defer root.Close()
	c := newChange(in.opts)
	c.spool.root, c.spool.again = root, true
	defer c.spool.close()
	if ready, err := in.gather(ctx, c, first, dir); err != nil || !ready {
		return false, err
	}
	for _, tree := range c.trees() {
		result, err := in.update(ctx, c, tree)
		if err != nil {
			return applied, in.fail(ctx, err)
		}
		result.Elapsed = time.Since(start)
		in.opts.Committed(result)
		applied = true
	}
	return applied, nil
}

// trees are those that the run says something about: its own, or those of the chunks outside of a run.
func (c *change) trees() []string {
	if c.begin != nil {
		return []string{c.begin.Tree}
	}
	names := map[string]bool{}
	for f := range c.files() {
		names[f.Tree] = true
	}
	return slices.Sorted(maps.Keys(names))
}

// update applies the run to one tree.
func (in *input) update(ctx context.Context, c *change, name string) (result Result, err error) {
	of := Preview{Tree: name}
	if c.first != nil {
		of.Model, of.Dimensions = c.first.model, c.first.dimensions
	}
	err = in.target.Update(ctx, of, func(ctx context.Context, t Tree) error {
		w := &writer{opts: in.opts, change: c, tree: t, name: name, now: in.opts.Now().UTC().Format(layout.TimeLayout)}
		w.result = Result{Tree: name, Files: c.byStatus}
		if c.begin != nil {
			w.result.Mode = c.begin.Mode
		}
		if m := t.Manifest(); m != nil {
			old := *m
			old.Shards = make([]layout.Shard, 1) // the heads of all files stand together
			w.old = &old
		}
		err := w.plan(ctx)
		if err == nil {
			err = w.put(ctx)
		}
		if w.next == nil {
			return err
		}
		w.result.Chunks, w.result.Generation = w.next.Stats.Chunks, w.next.Generation
		result = w.result
		return err
	})
	return result, err
}

// treeFiles is readHeads for a tree of a target.
func (w *writer) treeFiles(ctx context.Context, all bool) error {
	var paths []string
	if !all {
		paths = []string{}
		for f := range w.change.files() {
			paths = append(paths, f.Path())
		}
	}
	files, err := w.tree.Files(ctx, paths)
	w.heads, w.lost = [][]*shard.File{files}, make([]bool, 1)
	return err
}

// put gives the tree what differs, and commits.
func (w *writer) put(ctx context.Context) error {
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
	return w.commitTree(ctx, changed)
}

// putFiles merges files that stand in one part of the spool.
func (w *writer) putFiles(ctx context.Context, tally *layout.Tally, paths []string, data []byte) (changed bool, err error) {
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
		m := &merged{was: layout.NewTally(), is: layout.NewTally()}
		if old != nil {
			m.was.Count(old.head, 1)
		}
		if a := w.actions[path]; a.head != nil {
			err = w.mergeFile(m, a, old, news[path])
		} else if old != nil {
			m.removed = len(old.lines)
		}
		if err != nil {
			return false, err
		}
		tally.Merge(m.is)
		tally.Merge(m.was.Negate())
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

// commitTree commits the next generation unless it is the same as the last.
func (w *writer) commitTree(ctx context.Context, changed bool) error {
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

// named gives a chunk of a tree without a name the name of another: its path, its identifier and all that is made of them are as if the tree had had that name
// from the beginning.
func named(r *record.Chunk, tree string) (*record.Chunk, error) {
	f := &shard.File{Record: record.File{FilePath: r.Metadata.FilePath, Language: r.Metadata.Language, Package: r.Metadata.Package}}
	line, err := shard.AppendChunk(nil, f, r)
	if err != nil {
		return nil, err
	}
	f.Tree = tree
	c, err := shard.DecodeChunk(bytes.TrimSuffix(line, []byte("\n")), f, r.EmbeddingModel)
	if err == nil {
		c.Title = r.Title // it names the path within the tree
	}
	return c, err
}
