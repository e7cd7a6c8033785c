package index

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"hash/crc32"
	"iter"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"cortex/lib/record"
	"cortex/lib/store"
)

// A Generation is the index of one generation of a store. Chunks are named by their number, their rank by
// identifier, whatever the shards that they are in. All methods may be called at once, except Close.
type Generation struct {
	store    *store.Generation // nil in memory
	chunks   []*record.Chunk   // in memory: by row of all segments
	model    string
	segments []*segment
	shards   []int // of each segment
	// Rows are counted through all segments: firsts has the first of each, and how many there are at its end.
	firsts []int
	rowOf  []uint32 // of each chunk
	// segmentOf is the segment of each chunk.
	segmentOf []uint16
	chunkOf   []uint32 // of each row
	text      *Text
	vectors   int
}

// assemble makes a generation of the segments. It closes them if that can't be.
func assemble(segments []*segment, a *Analysis) (g *Generation, err error) {
	g = &Generation{segments: segments, firsts: []int{0}}
	defer func() {
		if err != nil {
			err = errors.Join(err, g.Close())
			g = nil
		}
	}()
	defer guardTables(&err)()
	for i, s := range segments {
		g.firsts = append(g.firsts, g.firsts[i]+s.rows)
		g.vectors += s.embeddings
	}
	g.number()
	g.text = newText(g, a)
	return g, nil
}

// A fileRows is the rows of one file, in the order of their identifiers.
type fileRows struct {
	path    string // as it stands in identifiers
	segment *segment
	// starts has the first row whose identifier begins with each of prefixes, counted through all segments, and the end of all.
	starts [len(prefixes) + 1]int
}

// number finds the rank of each row by its identifier. Files are merged by their paths, not chunks by their identifiers: those with one prefix
// are in the order of the paths, but for paths of which one begins with the other.
func (g *Generation) number() {
	rows := g.firsts[len(g.segments)]
	g.rowOf, g.chunkOf = make([]uint32, 0, rows), make([]uint32, rows)
	lists := make([][]fileRows, len(g.segments))
	var odd []uint32 // rows whose identifiers are not made of prefix and path, or not in order
	for i, s := range g.segments {
		lists[i], odd = s.files(g.firsts[i], odd)
	}
	files := mergeFiles(lists)
	compare := func(a, b uint32) int { return bytes.Compare(g.idOfRow(nil, int(a)), g.idOfRow(nil, int(b))) }
	for prefix := 1; prefix < len(prefixes); prefix++ {
		for i := 0; i < len(files); {
			first, j, isMixed := len(g.rowOf), i, i+1 < len(files) && g.mixes(&files[i], files[i+1].path, prefix)
			for ; j < len(files) && (j == i || isMixed && strings.HasPrefix(files[j].path, files[i].path)); j++ {
				for row := files[j].starts[prefix]; row < files[j].starts[prefix+1]; row++ {
					g.rowOf = append(g.rowOf, uint32(row))
				}
			}
			if j > i+1 {
				slices.SortFunc(g.rowOf[first:], compare)
			}
			i = j
		}
	}
	if len(odd) > 0 {
		slices.SortFunc(odd, compare)
		regular := g.rowOf
		g.rowOf = make([]uint32, 0, rows)
		for _, row := range regular {
			for len(odd) > 0 && compare(odd[0], row) < 0 {
				g.rowOf, odd = append(g.rowOf, odd[0]), odd[1:]
			}
			g.rowOf = append(g.rowOf, row)
		}
		g.rowOf = append(g.rowOf, odd...)
	}
	for chunk, row := range g.rowOf {
		g.chunkOf[row] = uint32(chunk)
	}
	g.segmentOf = make([]uint16, rows)
	for i := range g.segments {
		for _, chunk := range g.chunksOf(i) {
			g.segmentOf[chunk] = uint16(i)
		}
	}
}

// mixes reports whether an identifier of the file with that prefix comes after one of the next file, whose path begins with its own.
func (g *Generation) mixes(f *fileRows, next string, prefix int) bool {
	if !strings.HasPrefix(next, f.path) || len(next) == len(f.path) {
		return false
	}
	for row := f.starts[prefix]; row < f.starts[prefix+1]; row++ {
		if id := g.idOfRow(nil, row)[len(prefixes[prefix])+len(f.path):]; len(id) > 0 && id[0] >= next[len(f.path)] {
			return true
		}
	}
	return false
}

// files are the files of the segment by path; rows that are odd go to those.
func (s *segment) files(first int, odd []uint32) ([]fileRows, []uint32) {
	var list []fileRows
	sorted := true
	for run := 0; run < s.runCount; {
		path := s.runs[runPath].at(run)
		start := s.runs[runFirst].at(run)
		for run++; run < s.runCount && s.runs[runPath].at(run) == path; run++ {
		}
		end := s.rows
		if run < s.runCount {
			end = s.runs[runFirst].at(run)
		}
		f := fileRows{path: record.IDPath(s.word(path)), segment: s}
		at := 0
		for row := start; row < end; row++ {
			prefix := s.columns[formColumn].at(row) & prefixMask
			if prefix < at || prefix == 0 {
				at = -1
				break
			}
			for ; at < prefix; at++ {
				f.starts[at+1] = first + row
			}
		}
		if at < 0 {
			for row := start; row < end; row++ {
				odd = append(odd, uint32(first+row))
			}
			continue
		}
		for ; at < len(prefixes); at++ {
			f.starts[at+1] = first + end
		}
		sorted = sorted && (len(list) == 0 || list[len(list)-1].path < f.path)
		list = append(list, f)
	}
	if !sorted {
		slices.SortFunc(list, func(a, b fileRows) int { return strings.Compare(a.path, b.path) })
	}
	return list, odd
}

// mergeFiles merges lists that are sorted by path, two by two.
func mergeFiles(lists [][]fileRows) []fileRows {
	if len(lists) == 0 {
		return nil
	}
	for len(lists) > 1 {
		var next [][]fileRows
		for i := 0; i < len(lists); i += 2 {
			if i+1 == len(lists) {
				next = append(next, lists[i])
				break
			}
			a, b := lists[i], lists[i+1]
			merged := make([]fileRows, 0, len(a)+len(b))
			for len(a) > 0 && len(b) > 0 {
				if a[0].path <= b[0].path {
					merged, a = append(merged, a[0]), a[1:]
				} else {
					merged, b = append(merged, b[0]), b[1:]
				}
			}
			next = append(next, append(append(merged, a...), b...))
		}
		lists = next
	}
	return lists[0]
}

// Close frees the generation. Nothing of it may be in use.
func (g *Generation) Close() error {
	var all []error
	for _, s := range g.segments {
		all = append(all, s.close())
	}
	if g.store != nil {
		all = append(all, g.store.Close())
	}
	return errors.Join(all...)
}

// chunksOf are the chunks of the rows of a segment.
func (g *Generation) chunksOf(segment int) []uint32 {
	return g.chunkOf[g.firsts[segment]:g.firsts[segment+1]]
}

// place is the segment of a row of all and its row there.
func (g *Generation) place(row int) (segment, own int) {
	segment, found := slices.BinarySearch(g.firsts, row)
	if !found {
		return segment - 1, row - g.firsts[segment-1]
	}
	for g.firsts[segment+1] == row { // one without rows
		segment++
	}
	return segment, 0
}

// row is the place of a chunk.
func (g *Generation) row(chunk int) (s *segment, row int) {
	i := g.segmentOf[chunk]
	return g.segments[i], int(g.rowOf[chunk]) - g.firsts[i]
}

func (g *Generation) idOfRow(id []byte, row int) []byte {
	i, own := g.place(row)
	return g.segments[i].appendID(id, own)
}

// Text are the terms of the chunks.
func (g *Generation) Text() *Text { return g.text }

// Model names the model of the vectors.
func (g *Generation) Model() string { return g.model }

// Dimensions is the length of the vectors, 0 if there are none.
func (g *Generation) Dimensions() int {
	for _, s := range g.segments {
		if s.dimensions > 0 {
			return s.dimensions
		}
	}
	return 0
}

// Embeddings is the number of chunks with a vector.
func (g *Generation) Embeddings() int { return g.vectors }

// Len is the number of chunks.
func (g *Generation) Len() int { return len(g.rowOf) }

// ID is the chunk's identifier.
func (g *Generation) ID(chunk int) string {
	s, row := g.row(chunk)
	return string(s.appendID(nil, row))
}

// ChunkType is the chunk's type.
func (g *Generation) ChunkType(chunk int) record.ChunkType {
	s, row := g.row(chunk)
	return record.ChunkType(s.word(s.columns[typeColumn].at(row)))
}

// FilePath is metadata.file_path.
func (g *Generation) FilePath(chunk int) string {
	s, row := g.row(chunk)
	return s.ofRun(row, runPath)
}

// Language is metadata.language.
func (g *Generation) Language(chunk int) string {
	s, row := g.row(chunk)
	return s.ofRun(row, runLanguage)
}

// Tree is metadata.tree.
func (g *Generation) Tree(chunk int) string {
	s, row := g.row(chunk)
	return s.ofRun(row, runTree)
}

// Tags are the chunk's tags.
func (g *Generation) Tags(chunk int) iter.Seq[string] {
	s, row := g.row(chunk)
	return s.tagsOf(row)
}

// Symbols are what Analysis.Symbols gave for the chunk.
func (g *Generation) Symbols(chunk int) iter.Seq[record.SymbolRef] {
	s, row := g.row(chunk)
	return s.symbolsOf(row)
}

// Lines are metadata.start_line and metadata.end_line.
func (g *Generation) Lines(chunk int) (start, end int) {
	s, row := g.row(chunk)
	start = int(int32(s.columns[startColumn].at(row)))
	return start, start + int(int32(s.columns[linesColumn].at(row)))
}

// Traits are what Analysis.Traits gave for the chunk.
func (g *Generation) Traits(chunk int) uint32 {
	s, row := g.row(chunk)
	return uint32(s.columns[traitsColumn].at(row))
}

// Vector is the chunk's embedding with length 1, nil if it has none.
func (g *Generation) Vector(chunk int) []float32 {
	s, row := g.row(chunk)
	return s.vector(row)
}

// Chunk reads the chunk from the store. What is no longer there is an error that store.ErrChanged is in.
func (g *Generation) Chunk(chunk int) (*record.Chunk, error) {
	if g.store == nil {
		return g.chunks[g.rowOf[chunk]], nil
	}
	i, row := g.place(int(g.rowOf[chunk]))
	fileOffset, fileSize, offset, size := g.segments[i].lines(row)
	return g.store.ReadChunk(g.shards[i], fileOffset, fileSize, offset, size)
}

// New makes an index in memory of the chunks, in so many segments: all chunks of a file in one.
func New(ctx context.Context, chunks []*record.Chunk, model string, dimensions, shards int, a *Analysis) (*Generation, error) {
	parts := make([][]*record.Chunk, shards)
	for _, c := range chunks {
		shard := crc32.ChecksumIEEE([]byte(c.Metadata.FilePath)) % uint32(shards)
		parts[shard] = append(parts[shard], c)
	}
	segments := make([]*segment, shards)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, part := range parts {
		group.Go(func() error {
			slices.SortFunc(part, func(a, b *record.Chunk) int {
				return cmp.Or(strings.Compare(a.Metadata.FilePath, b.Metadata.FilePath), strings.Compare(a.ID, b.ID))
			})
			b := newBuilder(a, model, dimensions)
			for _, c := range part {
				if err := ctx.Err(); err != nil {
					return err
				}
				if err := b.add(row{chunk: c}); err != nil {
					return err
				}
			}
			data, err := b.finish()
			if err == nil {
				segments[i], err = newSegment("", data, a)
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	g, err := assemble(segments, a)
	if err != nil {
		return nil, err
	}
	g.chunks, g.model = slices.Concat(parts...), model
	return g, nil
}

// Store is the generation of the store that the index is of, nil for an index in memory.
func (g *Generation) Store() *store.Generation { return g.store }
