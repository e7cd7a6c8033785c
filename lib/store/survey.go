package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"golang.org/x/sync/errgroup"

	"cortex/lib/record"
)

// survey reads the stored chunks and plans what becomes of each. New chunks get the
// times of those that they replace.
func (w *writer) survey(ctx context.Context) error {
	for _, list := range w.change.chunks {
		for _, ch := range list {
			if ch.created == "" {
				ch.created, ch.updated = w.now, w.now
			}
		}
	}
	w.result.Added = w.change.count
	if w.old == nil {
		for kind := range w.plans {
			w.plans[kind] = plan{rest: w.change.chunks[kind], changed: true}
		}
		return nil
	}
	touched, partial := w.touched()
	if partial {
		w.tally = w.old.tally()
	}
	if partial && len(touched) == 0 && w.change.count == 0 {
		w.kept = w.old.Stats.Chunks
		return nil
	}
	var found [kinds]*surveyed
	var faults [kinds]error
	group := errgroup.Group{}
	group.SetLimit(w.opts.Jobs)
	for kind := range kinds {
		group.Go(func() error {
			if partial {
				found[kind], faults[kind] = w.surveyTouched(ctx, kind, touched)
			} else {
				found[kind], faults[kind] = w.surveyAll(ctx, kind)
			}
			return nil
		})
	}
	_ = group.Wait() // the faults are taken in order
	for kind := range kinds {
		if err := w.takeSurvey(kind, found[kind], faults[kind]); err != nil {
			return err
		}
		if partial {
			w.tally.subtract(found[kind].gone)
		} else {
			w.tally.add(found[kind].stay)
		}
	}
	return nil
}

// touched returns the tree paths of the files of which stored chunks may go. If most of the store may, partial
// is false.
func (w *writer) touched() (paths map[string]bool, partial bool) {
	c := w.change
	if !c.whole {
		return nil, true
	}
	if c.begin.Mode == record.Full {
		return nil, false
	}
	paths = map[string]bool{}
	for path, f := range c.files {
		if f.Status == record.StatusUnchanged || w.keepsUnreadable(path, f) {
			continue
		}
		// One that was skipped before has none.
		if before, known := w.old.Files[path]; !known || before.Status.Indexed() || f.Status.Indexed() {
			paths[path] = true
		}
	}
	return paths, true
}

// surveyed is what the survey of one chunk file finds.
type surveyed struct {
	plan    plan
	found   []match
	removed int
	// stay and gone count the stored chunks; of a partial survey only gone is complete.
	stay, gone tally

	// kind is the type of the chunks, fresh the new ones that are not placed yet.
	kind  int
	fresh []*chunk
	// offset is where the next line begins; last is the identifier of the one before.
	offset int64
	last   []byte
}

// A match is a new chunk and the stored one that it replaces.
type match struct {
	new              *chunk
	created, updated string
	sameText, same   bool
}

func (w *writer) newSurvey(kind int) *surveyed {
	return &surveyed{kind: kind, fresh: w.change.chunks[kind], stay: newTally(), gone: newTally()}
}

// surveyAll looks at every stored chunk in full.
func (w *writer) surveyAll(ctx context.Context, kind int) (*surveyed, error) {
	var s *surveyed
	err := readChunkFile(ctx, w.lock.root, w.old, kind, w.opts.Jobs, false,
		func() { s = w.newSurvey(kind) },
		func(b block) (scanned, error) {
			chunks, err := scanBlock(w.old, kind, b)
			first := 0
			if b.number == 1 {
				first = bytes.IndexByte(b.data, '\n') + 1
			}
			return scanned{chunks, int64(first)}, err
		},
		func(found scanned) error {
			if found.header > 0 {
				s.header(found.header)
			}
			for _, ch := range found.chunks {
				if err := s.next(ch.number, []byte(ch.id)); err != nil {
					return err
				}
				w.surveyChunk(s, ch)
				s.offset += int64(ch.size)
			}
			return nil
		})
	s.plan.rest = s.fresh
	return s, err
}

// scanned are the chunks in a block, and the length of the header if that is in it.
type scanned struct {
	chunks []*chunk
	header int64
}

// surveyTouched looks in full at those stored chunks alone that have a new one's identifier or lie in one of the files.
func (w *writer) surveyTouched(ctx context.Context, kind int, touched map[string]bool) (*surveyed, error) {
	s := w.newSurvey(kind)
	scan := scanner{trusted: true}
	number := 0
	line := func(line []byte) error {
		if number++; number == 1 {
			s.header(int64(len(line)) + 1)
			return checkMetadataLine(w.old, kind, line)
		}
		id, path, ok := glance(line)
		if !ok {
			return &damage{line: number, what: "not a chunk as the store writes it"}
		}
		if err := s.next(number, id); err != nil {
			return err
		}
		if w.change.byID[string(id)] == nil && !touched[string(path)] {
			s.plan.kept++
		} else {
			ch, ok := scan.scan(bytes.Clone(line))
			if !ok || ch.kind != kind {
				return &damage{line: number, what: "not a chunk as the store writes it"}
			}
			ch.size = len(line) + 1
			w.surveyChunk(s, ch)
		}
		s.offset += int64(len(line)) + 1
		return nil
	}
	path := chunkPath(kind)
	err := readLines(ctx, w.lock.root, path, w.old.ChunkFiles[fileNames[kind]], line)
	s.plan.rest = s.fresh
	return s, err
}

// header is told of the first line, which is written anew.
func (s *surveyed) header(size int64) {
	s.plan.edits = append(s.plan.edits, edit{drop: size})
	s.offset = size
}

// next is told of the next stored line, and puts the new chunks that sort before it in front.
func (s *surveyed) next(number int, id []byte) error {
	if bytes.Compare(id, s.last) <= 0 {
		return &damage{line: number, what: fmt.Sprintf("chunk %q is out of order", id)}
	}
	s.last = append(s.last[:0], id...)
	for len(s.fresh) > 0 && s.fresh[0].id < string(id) {
		s.place(s.fresh[0], 0)
		s.fresh = s.fresh[1:]
	}
	return nil
}

// place plans to write a new chunk, if it is not nil, before the next line and to leave out drop bytes of that.
func (s *surveyed) place(ch *chunk, drop int) {
	last := len(s.plan.edits) - 1
	if last < 0 || s.plan.edits[last].at+s.plan.edits[last].drop != s.offset {
		s.plan.edits = append(s.plan.edits, edit{at: s.offset})
		last++
	}
	if ch != nil {
		s.plan.edits[last].insert = append(s.plan.edits[last].insert, ch)
	}
	s.plan.edits[last].drop += int64(drop)
}

// surveyChunk plans what becomes of one stored chunk.
func (w *writer) surveyChunk(s *surveyed, ch *chunk) {
	now := w.change.byID[ch.id]
	switch {
	case now != nil:
		same := now.kind == s.kind && bytes.Equal(now.body, ch.body)
		s.found = append(s.found, match{now, ch.created, ch.updated, bytes.Equal(now.text, ch.text), same})
		if !same {
			s.plan.changed = true
		}
		if now.kind == s.kind {
			s.place(now, ch.size)
			s.fresh = s.fresh[1:] // next has placed those before it
		} else {
			s.place(nil, ch.size)
		}
		s.gone.count(ch)
	case w.stays(ch):
		s.plan.kept++
		s.stay.count(ch)
	default:
		s.removed++
		s.plan.changed = true
		s.place(nil, ch.size)
		s.gone.count(ch)
	}
}

// takeSurvey takes over what the survey of a chunk file found.
func (w *writer) takeSurvey(kind int, s *surveyed, err error) error {
	var d *damage
	if errors.As(err, &d) && w.replacesTree() {
		w.opts.Warn("%s; it is made anew", d)
		w.lose()
		*s = surveyed{plan: plan{rest: w.change.chunks[kind], changed: true, damaged: true}}
		err = nil
	}
	if err != nil {
		return withCure(w.lock.root.Name(), err)
	}
	same := 0
	for _, m := range s.found {
		m.apply(w.now)
		w.result.Added--
		if m.same {
			same++
		} else {
			w.result.Changed++
		}
	}
	w.result.Removed += s.removed
	w.kept += s.plan.kept
	w.plans[kind] = s.plan
	// Chunks of this type beyond those that were stored the same.
	if same < len(w.change.chunks[kind]) {
		w.plans[kind].changed = true
	}
	return nil
}

// replacesTree reports whether all of the tree that could be read comes anew.
func (w *writer) replacesTree() bool {
	c := w.change
	return c.begin != nil && c.whole && c.begin.Mode == record.Full && c.byStatus[record.StatusUnchanged] == 0
}

// lose notes that chunks of files that the run does not bring are lost: the next run of their tree
// does them again.
func (w *writer) lose() {
	trees := map[string]bool{}
	for path := range w.next.FileChecksums {
		if f := w.change.files[path]; f == nil || !f.Status.Indexed() {
			delete(w.next.FileChecksums, path)
			trees[w.next.Files[path].Tree] = true
		}
	}
	for _, tree := range slices.Sorted(maps.Keys(trees)) {
		if tree != w.change.begin.Tree {
			w.opts.Warn("chunks of tree %q are lost with it; index that again: cortex-parse --incremental --tree %s ...", tree, tree)
		}
	}
}

// scanBlock scans the stored chunks in a block. They refer to the block.
func scanBlock(m *Manifest, kind int, b block) ([]*chunk, error) {
	s := scanner{trusted: true}
	var chunks []*chunk
	err := b.lines(func(number int, line []byte) error {
		if number == 1 {
			return checkMetadataLine(m, kind, line)
		}
		ch, ok := s.scan(line)
		if !ok || ch.kind != kind {
			return &damage{line: number, what: "not a chunk as the store writes it"}
		}
		ch.number, ch.size = number, len(line)+1
		chunks = append(chunks, ch)
		return nil
	})
	return chunks, err
}

// apply gives the new chunk its times: the text was first seen, and last changed, when
// the stored one says.
func (m match) apply(now string) {
	m.new.created = m.created
	m.new.updated = m.updated
	if !m.sameText {
		// A clock that went back must not put the change before the start.
		m.new.updated = max(now, m.created)
	}
}

var (
	idKey   = []byte(`{"type":"chunk","id":"`)
	pathKey = []byte(`,"file_path":"`)
)

// glance finds the identifier and the tree path of a stored chunk without reading the rest. The key of the path
// cannot stand inside a string, where quotes are escaped.
func glance(line []byte) (id, path []byte, ok bool) {
	rest, ok := bytes.CutPrefix(line, idKey)
	if !ok {
		return nil, nil, false
	}
	if id, rest, ok = stringAt(rest); !ok {
		return nil, nil, false
	}
	at := bytes.Index(rest, pathKey)
	if at < 0 {
		return nil, nil, false
	}
	path, _, ok = stringAt(rest[at+len(pathKey):])
	return id, path, ok
}

// stringAt is the string whose inside begins data, decoded, and what follows it.
func stringAt(data []byte) (text, rest []byte, ok bool) {
	end := bytes.IndexByte(data, '"')
	if end < 0 {
		return nil, nil, false
	}
	if bytes.IndexByte(data[:end], '\\') < 0 {
		return data[:end], data[end+1:], true
	}
	escapes := 0
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '"':
			text = make([]byte, i-escapes)
			unescape(text, data[:i])
			return text, data[i+1:], true
		case '\\':
			n := escapeLen(data[i:])
			if n == 0 {
				return nil, nil, false
			}
			escapes += n - 1
			i += n - 1
		}
	}
	return nil, nil, false
}
