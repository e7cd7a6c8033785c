package index

import (
	"cmp"
	"errors"
	"iter"
	"runtime"
	"slices"
	"strings"
	"sync"

	"cortex/lib/record"
	"cortex/lib/store"
	"cortex/lib/store/shard"
)

// A Generation is the index of one generation of a store. Chunks are named by their number, that of their place: shard by shard, in each file by file, in each
// by identifier. Files are named by theirs. All methods may be called at once, except Close.
type Generation struct {
	store    *store.Generation // nil in memory and where a Source has the chunks
	chunks   []*record.Chunk   // in memory, see New
	model    string
	shards   int // of the store
	segments []*segment
	shardOf  []int // of each segment
	// firsts and firstFiles have the first chunk and file of each segment, and how many there are at their end.
	firsts, firstFiles []int
	// near has the segment of the first chunk in each group of successive ones.
	near     []uint16
	text     *Text
	vectors  int
	inShares int
	// source reads what catalogues do not hold, fetched keeps what it read; nil where the segments hold all.
	source     Source
	fetched    *fetched
	dimensions int // of the vectors that source has
	records    *records
}

// nearChunks is the number of chunks of which near has the first.
const nearChunks = 256

// assemble makes a generation of the segments, which are of these shards of so many. It closes them if that can't be.
func assemble(segments []*segment, shardOf []int, shards int, a *Analysis) (g *Generation, err error) {
	g = &Generation{segments: segments, shardOf: shardOf, shards: shards, firsts: []int{0}, firstFiles: []int{0}}
	defer func() {
		if err != nil {
			err = errors.Join(err, g.Close())
			g = nil
		}
	}()
	defer guardTables(&err)()
	for i, s := range segments {
		g.firsts = append(g.firsts, g.firsts[i]+s.rows)
		g.firstFiles = append(g.firstFiles, g.firstFiles[i]+s.fileCount)
		g.vectors += s.embeddings
		for len(g.near)*nearChunks < g.firsts[i+1] {
			g.near = append(g.near, uint16(i))
		}
	}
	g.text = newText(segments, g.firsts, a)
	g.inShares = min(runtime.GOMAXPROCS(0), 1+g.Len()/leastShare)
	return g, nil
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

// at is the segment of a chunk, and its row there.
func (g *Generation) at(chunk int) (segment, row int) {
	segment = int(g.near[chunk/nearChunks])
	for chunk >= g.firsts[segment+1] {
		segment++
	}
	return segment, chunk - g.firsts[segment]
}

// row is the place of a chunk.
func (g *Generation) row(chunk int) (s *segment, row int) {
	i, row := g.at(chunk)
	return g.segments[i], row
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
	return g.dimensions
}

// Embeddings is the number of chunks with a vector.
func (g *Generation) Embeddings() int { return g.vectors }

// Len is the number of chunks.
func (g *Generation) Len() int { return g.firsts[len(g.segments)] }

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

// New makes an index in memory of the chunks, in so many segments: all chunks of a file in one. It is for tests, which compare with it what a store gives; a store of few
// chunks has one segment.
func New(chunks []*record.Chunk, model string, dimensions, shards int, a *Analysis) (*Generation, error) {
	sorted := slices.SortedFunc(slices.Values(chunks), func(a, b *record.Chunk) int {
		return cmp.Or(strings.Compare(a.Metadata.FilePath, b.Metadata.FilePath), strings.Compare(a.ID, b.ID))
	})
	parts := make([][]*record.Chunk, shards)
	for _, c := range sorted {
		i := shard.Of(c.Metadata.FilePath, shards)
		parts[i] = append(parts[i], c)
	}
	segments, shardOf := make([]*segment, shards), make([]int, shards)
	for i, part := range parts {
		b := newBuilder(a, model, dimensions)
		for _, c := range part {
			if err := b.add(row{chunk: c}); err != nil {
				return nil, err
			}
		}
		data, err := b.finish()
		if err != nil {
			return nil, err
		}
		if segments[i], err = newSegment("", data, a); err != nil {
			return nil, err
		}
		shardOf[i] = i
	}
	g, err := assemble(segments, shardOf, shards, a)
	if err != nil {
		return nil, err
	}
	// A small index has several shares, as a large one does.
	g.chunks, g.model, g.inShares = slices.Concat(parts...), model, min(shards, 3)
	return g, nil
}

// Store is the generation of the store that the index is of, nil for an index in memory.
func (g *Generation) Store() *store.Generation { return g.store }

// leastShare is the least number of chunks for which another goroutine pays that goes over them.
const leastShare = 20_000

// records keeps the chunks that one request has read.
type records struct {
	mu    sync.Mutex
	known map[int]*record.Chunk
}
