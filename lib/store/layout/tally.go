package layout

import (
	"cmp"
	"maps"

	"cortex/lib/record"
	"cortex/lib/store/shard"
)

// A Tally counts files and chunks. A Tally of changes may have negative counts.
type Tally struct {
	Stats      Stats
	unembedded int
	Trees      map[string]Tree
}

// NewTally returns a Tally of nothing.
func NewTally() *Tally {
	return &Tally{
		Stats: Stats{FilesByStatus: map[record.Status]int{}, ChunksByType: map[record.ChunkType]int{}, Languages: map[string]LanguageStats{}},
		Trees: map[string]Tree{},
	}
}

// Count adds the file n times; n may be negative.
func (t *Tally) Count(f *shard.File, n int) {
	chunks := f.Total()
	t.Stats.Chunks += n * chunks
	t.unembedded += n * f.Unembedded
	for i, k := range f.Chunks {
		add(t.Stats.ChunksByType, record.ChunkTypes[i], n*k)
	}
	tree := t.Trees[f.Tree]
	language := t.Stats.Languages[languageKey(f.Record.Language)]
	tree.Chunks += n * chunks
	language.Chunks += n * chunks
	if status := f.Record.Status; status != "" {
		add(t.Stats.FilesByStatus, status, n)
		tree.Files += n
		if status != record.StatusSkipped {
			t.Stats.Files += n
			t.Stats.Bytes += int64(n) * f.Record.Size
			language.Files += n
			language.Bytes += int64(n) * f.Record.Size
		}
		switch status {
		case record.StatusPartial:
			language.Partial += n
		case record.StatusError:
			language.Error += n
		}
	}
	t.Trees[f.Tree] = tree
	if t.Stats.Languages[languageKey(f.Record.Language)] = language; language == (LanguageStats{}) {
		delete(t.Stats.Languages, languageKey(f.Record.Language))
	}
}

// Merge adds the counts of other, which may be negative.
func (t *Tally) Merge(other *Tally) {
	t.Stats.Files += other.Stats.Files
	t.Stats.Bytes += other.Stats.Bytes
	t.Stats.Chunks += other.Stats.Chunks
	t.unembedded += other.unembedded
	for key, n := range other.Stats.FilesByStatus {
		add(t.Stats.FilesByStatus, key, n)
	}
	for key, n := range other.Stats.ChunksByType {
		add(t.Stats.ChunksByType, key, n)
	}
	for key, o := range other.Stats.Languages {
		l := t.Stats.Languages[key]
		l = LanguageStats{l.Files + o.Files, l.Bytes + o.Bytes, l.Chunks + o.Chunks, l.Partial + o.Partial, l.Error + o.Error}
		if t.Stats.Languages[key] = l; l == (LanguageStats{}) {
			delete(t.Stats.Languages, key)
		}
	}
	for name, o := range other.Trees {
		tree := t.Trees[name]
		t.Trees[name] = Tree{Files: tree.Files + o.Files, Chunks: tree.Chunks + o.Chunks}
	}
}

// add adds n to a count, and removes a count that is 0 from the map.
func add[K comparable](counts map[K]int, key K, n int) {
	if counts[key] += n; counts[key] == 0 {
		delete(counts, key)
	}
}

// Tally returns the counts from which the manifest was made.
func (m *Manifest) Tally() *Tally {
	t := NewTally()
	t.Stats.Files, t.Stats.Bytes, t.Stats.Chunks = m.Stats.Files, m.Stats.Bytes, m.Stats.Chunks
	maps.Copy(t.Stats.FilesByStatus, m.Stats.FilesByStatus)
	maps.Copy(t.Stats.ChunksByType, m.Stats.ChunksByType)
	maps.Copy(t.Stats.Languages, m.Stats.Languages)
	for name, tree := range m.Trees {
		t.Trees[name] = Tree{Files: tree.Files, Chunks: tree.Chunks}
	}
	if t.unembedded = m.Stats.Unembedded; m.Dimensions == 0 {
		t.unembedded = t.Stats.Chunks
	}
	return t
}

// SetCounts sets the counts of the manifest, and the settings on which all trees agree.
func (m *Manifest) SetCounts(t *Tally) {
	m.Stats = t.Stats
	if m.Dimensions > 0 {
		m.Stats.Unembedded = t.unembedded
	}
	for name, tree := range t.Trees {
		is, known := m.Trees[name]
		if !known {
			if tree.Files == 0 && tree.Chunks == 0 {
				continue
			}
			is.Settings = map[string]string{}
		}
		is.Files, is.Chunks = tree.Files, tree.Chunks
		m.Trees[name] = is
	}
	m.Settings = m.commonSettings()
}

func languageKey(language string) string { return cmp.Or(language, "other") }

// commonSettings returns the settings on which all trees agree.
func (m *Manifest) commonSettings() map[string]string {
	common := map[string]string{}
	first := true
	for _, tree := range m.Trees {
		if first {
			maps.Copy(common, tree.Settings)
			first = false
			continue
		}
		for stage, fingerprint := range common {
			if tree.Settings[stage] != fingerprint {
				delete(common, stage)
			}
		}
	}
	return common
}
