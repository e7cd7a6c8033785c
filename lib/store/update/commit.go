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

	"golang.org/x/sync/errgroup"

	"cortex/lib/hint"
	"cortex/lib/safeopen"
	"cortex/lib/store/layout"
	"cortex/lib/store/shard"
	"cortex/lib/terminal"
)

// commit writes the next generation, unless it is the same as the last.
//
// The steps: write every changed shard under a name with its digest, beside the old one; rename the manifest, which is the commit; put the new
// shards in the places of the old ones. Each step is durable before the next begins. Before the commit nothing of the old generation is touched;
// after it readers take a shard with the digest in its name before the one in its place.
func (w *writer) commit(ctx context.Context) error { return w.or(ctx, w.write(ctx)) }

// or takes back what was done of a commit that failed.
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

// commitError says what failed: to read what the next generation takes over, or to write that.
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

// shardsFor is the number of shards for so many chunks: that of before, unless they have become twice as many or half as many since.
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

// write makes the next generation.
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
	group, groupCtx := errgroup.WithContext(ctx)
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

// touches reports whether the run changes anything in shard i of n.
func (w *writer) touches(i, n int) bool {
	if w.lost[i] {
		return true
	}
	return slices.Contains(w.touched[i*shard.Most/n:(i+1)*shard.Most/n], true)
}

// countAgain counts all files of the next generation, since what was lost with damaged shards is not known.
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

// writeShard writes a shard beside the one that it replaces.
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

// create writes a file and makes its content durable.
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

// finish commits the next generation, of which the given shards are new.
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
	// What goes wrong from here on the next writer puts in order.
	if err := cmp.Or(syncDir(root, "."), w.recover()); err != nil {
		w.opts.Report(fmt.Errorf("the index is written; clean up store %s: %w", root.Name(), layout.Cause(err)))
	}
	return nil
}

// writeIgnores writes what version control is to leave out, if there is nothing or what the version before wrote.
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

// syncDir makes the names in a folder durable.
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

// recover puts in order what a commit left behind, its own or one that was cut short: it puts the shards of the manifest in their places and
// removes all others, and what older versions had. It writes nothing if there is nothing to do.
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
		place, isNew := places[path]
		switch {
		case isNew:
			w.opts.step("rename " + name)
			if err := root.Rename(path, place); err != nil {
				return err
			}
			moved = true
		case isTemporary(name), isShard(name) && w.old != nil && !ours[path]:
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

// isTemporary reports whether a file in shards/ is a shard that was not put in its place; others are not ours.
func isTemporary(name string) bool {
	rest, ok := strings.CutPrefix(name, ".")
	return ok && len(rest) > len(layout.ShardName(0)) && isShard(rest[:len(layout.ShardName(0))]) && strings.HasSuffix(rest, layout.NewSuffix)
}

// isShard reports whether a file in shards/ has the name of a shard.
func isShard(name string) bool {
	for i := range shard.Most {
		if name == layout.ShardName(i) {
			return true
		}
	}
	return false
}

// namesIn lists a folder of the store, in order.
func namesIn(root *safeopen.Root, folder string) ([]string, error) {
	dir, err := root.Dir(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, safeopen.ErrLink):
		return nil, hint.Wrap(fmt.Errorf("%s/%s is not a folder", root.Name(), folder), "remove it and index again in full: "+layout.IndexAll)
	}
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	slices.Sort(names)
	return names, err
}

// removeOlder removes the files of the version before: what the store holds has come anew. Other files in its folders stay.
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

// rollBack takes back what a failed commit did, as far as it can; the rest is left to
// the next writer.
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

// manifestTemp is where the next manifest is written.
const manifestTemp = "." + layout.ManifestName + layout.TempSuffix
