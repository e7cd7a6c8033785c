package update

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"

	"cortex/lib/parallel"
	"cortex/lib/store/layout"
	"cortex/lib/store/shard"
)

// brings reports whether the run has records of files in shard i of n.
func (w *writer) brings(i, n int) bool {
	for part := i * shard.Most / n; part < (i+1)*shard.Most/n; part++ {
		if len(w.change.heads[part]) > 0 {
			return true
		}
	}
	return false
}

// readHeads reads the file records of the old shards: of those in which the run has files, or of all if the plan needs
// them.
func (w *writer) readHeads(ctx context.Context) error {
	if w.old == nil {
		return nil
	}
	n := len(w.old.Shards)
	all := w.needsAll()
	w.heads, w.lost = make([][]*shard.File, n), make([]bool, n)
	group, ctx := parallel.NewGroup(ctx)
	group.SetLimit(max(w.opts.Jobs, runtime.GOMAXPROCS(0)))
	for i := range n {
		if !all && !w.brings(i, n) {
			continue
		}
		group.Go(func() error {
			files, err := w.oldFiles(ctx, i)
			var d *layout.Damage
			if errors.As(err, &d) && w.change.replacesTree() {
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

// oldFiles returns the file records of an old shard, from its table if possible.
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

// oldGroups reads an old shard and returns its files with their lines.
func (w *writer) oldGroups(ctx context.Context, i int) ([]*group, error) {
	s := &w.old.Shards[i]
	f, err := layout.OpenShard(w.lock.root, s)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data := make([]byte, 0, min(s.Size, 64<<20))
	err = layout.ScanLines(ctx, f, s, func(line []byte, _ int64) error {
		data = append(append(data, line...), '\n')
		return nil
	})
	var groups []*group
	if err == nil {
		groups, err = groupsOf(data, false)
	}
	var d *layout.Damage
	if errors.As(err, &d) {
		d.File = f.Name()
		return nil, d
	}
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("read %s: %w", f.Name(), layout.Cause(err))
	}
	return groups, err
}
