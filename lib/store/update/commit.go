package update

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"

	"cortex/lib/hint"
	"cortex/lib/parallel"
	"cortex/lib/safeopen"
	"cortex/lib/store/layout"
	"cortex/lib/store/shard"
	"cortex/lib/terminal"
)

// commit writes the next generation, unless it equals the current one.
//
// The steps are: write every changed shard, with its digest in its name, beside the old one; rename the new manifest,
// which is the commit; rename the new shards over the old ones. Each step is durable before the next begins. Before the
// commit the old generation is untouched; after it, readers prefer a shard with the digest in its name.
func (w *writer) commit(ctx context.Context) error { return w.or(ctx, w.write(ctx)) }

// or rolls a failed commit back and returns an error with advice.
func (w *writer) or(ctx context.Context, err error) error {
	if err != nil {
		w.rollBack()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return commitError(w.lock.root.Name(), err)
	}
	return nil
}

// commitError converts an error in reading the old generation or writing the next one.
func commitError(dir string, err error) error {
	var path *fs.PathError
	var link *os.LinkError
	var d *layout.Damage
	switch {
	case errors.As(err, &d):
		return layout.WithCure(dir, d)
	case errors.As(err, &path) && path.Op == "read":
		return layout.WithCure(dir, fmt.Errorf("read %s: %w", inStore(dir, path.Path), path.Err))
	case path != nil || errors.As(err, &link):
		return writeError(dir, err)
	}
	return layout.WithCure(dir, err)
}

// shardsFor returns the number of shards for so many chunks. It keeps the current number unless shards would have more
// than twice or less than half of opts.perShard chunks on average.
func (w *writer) shardsFor(chunks int) int {
	ideal := 1
	for ideal < shard.Most && ideal*w.opts.perShard < chunks {
		ideal *= 2
	}
	if w.old == nil {
		return ideal
	}
	n := len(w.old.Shards)
	if n < shard.Most && chunks > 2*n*w.opts.perShard || n > 1 && 2*chunks < n*w.opts.perShard {
		return ideal
	}
	return n
}

// write writes the next generation.
func (w *writer) write(ctx context.Context) error {
	chunks := w.kept
	for f := range w.change.files() {
		chunks += f.Total()
	}
	n := w.shardsFor(chunks)
	same := w.old != nil && n == len(w.old.Shards)
	if !same {
		w.next.Shards = make([]layout.Shard, n)
	}
	if err := w.lock.root.Mkdir(layout.ShardsDir, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	tally := layout.NewTally()
	if w.old != nil {
		tally = w.old.Tally()
	}
	var mutex sync.Mutex
	var changed []int
	lost := map[int]bool{}
	group, groupCtx := parallel.NewGroup(ctx)
	group.SetLimit(w.opts.Jobs)
	for i := range n {
		if same && !w.touches(i, n) {
			continue
		}
		group.Go(func() error {
			m, err := w.merge(groupCtx, i, n)
			if err != nil {
				return err
			}
			differs := len(m.lost) > 0 || !same || w.old.Shards[i].Digest != m.shard.Digest
			if differs {
				if err := w.writeShard(m); err != nil {
					return err
				}
			}
			mutex.Lock()
			defer mutex.Unlock()
			if w.next.Shards[i] = m.shard; differs {
				changed = append(changed, i)
			}
			for _, k := range m.lost {
				lost[k] = true
			}
			tally.Merge(m.counts)
			w.result.Added += m.added
			w.result.Changed += m.changed
			w.result.Removed += m.removed
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	if len(lost) > 0 {
		var err error
		if tally, err = w.countAgain(ctx, lost); err != nil {
			return err
		}
	}
	w.next.SetCounts(tally)
	slices.Sort(changed)
	return w.finish(ctx, changed)
}

// touches reports whether the run may change shard i of n.
func (w *writer) touches(i, n int) bool {
	if w.lost[i] {
		return true
	}
	return slices.Contains(w.touched[i*shard.Most/n:(i+1)*shard.Most/n], true)
}

// countAgain counts all files of the next generation, since the old counts include unknown files of the damaged shards.
func (w *writer) countAgain(ctx context.Context, lost map[int]bool) (*layout.Tally, error) {
	first := w.lock.root.Name() + "/" + layout.ShardPath(layout.ShardName(slices.Min(slices.Collect(maps.Keys(lost)))))
	if others := len(lost) - 1; others == 0 {
		w.opts.Warn("%s: damaged; rebuilding it", first)
	} else {
		w.opts.Warn("%s and %s: damaged; rebuilding them", first, terminal.Count(others, "other shard", "other shards"))
	}
	for _, name := range slices.Sorted(maps.Keys(w.next.Trees)) {
		if name == w.change.begin.Tree {
			continue
		}
		w.opts.Warn("chunks of tree %q may be lost with it; index that again: cortex-parse --incremental --tree %s ...", name, name)
	}
	all := layout.NewTally()
	for i := range w.next.Shards {
		s := &w.next.Shards[i]
		f, err := layout.OpenShard(w.lock.root, s)
		if err != nil {
			return nil, err
		}
		err = layout.ScanLines(ctx, f, s, func(line []byte, _ int64) error {
			if !shard.IsFile(line) {
				return nil
			}
			file, _, err := shard.DecodeHead(line)
			if err == nil {
				all.Count(file, 1)
			}
			return err
		})
		f.Close()
		if err != nil {
			return nil, err
		}
	}
	for name := range w.next.Trees {
		if _, any := all.Trees[name]; !any {
			all.Trees[name] = layout.Tree{}
		}
	}
	return all, nil
}

// writeShard writes a shard beside the one that it replaces, and its table of files.
func (w *writer) writeShard(m *merged) error {
	w.opts.step("write " + m.shard.Name)
	path := layout.NewPath(&m.shard)
	if err := w.create(path, m.data); err != nil {
		return err
	}
	f, _, err := w.lock.root.File(path)
	if err != nil {
		return err
	}
	defer f.Close()
	w.tables.Write(&m.shard, m.files, f)
	return nil
}

// create writes a file and syncs it to disk.
func (w *writer) create(path string, data []byte) error {
	f, err := w.lock.root.Create(path)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	return err
}

// finish commits the next generation; changed has the indexes of its new shards.
func (w *writer) finish(ctx context.Context, changed []int) error {
	root := w.lock.root
	if w.old != nil && len(changed) == 0 && layout.SameContent(w.old, w.next) {
		w.next.Generation = w.old.Generation
		return nil
	}
	w.next.Generation, w.next.GeneratedAt = 1, w.now
	if w.old != nil {
		w.next.Generation = w.old.Generation + 1
	}
	if err := w.writeIgnores(); err != nil {
		return err
	}
	data, err := w.next.Encode()
	if err != nil {
		return err
	}
	if len(changed) > 0 {
		if err := syncDir(root, layout.ShardsDir); err != nil {
			return err
		}
	}
	w.opts.step("write " + layout.ManifestName)
	if err := w.create(manifestTemp, data); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	w.opts.step("commit")
	if err := root.Rename(manifestTemp, layout.ManifestName); err != nil {
		return err
	}
	w.opts.step("committed")
	w.result.Written = true
	w.old = w.next
	// The next writer repairs whatever fails from here on.
	if err := cmp.Or(syncDir(root, "."), w.recover()); err != nil {
		w.opts.Report(fmt.Errorf("the index is written; clean up store %s: %w", root.Name(), layout.Cause(err)))
	}
	return nil
}

// writeIgnores writes the .gitignore of the store if there is none, or if it is the one that an older version wrote.
func (w *writer) writeIgnores() error {
	const before = "# Temporary files, and outputs of stages that a Makefile keeps; the index itself may be committed.\n/cache/\n.*.tmp\n.*.old\n"
	if now, err := w.lock.root.Read(gitignoreName, 1<<10); err == nil && string(now) == before {
		if err := w.lock.root.Remove(gitignoreName); err != nil {
			return err
		}
	}
	f, err := w.lock.root.CreateNew(gitignoreName)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString(gitignore)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	return err
}

// syncDir makes changes of names in a folder durable.
func syncDir(root *safeopen.Root, name string) error {
	dir, err := root.Dir(name)
	if err != nil {
		return err
	}
	defer dir.Close()
	err = dir.Sync()
	if errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	return err
}

// recover completes a commit, its own or one that was interrupted: it renames the shards of the current manifest to
// their final names, and removes temporary files, other shards, and files of older versions. It writes nothing if
// nothing is left to do.
func (w *writer) recover() error {
	root := w.lock.root
	if _, err := root.Lstat(manifestTemp); err == nil {
		w.opts.step("remove " + manifestTemp)
		if err := root.Remove(manifestTemp); err != nil {
			return err
		}
	}
	if w.old != nil {
		w.removeOlder()
	}
	names, err := namesIn(root, layout.ShardsDir)
	if err != nil {
		return err
	}
	places, ours := map[string]string{}, map[string]bool{}
	if w.old != nil {
		for i := range w.old.Shards {
			s := &w.old.Shards[i]
			places[layout.NewPath(s)], ours[layout.ShardPath(s.Name)] = layout.ShardPath(s.Name), true
		}
	}
	moved := false
	for _, name := range names {
		path := layout.ShardsDir + "/" + name
		place, committed := places[path]
		shardName, isNew := layout.ShardOf(name)
		switch {
		case committed:
			w.opts.step("rename " + name)
			if err := root.Rename(path, place); err != nil {
				return err
			}
			moved = true
		case isNew, shardName != "" && w.old != nil && !ours[path]:
			w.opts.step("remove " + name)
			if err := root.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	if moved {
		return syncDir(root, layout.ShardsDir)
	}
	return nil
}

// namesIn returns the sorted names in a folder of the store.
func namesIn(root *safeopen.Root, folder string) ([]string, error) {
	dir, err := root.Dir(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, safeopen.ErrLink):
		return nil, hint.Wrap(fmt.Errorf("%s/%s is not a folder", root.Name(), folder), "remove it and index again in full: "+layout.InFolder(root.Name(), layout.IndexAll))
	}
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	slices.Sort(names)
	return names, err
}

// removeOlder removes the files of an older format, since the store now has their content. Other files in those folders
// stay.
func (w *writer) removeOlder() {
	root := w.lock.root
	for folder, files := range map[string][]string{
		"chunks": {"code-symbols.jsonl", "code-definitions.jsonl", "code-data.jsonl", "code-implementations.jsonl", "doc-chunks.jsonl"},
		"graph":  {"code-graph.jsonl"},
	} {
		names, err := namesIn(root, folder)
		if err != nil || len(names) == 0 {
			continue
		}
		for _, name := range names {
			for _, file := range files {
				if name == file || strings.HasPrefix(name, "."+file+".") {
					_ = root.Remove(folder + "/" + name)
				}
			}
		}
		_ = root.Remove(folder)
	}
}

// rollBack undoes a failed commit as far as possible; the next writer completes the rest.
func (w *writer) rollBack() {
	if err := w.recover(); err != nil {
		w.opts.Report(fmt.Errorf("clean up store %s: %w", w.lock.root.Name(), layout.Cause(err)))
	}
	if w.lock.made {
		w.lock.root.Remove(gitignoreName)
		w.lock.root.Remove(layout.ShardsDir)
	}
}

const gitignoreName = ".gitignore"

const gitignore = `# Temporary files, and outputs of stages that a Makefile keeps; the index itself may be committed.
/cache/
.*.tmp
.*.new
`

// manifestTemp is the file that the next manifest is written to before it is renamed.
const manifestTemp = "." + layout.ManifestName + layout.TempSuffix
