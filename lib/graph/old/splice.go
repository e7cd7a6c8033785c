package graph

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"

	"cortex/lib/record"
)

// A seeker finds files in a graph file by halving, since they are in order.
type seeker struct {
	old Old
	buf []byte
}

// seekSize is how much is read at a time to find the next file.
const seekSize = 16 << 10

// find returns the lines of the file with the identifier, which are valid until the next call, nil if it is not where it should be.
func (s *seeker) find(id string) ([]byte, error) {
	size := s.old.Size()
	low, high := int64(0), size // it begins in between
	var f found
	var err error
	for high-low > seekSize && f.id != id {
		middle := low + (high-low)/2
		if f, err = s.next(middle, high); err != nil {
			return nil, err
		}
		if f.none || f.id > id {
			high = middle
		} else {
			low = f.start
		}
	}
	for f, err = s.next(low, high); err == nil && !f.none && f.id != id; {
		f, err = s.next(f.end, high)
	}
	if err != nil || f.none {
		return nil, err
	}
	after, err := s.next(f.end, size)
	if err != nil {
		return nil, err
	}
	end := size
	if !after.none {
		end = after.start
	}
	s.buf = s.buf[:0]
	err = s.read(f.start, int(end-f.start))
	return s.buf, err
}

// found is the line of a file.
type found struct {
	none       bool
	start, end int64
	id         string
}

// next finds the first line of a file that begins at from or behind and before limit.
func (s *seeker) next(from, limit int64) (found, error) {
	at := max(0, from-1) // with the end of the line before
	s.buf = s.buf[:0]
	for begin := 0; ; {
		old := len(s.buf)
		if err := s.read(at+int64(old), max(seekSize, old/2)); err != nil {
			return found{none: true}, err
		}
		whole := bytes.LastIndexByte(s.buf, '\n') + 1
		for begin < whole {
			mark := bytes.Index(s.buf[begin:whole], fileMark)
			if mark < 0 {
				break
			}
			mark += begin
			start := bytes.LastIndexByte(s.buf[:mark], '\n') + 1
			begin = mark + bytes.IndexByte(s.buf[mark:], '\n') + 1
			f := found{start: at + int64(start), end: at + int64(begin)}
			if f.start < from {
				continue
			}
			var d decoder
			line, err := d.decode(s.buf[start : begin-1])
			if f.start >= limit || err != nil {
				return found{none: true}, nil
			}
			f.id = string(line.id)
			return f, nil
		}
		if begin = max(begin, whole); len(s.buf) == old || at+int64(whole) >= limit {
			return found{none: true}, nil
		}
	}
}

// read appends so many bytes to what is read, less at the end.
func (s *seeker) read(at int64, size int) error {
	old := len(s.buf)
	s.buf = slices.Grow(s.buf, size)
	n, err := s.old.ReadAt(s.buf[old:old+size], at)
	s.buf = s.buf[:old+n]
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// An impliedLine is a line of the symbol that follows from declarations: an edge, or an omission.
type impliedLine struct {
	symbol   name
	edge     Edge
	omission *Omission
}

// imply keeps a line as it was read.
func (f *File) imply(symbol name, r *raw) {
	line := impliedLine{symbol: symbol}
	if r.sort == omissionSort {
		line.omission = &Omission{Relation: record.Relation(r.relation), Incoming: r.incoming, Held: r.held, Found: r.found}
	} else {
		line.edge = Edge{Relation: record.Relation(r.id), By: By(r.by), Confidence: float64(r.confidence) / 1000}
		for _, to := range r.to {
			line.edge.To = append(line.edge.To, string(to))
		}
	}
	f.implied = append(f.implied, line)
}

// takeImplied lets the file keep its lines that follow from declarations.
func (r *resolution) takeImplied(f *File) {
	if r.implied == nil {
		r.implied = map[decl]*impliedLines{}
	}
	for _, line := range f.implied {
		i, ok := slices.BinarySearchFunc(f.symbols, r.names.of(line.symbol), func(s symbol, q string) int { return strings.Compare(r.names.of(s.qualified), q) })
		if !ok {
			continue
		}
		lines := r.impliedAt(decl{f.number, int32(i)})
		if line.omission != nil {
			lines.omissions = append(lines.omissions, *line.omission)
		} else {
			lines.edges = append(lines.edges, line.edge)
		}
	}
}
