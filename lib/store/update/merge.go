package update

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strings"

	"cortex/lib/record"
	"cortex/lib/store/layout"
	"cortex/lib/store/shard"
)

// merged is a shard of the next generation.
type merged struct {
	shard layout.Shard
	data  []byte
	files []*shard.File
	// was and is count what the old shards had in its place and what it has.
	was, is                 *layout.Tally
	added, changed, removed int
	// lost are the trees of which files were lost with a damaged shard.
	lost []int
}

// merge makes shard i of n out of the old shards that have its files and of what the run brought.
func (w *writer) merge(ctx context.Context, i, n int) (*merged, error) {
	m := &merged{was: layout.NewTally(), is: layout.NewTally()}
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
			// What was to stay is lost.
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
	digest := sha256.Sum256(m.data)
	m.shard = layout.Shard{Name: layout.ShardName(i), Size: int64(len(m.data)), Digest: hex.EncodeToString(digest[:]), Files: len(m.files), Chunks: m.is.Stats.Chunks}
	return m, nil
}

// take counts a file that stands in the shard.
func (m *merged) take(f *shard.File) {
	m.files = append(m.files, f)
	m.is.Count(f, 1)
}

// mergeOld reads the old shards in which files of shard i of n are.
func (w *writer) mergeOld(ctx context.Context, m *merged, all map[string][2]*group, i, n int) error {
	before := len(w.old.Shards)
	for k := i * before / n; k < max((i+1)*before/n, i*before/n+1); k++ {
		groups, err := []*group(nil), error(&layout.Damage{File: w.lock.root.Name() + "/" + layout.ShardPath(layout.ShardName(k)), What: "its content differs from its digest"})
		if !w.lost[k] {
			groups, err = w.oldGroups(ctx, k)
		}
		var d *layout.Damage
		if errors.As(err, &d) && w.replacesTree() {
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
				m.was.Count(g.head, 1)
			}
		}
	}
	return nil
}

// A part is one chunk of a file that is merged.
type part struct {
	shard.Glance
	// old tells that it stays as it is stored.
	old bool
}

// mergeFile writes a file of which the run has something to say.
func (w *writer) mergeFile(m *merged, a *action, old, now *group) error {
	var f shard.File = *a.head
	facts := []byte(nil)
	switch {
	case a.ownFacts:
		facts = now.facts
	case old != nil:
		facts = old.facts
	}
	stored := map[string]part{}
	if old != nil {
		if err := glances(old, &f, a.stay, func(g shard.Glance) {
			if g.Created == "" {
				g.Created, g.Updated = old.head.Created, old.head.Updated
			}
			stored[g.ID] = part{g, true}
		}); err != nil {
			return err
		}
	}
	var parts []part
	fresh := map[string]int{}
	incomplete := false
	if now != nil {
		if err := glances(now, &f, true, func(g shard.Glance) {
			if at, twice := fresh[g.ID]; twice {
				parts[at].Glance = g // picked records: the later one is the newer
				return
			}
			fresh[g.ID] = len(parts)
			parts = append(parts, part{Glance: g})
		}); err != nil {
			return err
		}
	}
	for i := range parts {
		p := &parts[i]
		incomplete = incomplete || !p.Embedded
		before, known := stored[p.ID]
		switch {
		case known:
			same := before.Type == p.Type && bytes.Equal(before.Body, p.Body)
			if !same {
				m.changed++
			}
			p.Created, p.Updated = before.Created, before.Updated
			if !same && !bytes.Equal(before.Text(), p.Text()) {
				// A clock that went back must not put the change before the start.
				p.Updated = max(w.now, p.Created)
			}
			delete(stored, p.ID)
		default:
			m.added++
			if p.Created == "" {
				p.Created, p.Updated = w.now, w.now
			}
		}
	}
	if a.stay {
		for _, p := range stored {
			parts = append(parts, p)
		}
	} else {
		m.removed += len(stored)
	}
	slices.SortFunc(parts, func(a, b part) int { return strings.Compare(a.ID, b.ID) })
	f.Chunks, f.Unembedded = [5]int{}, 0
	for i := range parts {
		f.Chunks[parts[i].Type]++
		if !parts[i].Embedded {
			f.Unembedded++
		}
	}
	f.Created, f.Updated = usualTimes(parts)
	if incomplete && w.dropUnembedded {
		// The next incremental run does it again.
		f.Record.SHA256 = ""
	}
	if len(parts) == 0 && f.Record.Status == "" {
		return nil
	}
	var err error
	if m.data, err = f.Append(m.data, facts); err != nil {
		return err
	}
	for i := range parts {
		m.data = parts[i].AppendTo(m.data, f.Created, f.Updated)
	}
	m.take(&f)
	return nil
}

// usualTimes are the times of most parts, of several the earliest.
func usualTimes(parts []part) (created, updated string) {
	counts := map[[2]string]int{}
	for i := range parts {
		times := [2]string{parts[i].Created, parts[i].Updated}
		counts[times]++
		if most := counts[[2]string{created, updated}]; counts[times] > most || counts[times] == most && (times[0] < created || times[0] == created && times[1] < updated) {
			created, updated = times[0], times[1]
		}
	}
	return created, updated
}

// glances looks at the chunks of a file. Lines that stand in the next generation are made anew if that has another record of the file, from which
// follows what they leave out.
func glances(g *group, next *shard.File, stands bool, take func(shard.Glance)) error {
	anew := stands && !sameBasis(g.head, next)
	for _, line := range g.lines {
		if anew {
			c, err := shard.DecodeChunk(line, g.head, "")
			if err != nil {
				return &layout.Damage{What: err.Error()}
			}
			head := *next
			if head.Created, head.Updated = "", ""; c.CreatedAt == "" {
				c.CreatedAt, c.UpdatedAt = g.head.Created, g.head.Updated
			}
			if line, err = shard.AppendChunk(nil, &head, c); err != nil {
				return err
			}
			line = line[:len(line)-1]
		}
		glance, ok := g.look(line, next, anew)
		if !ok {
			return &layout.Damage{What: "not a chunk as the store writes it"}
		}
		take(glance)
	}
	return nil
}

// sameBasis reports whether the lines of chunks mean the same below both records of a file.
func sameBasis(a, b *shard.File) bool {
	return a.Record.Language == b.Record.Language && a.Record.Package == b.Record.Package && slices.Equal(a.Record.Tags, b.Record.Tags)
}
