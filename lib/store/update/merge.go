package update

import (
	"bytes"
	"slices"
	"strings"

	"cortex/lib/store/layout"
	"cortex/lib/store/shard"
)

// merged is a shard of the next generation.
type merged struct {
	shard layout.Shard
	data  []byte
	files []*shard.File
	// counts is the difference to the old shards: files and chunks that this shard has, minus those that they had.
	counts                  *layout.Tally
	added, changed, removed int
	// lost has the indexes of old shards that are damaged, so that their content is lost.
	lost []int
}

// take adds a file to the shard's files and counts.
func (m *merged) take(f *shard.File) {
	m.files = append(m.files, f)
	m.counts.Count(f, 1)
}

// A part is one chunk of a file that is merged.
type part struct {
	shard.Glance
	// old says that the chunk stays as it is stored.
	old bool
}

// mergeFile appends the lines of a file that the run adds or changes. old is the stored file, now the file of the run;
// either may be nil.
func (p *plan) mergeFile(m *merged, a *action, old, now *group) error {
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
				parts[at].Glance = g // outside a run the last chunk with an identifier counts
				return
			}
			fresh[g.ID] = len(parts)
			parts = append(parts, part{Glance: g})
		}); err != nil {
			return err
		}
	}
	for i := range parts {
		brought := &parts[i]
		incomplete = incomplete || !brought.Embedded
		before, known := stored[brought.ID]
		switch {
		case known:
			same := before.Type == brought.Type && bytes.Equal(before.Body, brought.Body)
			if !same {
				m.changed++
			}
			brought.Created, brought.Updated = before.Created, before.Updated
			if !same && !bytes.Equal(before.Text(), brought.Text()) {
				// If the clock was set back, the update must not precede the creation.
				brought.Updated = max(p.now, brought.Created)
			}
			delete(stored, brought.ID)
		default:
			m.added++
			if brought.Created == "" {
				brought.Created, brought.Updated = p.now, p.now
			}
		}
	}
	if a.stay {
		for _, kept := range stored {
			parts = append(parts, kept)
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
	if incomplete && p.dropUnembedded {
		// The next incremental run indexes the file again.
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

// usualTimes returns the times that most parts have; of equally frequent ones the earliest.
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

// glances calls take with a Glance at each chunk of a file. stands says that the lines belong to the next generation;
// if the file's record in it changes what the lines leave out, they are encoded anew.
func glances(g *group, next *shard.File, stands bool, take func(shard.Glance)) error {
	anew := stands && !g.head.SameForChunks(next)
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
