package store

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"maps"

	"cortex/lib/hint"
	"cortex/lib/store/layout"
	"cortex/lib/store/shard"
	"cortex/lib/terminal"
)

// maxFaults is the number of faults that are reported for one shard.
const maxFaults = 20

// Verify checks all invariants of a store: digests, order, canonical form, unique identifiers, one model, and the
// counts in the manifest. It passes each fault to report. The error says how many faults there are, with a hint, or why
// the store could not be read.
func Verify(ctx context.Context, dir string, report func(error)) error {
	g, err := Open(ctx, dir)
	v := &verification{g: g, tally: layout.NewTally(), places: map[uint64]line{}, seed: maphash.MakeSeed()}
	var d *layout.Damage
	switch {
	case err == nil:
		defer g.Close()
		if err := v.run(ctx); err != nil {
			return err
		}
	case errors.As(err, &d):
		v.faults = append(v.faults, d)
	default:
		return err
	}
	if len(v.faults) == 0 {
		return nil
	}
	cure := layout.CureOfDamage(dir)
	for _, fault := range v.faults {
		if errors.As(fault, &d) {
			report(d)
			continue
		}
		report(errors.New(fault.Error()))
		// A full run would not repair a file that cannot be read.
		cure = cmp.Or(hint.Of(layout.WithCure(dir, fault)), cure)
	}
	return hint.Wrap(fmt.Errorf("store %s: %s", dir, terminal.Count(len(v.faults), "fault", "faults")), cure)
}

// A verification is the state of checking one generation.
type verification struct {
	g      *Generation
	faults []error
	tally  *layout.Tally
	// places has the place of each identifier, by the identifier's hash.
	places map[uint64]line
	seed   maphash.Seed
}

// A line is the place of a line: the shard and the line number.
type line struct{ shard, number int32 }

func (v *verification) fault(format string, args ...any) {
	v.faults = append(v.faults, fmt.Errorf(format, args...))
}

func (v *verification) run(ctx context.Context) error {
	for i := range v.g.files {
		before := len(v.faults)
		s := &shardCheck{v: v, shard: i}
		err := v.g.scan(ctx, i, s.line)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		s.endFile()
		if more := len(v.faults) - before - maxFaults; more > 0 {
			v.faults = v.faults[:before+maxFaults]
			v.fault("%s: %s more", v.name(i), terminal.Count(more, "fault", "faults"))
		}
		if err != nil {
			v.faults = append(v.faults, err)
		} else if want := v.g.manifest.Shards[i]; len(v.faults) == before && (s.files != want.Files || s.chunks != want.Chunks) {
			v.fault("%s: it has %s and %s, the manifest says %d and %d", v.name(i), terminal.Count(s.files, "file", "files"), terminal.Count(s.chunks, "chunk", "chunks"), want.Files, want.Chunks)
		}
	}
	v.checkManifest()
	return nil
}

func (v *verification) name(i int) string { return v.g.files[i].Name() }

// A shardCheck is the state of checking one shard.
type shardCheck struct {
	v      *verification
	shard  int
	number int
	files  int
	chunks int
	// file is the current file, path its tree path, and last the identifier of its last chunk. have counts its chunks;
	// head is the line number of its record.
	file       *shard.File
	path, last string
	have       shard.File
	head       int
	buf        []byte
}

func (s *shardCheck) fault(format string, args ...any) {
	s.v.faults = append(s.v.faults, fmt.Errorf("%s:%d: %w", s.v.name(s.shard), s.number, fmt.Errorf(format, args...)))
}

// line checks one line.
func (s *shardCheck) line(data []byte, _ int64) error {
	s.number++
	if shard.IsFile(data) {
		s.endFile()
		s.takeFile(data)
	} else {
		s.takeChunk(data)
	}
	return nil
}

// endFile compares the chunks of a file with the counts in its record.
func (s *shardCheck) endFile() {
	if f := s.file; f != nil && (s.have.Chunks != f.Chunks || s.have.Unembedded != f.Unembedded) {
		s.v.fault("%s:%d: file %q has other chunks than its record says", s.v.name(s.shard), s.head, s.path)
	}
	s.file, s.last, s.have, s.head = nil, "", shard.File{}, s.number
}

func (s *shardCheck) takeFile(data []byte) {
	s.files++
	f, err := shard.DecodeFile(data)
	if err != nil {
		s.fault("damaged: %w", err)
		return
	}
	path, before := f.Path(), s.path
	s.file, s.path = f, path
	_, known := s.v.g.manifest.Trees[f.Tree]
	facts, err := shard.Facts(&f.Record)
	if err == nil {
		s.buf, err = f.Append(s.buf[:0], facts)
	}
	switch {
	case err != nil || !bytes.Equal(s.buf[:len(s.buf)-1], data):
		s.fault("file %q: not in canonical form", path)
	case shard.Of(path, len(s.v.g.files)) != s.shard:
		s.fault("file %q is in the wrong shard", path)
	case path <= before:
		s.fault("file %q is out of order", path)
	case !known:
		s.fault("file %q is of tree %q, which the manifest does not name", path, f.Tree)
	case f.Record.SHA256 != "" && !layout.ValidDigest(f.Record.SHA256):
		s.fault("the checksum of %q is not valid", path)
	case f.Record.SHA256 != "" && !f.Indexed():
		s.fault("a checksum of %q, which is not indexed", path)
	}
	s.v.tally.Count(f, 1)
}

func (s *shardCheck) takeChunk(data []byte) {
	s.chunks++
	if s.file == nil {
		s.fault("a chunk without its file")
		return
	}
	m := &s.v.g.manifest
	g, ok := s.file.Look(data)
	c, err := shard.DecodeChunk(data, s.file, m.Model)
	if err != nil || !ok {
		s.fault("damaged: %w", cmp.Or(err, errors.New("it is not a record of a chunk")))
		return
	}
	if s.have.Chunks[g.Type]++; !g.Embedded {
		s.have.Unembedded++
	}
	before, last := s.last, c.ID
	s.last = last
	key := maphash.String(s.v.seed, c.ID)
	if place, twice := s.v.places[key]; twice {
		s.fault("chunk %q is at %s:%d too", c.ID, s.v.name(int(place.shard)), place.number)
	} else if c.ID <= before {
		s.fault("chunk %q is out of order", c.ID)
	}
	s.v.places[key] = line{int32(s.shard), int32(s.number)}
	s.buf, err = shard.AppendChunk(s.buf[:0], s.file, c)
	switch {
	case g.Embedded && c.Embedding == nil:
		s.fault("chunk %q has an embedding without direction", c.ID)
	case err != nil || !bytes.Equal(s.buf[:len(s.buf)-1], data):
		s.fault("not in canonical form")
	case len(c.Embedding) > 0 && len(c.Embedding) != m.Dimensions:
		s.fault("chunk %q has %s, the manifest says %s", c.ID, layout.DescribeModel(m.Model, len(c.Embedding)), layout.DescribeModel(m.Model, m.Dimensions))
	case !layout.ValidTime(c.CreatedAt) || !layout.ValidTime(c.UpdatedAt) || c.UpdatedAt < c.CreatedAt:
		s.fault("chunk %q has no times, or they are in disorder", c.ID)
	}
}

// checkManifest compares the counts of files and chunks with the manifest.
func (v *verification) checkManifest() {
	if len(v.faults) > 0 {
		// If records are faulty, the counts differ anyway.
		return
	}
	derived := v.g.manifest
	derived.Trees = maps.Clone(derived.Trees)
	for name, tree := range derived.Trees {
		tree.Files, tree.Chunks = 0, 0
		derived.Trees[name] = tree
	}
	derived.SetCounts(v.tally)
	if !layout.SameContent(&derived, &v.g.manifest) {
		v.fault("%s/%s: its counts or settings do not follow from what the shards hold", v.g.dir, layout.ManifestName)
	}
}
