package index

import (
	"bytes"
	"cmp"
	"iter"
	"slices"
	"sort"
	"strings"

	"cortex/lib/record"
	"cortex/lib/store/shard"
)

// Files returns the number of files.
func (g *Generation) Files() int { return g.firstFiles[len(g.segments)] }

// File returns the file of a chunk.
func (g *Generation) File(chunk int) uint32 {
	i, row := g.at(chunk)
	s := g.segments[i]
	return uint32(g.firstFiles[i] + s.runs[runFile].at(s.columns[runColumn].at(row)))
}

// segmentOf returns the segment of a file, and the file's number within the segment.
func (g *Generation) segmentOf(file uint32) (segment, own int) {
	segment = sort.Search(len(g.segments), func(i int) bool { return g.firstFiles[i+1] > int(file) })
	return segment, int(file) - g.firstFiles[segment]
}

// Path returns metadata.file_path of the chunks of a file.
func (g *Generation) Path(file uint32) string {
	i, own := g.segmentOf(file)
	return g.segments[i].pathOf(own)
}

// First returns the file's first chunk by identifier.
func (g *Generation) First(file uint32) int {
	i, own := g.segmentOf(file)
	first, _ := g.segments[i].rowsOf(own)
	return g.firsts[i] + first
}

// NamesPart reports whether the identifier of a chunk names a part of its file, after a "#".
func (g *Generation) NamesPart(chunk int) bool {
	s, row := g.row(chunk)
	start, end := between(s.idEnds, row)
	return s.columns[formColumn].at(row)&formNamed != 0 || bytes.IndexByte(s.ids[start:end], '#') >= 0
}

// FileAt returns the file of a chunk, and the chunk after the last one of the file.
func (g *Generation) FileAt(chunk int) (file uint32, end int) {
	i, row := g.at(chunk)
	s := g.segments[i]
	own := s.runs[runFile].at(s.columns[runColumn].at(row))
	_, end = s.rowsOf(own)
	return uint32(g.firstFiles[i] + own), g.firsts[i] + end
}

// Shares returns the number of shares into which work over all chunks is best divided. It never changes.
func (g *Generation) Shares() int { return g.inShares }

// Share returns the chunks of a share, [first, end). All chunks of a file are in one share.
func (g *Generation) Share(share Share) (first, end int) {
	first, end = share.of(len(g.segments))
	return g.firsts[first], g.firsts[end]
}

// FileShare returns the files of a share, [first, end).
func (g *Generation) FileShare(share Share) (first, end uint32) {
	from, to := share.of(len(g.segments))
	return uint32(g.firstFiles[from]), uint32(g.firstFiles[to])
}

// Chunks returns the chunks of a file, in the order of their identifiers.
func (g *Generation) Chunks(file uint32) iter.Seq[int] {
	i, own := g.segmentOf(file)
	return func(yield func(int) bool) {
		first, end := g.segments[i].rowsOf(own)
		for row := first; row < end && yield(g.firsts[i]+row); row++ {
		}
	}
}

// Seek returns the first chunk of a file whose identifier is not less than id, and the chunk after the last one of the
// file.
func (g *Generation) Seek(file uint32, id string) (chunk, end int) {
	i, own := g.segmentOf(file)
	s := g.segments[i]
	first, end := s.rowsOf(own)
	row := first + sort.Search(end-first, func(n int) bool {
		var own [256]byte
		return string(s.appendID(own[:0], first+n)) >= id
	})
	return g.firsts[i] + row, g.firsts[i] + end
}

// LastLine returns the greatest end line among the chunks of a file.
func (g *Generation) LastLine(file uint32) int {
	i, own := g.segmentOf(file)
	return g.segments[i].files[fileLast].at(own)
}

// FileNamed finds a file by its path.
func (g *Generation) FileNamed(path string) (file uint32, ok bool) {
	if g.fetched != nil { // each segment is a tree
		for i := range g.segments {
			if file, ok := g.fileIn(i, path); ok {
				return file, true
			}
		}
		return 0, false
	}
	i, ok := slices.BinarySearch(g.shardOf, shard.Of(path, g.shards))
	if !ok {
		return 0, false
	}
	return g.fileIn(i, path)
}

// fileIn finds the file with this path in a segment.
func (g *Generation) fileIn(segment int, path string) (file uint32, ok bool) {
	s := g.segments[segment]
	own := sort.Search(s.fileCount, func(file int) bool { return s.pathOf(file) >= path })
	return uint32(g.firstFiles[segment] + own), own < s.fileCount && s.pathOf(own) == path
}

// Find finds a chunk by its identifier.
func (g *Generation) Find(id string) (chunk int, ok bool) {
	for _, prefix := range prefixes[1:] {
		path, ok := strings.CutPrefix(id, prefix)
		if !ok {
			continue
		}
		if end := strings.IndexAny(path, "#~"); end >= 0 {
			path = path[:end]
		}
		file, ok := g.FileNamed(record.SplitIDPath(path))
		if !ok {
			continue
		}
		for chunk := range g.Chunks(file) {
			if s, row := g.row(chunk); s.hasID(row, id) {
				return chunk, true
			}
		}
	}
	// An identifier of another form may be in any file.
	for i, s := range g.segments {
		for row := range s.rows {
			if s.columns[formColumn].at(row)&prefixMask == 0 && s.hasID(row, id) {
				return g.firsts[i] + row, true
			}
		}
	}
	return 0, false
}

func (s *segment) hasID(row int, id string) bool {
	var own [256]byte
	return string(s.appendID(own[:0], row)) == id
}

// Compare compares two chunks by their identifiers.
func (g *Generation) Compare(a, b int) int {
	if a == b {
		return 0
	}
	s, row := g.row(a)
	t, other := g.row(b)
	// In most cases the prefixes or the paths decide.
	prefix, second := s.columns[formColumn].at(row)&prefixMask, t.columns[formColumn].at(other)&prefixMask
	if prefix > 0 && second > 0 && prefix != second {
		return cmp.Compare(prefix, second)
	}
	if prefix > 0 && second > 0 {
		p, q := s.ofRun(row, runPath), t.ofRun(other, runPath)
		if n := sharedLetters(p, q); n < len(p) && n < len(q) && !isEscaped(p[n]) && !isEscaped(q[n]) {
			return cmp.Compare(p[n], q[n])
		}
	}
	var id, otherID [256]byte
	return bytes.Compare(s.appendID(id[:0], row), t.appendID(otherID[:0], other))
}

// isEscaped reports whether record.IDPath escapes the letter.
func isEscaped(letter byte) bool { return letter == '%' || letter == '#' || letter == '~' }

// EachFile visits the files in order, with their paths and the greatest end lines of their chunks.
func (g *Generation) EachFile(visit func(file uint32, path string, last int)) {
	for i, s := range g.segments {
		for own := range s.fileCount {
			visit(uint32(g.firstFiles[i]+own), s.pathOf(own), s.files[fileLast].at(own))
		}
	}
}

// Names visits the files in order, with the words of their names as the numbers that the function number assigns.
func (g *Generation) Names(number func(word string) uint32, visit func(file uint32, words []uint32)) {
	var words []uint32
	for i, s := range g.segments {
		known := make([]uint32, len(s.wordEnds)) // number plus 1; 0 if not yet known
		start := 0
		for own := range s.fileCount {
			end := s.files[fileName].at(own)
			words = words[:0]
			for _, word := range s.named[start:end] {
				if known[word] == 0 {
					known[word] = number(s.word(int(word))) + 1
				}
				words = append(words, known[word]-1)
			}
			start = end
			visit(uint32(g.firstFiles[i]+own), words)
		}
	}
}
