package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"

	"cortex/lib/hint"
	"cortex/lib/record"
	"cortex/lib/safeopen"
)

// maxFaults is how many faults of one chunk file are named.
const maxFaults = 20

// Verify checks everything that a store promises: digests, order, canonical form, unique
// identifiers, one model, and the counts in the manifest. It reports each fault. The error
// says that there were some, or what kept it from looking.
func Verify(ctx context.Context, dir string, report func(error)) error {
	var v *verification
	err := consistently(ctx, dir, func(root *safeopen.Root, m *Manifest) error {
		v = &verification{root: root, manifest: m, tally: newTally(), places: map[string]string{}}
		if err := v.run(ctx); err != nil {
			return err
		}
		if len(v.faults) > 0 {
			return errFaults
		}
		return nil
	})
	if !errors.Is(err, errFaults) {
		return err
	}
	cure := cureOfDamage
	for _, fault := range v.faults {
		report(fault)
		var d *damage
		if !errors.As(fault, &d) {
			// What cannot be read a full run would not replace.
			cure = cmp.Or(hint.Of(withCure(dir, fault)), cure)
		}
	}
	return hint.Wrap(fmt.Errorf("store %s: %s", dir, count(len(v.faults), "fault")), cure)
}

var errFaults = errors.New("the store has faults")

// A verification is one look at one generation.
type verification struct {
	root     *safeopen.Root
	manifest *Manifest
	faults   []error
	tally    tally
	// places tells where each identifier was seen.
	places map[string]string
}

func (v *verification) fault(format string, args ...any) {
	v.faults = append(v.faults, fmt.Errorf(format, args...))
}

func (v *verification) run(ctx context.Context) error {
	for kind := range kinds {
		if err := v.file(ctx, kind); err != nil {
			return err
		}
	}
	if err := v.verifyGraph(ctx); err != nil {
		return err
	}
	v.checkManifest()
	return nil
}

// verified is what one attempt to read a chunk file found.
type verified struct {
	chunks []verifiedChunk
	faults []error
}

type verifiedChunk struct {
	id, tree, language string
	kind, number       int
	dimensions         int
}

func (v *verification) file(ctx context.Context, kind int) error {
	var attempts []*verified
	err := readChunkFile(ctx, v.root, v.manifest, kind, runtime.GOMAXPROCS(0), true,
		func() { attempts = append(attempts, &verified{}) },
		func(b block) (*verified, error) { return v.block(kind, b), nil },
		func(found *verified) error {
			last := attempts[len(attempts)-1]
			last.chunks = append(last.chunks, found.chunks...)
			last.faults = append(last.faults, found.faults...)
			return nil
		})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	result := attempts[len(attempts)-1]
	if err != nil {
		result = attempts[0]
		result.faults = append(result.faults, err)
	}
	v.faults = append(v.faults, result.faults[:min(len(result.faults), maxFaults)]...)
	if more := len(result.faults) - maxFaults; more > 0 {
		v.fault("%s: %s more", v.place(kind, 0), count(more, "fault"))
	}
	v.checkOrder(kind, result.chunks)
	if want := v.manifest.ChunkFiles[fileNames[kind]].Chunks; err == nil && want != len(result.chunks)+len(result.faults) {
		v.fault("%s: it has %s, the manifest says %d", v.place(kind, 0), count(len(result.chunks), "chunk"), want)
	}
	return nil
}

func (v *verification) place(kind, number int) string {
	if number == 0 {
		return v.root.Name() + "/" + chunkPath(kind)
	}
	return fmt.Sprintf("%s/%s:%d", v.root.Name(), chunkPath(kind), number)
}

// block checks the lines one by one.
func (v *verification) block(kind int, b block) *verified {
	found := &verified{}
	var s scanner
	// The function returns no error, so neither does lines.
	_ = b.lines(func(number int, line []byte) error {
		if number == 1 {
			if checkMetadataLine(v.manifest, kind, line) != nil {
				found.faults = append(found.faults, fmt.Errorf("%s: the first line differs from the manifest", v.place(kind, 1)))
			}
			return nil
		}
		c, err := v.line(&s, kind, number, line)
		if err != nil {
			found.faults = append(found.faults, fmt.Errorf("%s: %w", v.place(kind, number), err))
			return nil
		}
		found.chunks = append(found.chunks, verifiedChunk{c.id, c.tree, c.language, kind, number, c.dimensions})
		return nil
	})
	return found
}

func (v *verification) line(s *scanner, kind, number int, line []byte) (*chunk, error) {
	c, ok := s.scan(line)
	if !ok {
		rec, err := record.Line{Data: line}.Decode()
		if err != nil {
			return nil, fmt.Errorf("damaged: %w", errors.Unwrap(err))
		}
		if decoded, ok := rec.(*record.Chunk); ok && lacksDirection(line, decoded) {
			return nil, fmt.Errorf("chunk %q has an embedding without direction", decoded.ID)
		}
		return nil, errors.New("not in canonical form")
	}
	_, known := v.manifest.Trees[c.tree]
	switch {
	case c.kind != kind:
		return nil, fmt.Errorf("chunk %q is of type %s", c.id, record.ChunkTypes[c.kind])
	case c.dimensions > 0 && (c.model != v.manifest.Model || c.dimensions != v.manifest.Dimensions):
		return nil, fmt.Errorf("chunk %q has %s, the manifest says %s", c.id,
			describeModel(c.model, c.dimensions), describeModel(v.manifest.Model, v.manifest.Dimensions))
	case c.created == "" || c.updated < c.created:
		return nil, fmt.Errorf("chunk %q has no times, or they are in disorder", c.id)
	case !known:
		return nil, fmt.Errorf("chunk %q is of tree %q, which the manifest does not name", c.id, c.tree)
	}
	return c, nil
}

func (v *verification) checkOrder(kind int, chunks []verifiedChunk) {
	last := ""
	for _, c := range chunks {
		place := v.place(kind, c.number)
		if before, twice := v.places[c.id]; twice {
			v.fault("%s: chunk %q stands at %s too", place, c.id, before)
		} else if c.id < last {
			v.fault("%s: chunk %q is out of order", place, c.id)
		}
		last = c.id
		v.places[c.id] = place
		v.tally.count(&chunk{kind: kind, tree: c.tree, language: c.language, dimensions: c.dimensions})
	}
}

// checkManifest compares what can be derived with what the manifest says.
func (v *verification) checkManifest() {
	m := v.manifest
	name := v.root.Name() + "/" + ManifestName
	for _, path := range slices.Sorted(maps.Keys(m.Files)) {
		f := m.Files[path]
		if !slices.Contains(record.Statuses, f.Status) {
			v.fault("%s: file %q has the unknown status %q", name, path, f.Status)
		}
		if _, known := m.Trees[f.Tree]; !known {
			v.fault("%s: file %q is of tree %q, which is not named", name, path, f.Tree)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(m.FileChecksums)) {
		if !validDigest(m.FileChecksums[path]) {
			v.fault("%s: the checksum of %q is none", name, path)
		}
		if f, known := m.Files[path]; !known || !f.Status.Indexed() {
			v.fault("%s: a checksum of %q, which is not indexed", name, path)
		}
	}
	if len(v.faults) > 0 {
		// Counts are wrong when what they count is.
		return
	}
	derived := *m
	derived.Trees = maps.Clone(m.Trees)
	derived.derive(v.tally)
	if !sameContent(&derived, m) {
		v.fault("%s: its counts, settings or skipped files do not follow from what it lists", name)
	}
}
