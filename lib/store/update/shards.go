package update

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"

	"cortex/lib/record"
	"cortex/lib/store/layout"
	"cortex/lib/store/shard"
)

// merge makes shard i of n from the old shards that have its files and from the lines of the run.
func (w *writer) merge(ctx context.Context, i, n int) (*merged, error) {
	m := &merged{counts: layout.NewTally()}
	all := map[string][2]*group{}
	before, fresh := 0, 0
	if w.old != nil {
		if err := w.mergeOld(ctx, m, all, i, n); err != nil {
			return nil, err
		}
	}
	for _, g := range all {
		before += len(g[0].raw)
	}
	for part := i * shard.Most / n; part < (i+1)*shard.Most/n; part++ {
		data, err := w.change.spool.take(part)
		if err != nil {
			return nil, err
		}
		fresh += len(data)
		groups, err := groupsOf(data, true)
		if err != nil {
			return nil, err
		}
		for _, g := range groups {
			path := g.head.Path()
			all[path] = [2]*group{all[path][0], g}
		}
	}
	paths := make([]string, 0, len(all))
	for path := range all {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	m.data = make([]byte, 0, max(before, fresh)+fresh/16)
	for _, path := range paths {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		old, now := all[path][0], all[path][1]
		a := w.actions[path]
		if a == nil && old == nil && now != nil && len(m.lost) > 0 && now.head.Record.Status != record.StatusDeleted {
			// The stored version that was to stay is lost.
			if a = (&action{head: now.head, ownFacts: true}); !now.head.Indexed() {
				a.head.Record.SHA256 = ""
			}
		}
		switch {
		case a == nil && old == nil:
			continue
		case a == nil:
			m.data = append(m.data, old.raw...)
			m.take(old.head)
			continue
		case a.head == nil:
			if old != nil {
				m.removed += len(old.lines)
			}
			continue
		}
		if err := w.mergeFile(m, a, old, now); err != nil {
			return nil, err
		}
	}
	chunks := 0
	for _, f := range m.files {
		chunks += f.Total()
	}
	digest := sha256.Sum256(m.data)
	m.shard = layout.Shard{Name: layout.ShardName(i), Size: int64(len(m.data)), Digest: hex.EncodeToString(digest[:]), Files: len(m.files), Chunks: chunks}
	return m, nil
}

// mergeOld reads the old shards that have files of shard i of n.
func (w *writer) mergeOld(ctx context.Context, m *merged, all map[string][2]*group, i, n int) error {
	before := len(w.old.Shards)
	for k := i * before / n; k < max((i+1)*before/n, i*before/n+1); k++ {
		groups, err := []*group(nil), error(&layout.Damage{File: w.lock.root.Name() + "/" + layout.ShardPath(layout.ShardName(k)), What: "its content differs from its digest"})
		if !w.lost[k] {
			groups, err = w.oldGroups(ctx, k)
		}
		var d *layout.Damage
		if errors.As(err, &d) && w.change.replacesTree() {
			m.lost = append(m.lost, k)
			continue
		}
		if err != nil {
			return err
		}
		for _, g := range groups {
			path := g.head.Path()
			if shard.Of(path, n) == i {
				all[path] = [2]*group{g, nil}
				m.counts.Count(g.head, -1)
			}
		}
	}
	return nil
}
