package index

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"cortex/lib/parallel"
	"cortex/lib/record"
	"cortex/lib/store"
)

// A difference is how the chunks of a generation come from those of an older one.
type difference struct {
	// from has for each chunk that of the older generation which it is, or gone.
	from    []uint32
	offsets []uint64
	// fresh are the lines of the other chunks, in order.
	fresh []store.Line
}

func (d *difference) keep(chunk int, offset int64) {
	d.from = append(d.from, uint32(chunk))
	d.offsets = append(d.offsets, uint64(offset))
}

func (d *difference) add(line store.Line) {
	d.from = append(d.from, gone)
	d.offsets = append(d.offsets, uint64(line.Offset))
	d.fresh = append(d.fresh, line)
}

// idOf is the chunk's identifier, valid as long as the generation.
func (g *Generation) idOf(chunk int) string {
	s, row := g.row(chunk)
	return s.catalog.id(row)
}

// is reports whether the chunk is what stands in the line.
func (g *Generation) is(chunk int, line store.Line) bool {
	s, row := g.row(chunk)
	c := s.catalog
	return c.columns[lineCRCColumn][row] == line.CRC32C && c.columns[lineLengthColumn][row] == uint32(line.Length) &&
		c.id(row) == line.ID && c.value(row, typeColumn) == string(record.ChunkTypes[line.File])
}

// compare finds the difference between a generation, of which the tables are enough, and all lines of another, in the order of identifiers.
func (g *Generation) compare(lines []store.Line) *difference {
	d := &difference{from: make([]uint32, 0, len(lines)), offsets: make([]uint64, 0, len(lines))}
	chunk := 0
	for _, line := range lines {
		for chunk < g.Len() && g.idOf(chunk) < line.ID {
			chunk++
		}
		if chunk < g.Len() && g.is(chunk, line) {
			d.keep(chunk, line.Offset)
		} else {
			d.add(line)
		}
	}
	return d
}

// errUnknown says that the difference can't be had without reading all lines.
var errUnknown = errors.New("what has changed is not known")

// How much of the chunk files may be new, in bytes, or as a share, for follow.
const (
	freeNew  = 8 << 20
	newShare = 4
)

// follow is compare for a generation that is known to consist of pieces of this one: it reads only what is new. The error is errUnknown, or
// one of reading, if all lines are to be compared instead.
func (g *Generation) follow(ctx context.Context, lines *store.Lines) (*difference, error) {
	files, err := lines.Changes(g.meta.Chunks)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errUnknown, err)
	}
	old := make([]run, len(files)) // the pieces of the older files, where they are now
	var fresh []store.Line
	total, added := int64(0), int64(0)
	for _, pieces := range files {
		for _, p := range pieces {
			total += p.Size
			if p.Old < 0 {
				added += p.Size
			}
		}
	}
	if added > max(freeNew, total/newShare) {
		return nil, errUnknown
	}
	for file, pieces := range files {
		at := int64(0)
		for _, p := range pieces {
			parallel.Yield(ctx)
			if p.Old < 0 {
				found, err := lines.Among(ctx, file, at, p.Size)
				if err != nil {
					return nil, err
				}
				fresh = append(fresh, found...)
			} else {
				old[file].pieces = append(old[file].pieces, moved{p.Old, p.Old + p.Size, at - p.Old})
			}
			at += p.Size
		}
	}
	slices.SortFunc(fresh, func(a, b store.Line) int { return strings.Compare(a.ID, b.ID) })
	d := &difference{from: make([]uint32, 0, g.Len()+len(fresh)), offsets: make([]uint64, 0, g.Len()+len(fresh))}
	kinds := g.kinds()
	counts := make([]int, len(files))
	chunk := 0
	// takeTo takes over the chunks before end.
	takeTo := func(end int) error {
		for ; chunk < end; chunk++ {
			if chunk%chunksAtOnce == 0 {
				parallel.Yield(ctx)
			}
			kind := kinds(chunk)
			if kind < 0 {
				return errUnknown
			}
			s, row := g.row(chunk)
			if offset, ok := old[kind].now(int64(g.offsets[chunk]), int64(s.catalog.columns[lineLengthColumn][row])+1); ok {
				d.keep(chunk, offset)
				counts[kind]++
			}
		}
		return nil
	}
	for i, line := range fresh {
		if i > 0 && line.ID == fresh[i-1].ID {
			return nil, errUnknown // which is damage
		}
		at, found := g.find(line.ID, chunk)
		if err := takeTo(at); err != nil {
			return nil, err
		}
		counts[line.File]++
		if !found {
			d.add(line)
			continue
		}
		// The chunk of that name must have gone; it may have come back as it was.
		before := len(d.from)
		if err := takeTo(at + 1); err != nil {
			return nil, err
		}
		switch {
		case len(d.from) > before:
			return nil, errUnknown
		case g.is(at, line):
			d.keep(at, line.Offset)
		default:
			d.add(line)
		}
	}
	if err := takeTo(g.Len()); err != nil {
		return nil, err
	}
	for file, n := range counts {
		if n != lines.Head.Lines(file) {
			return nil, errUnknown
		}
	}
	return d, nil
}

// find is the first chunk from that one on whose identifier is not less.
func (g *Generation) find(id string, from int) (chunk int, found bool) {
	low, high := from, g.Len()
	for low < high {
		middle := int(uint(low+high) / 2)
		if g.idOf(middle) < id {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low, low < g.Len() && g.idOf(low) == id
}

// kinds returns what tells a chunk's type, as an index in record.ChunkTypes, or -1.
func (g *Generation) kinds() func(chunk int) int {
	// By segment and number of the type's name; 0 is not known yet.
	known := make([][]int8, len(g.segments))
	for i, s := range g.segments {
		known[i] = make([]int8, len(s.catalog.ends))
	}
	return func(chunk int) int {
		i, row := g.place(chunk)
		c := g.segments[i].catalog
		name := c.columns[typeColumn][row]
		if known[i][name] == 0 {
			known[i][name] = int8(slices.Index(record.ChunkTypes, record.ChunkType(c.string(name))) + 1)
			if known[i][name] == 0 {
				return -1
			}
		}
		return int(known[i][name]) - 1
	}
}

// A run is a chunk file's pieces that are still there, looked up in ascending order.
type run struct {
	pieces []moved
	next   int
}

// moved is where a piece was, and how far it has moved.
type moved struct{ start, end, by int64 }

// now is where a line of so many bytes is, if it is still there.
func (r *run) now(offset, size int64) (int64, bool) {
	for r.next < len(r.pieces) && r.pieces[r.next].end <= offset {
		r.next++
	}
	if r.next == len(r.pieces) || offset < r.pieces[r.next].start || offset+size > r.pieces[r.next].end {
		return 0, false
	}
	return offset + r.pieces[r.next].by, true
}

// A succession is how a generation is made from an older one.
type succession struct {
	// stays tells for each segment of the older one whether it is one of the new one.
	stays []bool
	// numberOf is the table of the new one, rows are the lines of its new segment, which comes last.
	numberOf []uint32
	rows     []store.Line
}

// absorbed says when the chunks of a delta are written again into the next one: if they are no more than so many times as many as that would
// have otherwise. So there are few deltas, and a chunk is written again only a few times.
const absorbed = 2

// chunksAtOnce is after how many chunks, of which little is looked at, others may go first.
const chunksAtOnce = 2048

// succeed plans the generation. It is nil if too much has changed since the base was made.
func (g *Generation) succeed(ctx context.Context, d *difference) *succession {
	live := make([]int, len(g.segments))
	for _, chunk := range d.from {
		if chunk != gone {
			i, _ := g.place(int(chunk))
			live[i]++
		}
	}
	if isFar(g.segments[0].catalog.rows(), live[0], len(d.from), freeDifference, differenceShare) {
		return nil
	}
	s := &succession{stays: make([]bool, len(g.segments)), numberOf: make([]uint32, len(d.from))}
	rows := len(d.fresh)
	for i := len(live) - 1; i > 0; i-- {
		if live[i] <= absorbed*rows {
			rows += live[i]
		} else {
			s.stays[i] = live[i] > 0
		}
	}
	s.stays[0] = true
	first := make([]int, len(g.segments))
	total := 0
	for i, segment := range g.segments {
		if s.stays[i] {
			first[i] = total
			total += segment.catalog.rows()
		}
	}
	s.rows = make([]store.Line, 0, rows)
	fresh := d.fresh
	for chunk, from := range d.from {
		if chunk%chunksAtOnce == 0 {
			parallel.Yield(ctx)
		}
		if from != gone {
			i, row := g.place(int(from))
			if s.stays[i] {
				s.numberOf[chunk] = uint32(first[i] + row)
				continue
			}
			line := g.segments[i].catalog.line(row)
			line.Offset = int64(d.offsets[chunk])
			line.ID = strings.Clone(line.ID) // it outlives the segment
			s.rows = append(s.rows, line)
		} else {
			s.rows, fresh = append(s.rows, fresh[0]), fresh[1:]
		}
		s.numberOf[chunk] = uint32(total + len(s.rows) - 1)
	}
	return s
}

// isFar reports whether more than so many chunks, and more than that share, are not in a base of so many rows, or the base has as many that are gone.
func isFar(rows, live, chunks, free, share int) bool {
	return max(chunks-live, rows-live) > max(free, chunks/share)
}

// Due reports whether so much has changed since the base was made that another should be.
func (g *Generation) Due() (due bool) {
	var err error
	defer Guard(&err)() // what can't be read is not due
	rows := g.segments[0].catalog.rows()
	live := 0
	for _, number := range g.numberOf {
		if int(number) < rows {
			live++
		}
	}
	return isFar(rows, live, len(g.numberOf), freeDue, dueShare)
}

// sums adds up the terms of the chunks, by dictionary, from those of the segments.
func (g *Generation) sums(ctx context.Context) []uint64 {
	parallel.Yield(ctx)
	alive := make([]bool, g.documents())
	for _, number := range g.numberOf {
		alive[number] = true
	}
	sums := make([]uint64, len(g.segments[0].sums))
	for i, s := range g.segments {
		parallel.Yield(ctx)
		for dict, n := range s.sums {
			sums[dict] += n
		}
		for row := range s.catalog.rows() {
			if alive[g.firsts[i]+row] {
				continue
			}
			for dict, column := range s.catalog.lengths {
				if column != nil {
					sums[dict] -= uint64(column[row])
				}
			}
		}
	}
	return sums
}
