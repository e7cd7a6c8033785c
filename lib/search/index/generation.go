package index

import (
	"cmp"
	"errors"
	"iter"
	"runtime"
	"slices"
	"strings"

	"cortex/lib/record"
	"cortex/lib/store"
	"cortex/lib/store/shard"
)

// A Generation is the index of one generation of a store. The number of a chunk is its position in the order of shards,
// of files within a shard, and of identifiers within a file; files are numbered in the same order. All methods except
// Close are safe for concurrent use.
type Generation struct {
	store    *store.Generation // nil for an index in memory and for one with a Source
	chunks   []*record.Chunk   // for an index in memory only, see New
	model    string
	shards   int // number of shards of the store
	segments []*segment
	shardOf  []int // the shard of each segment
	// firsts and firstFiles have the first chunk and the first file of each segment, and the totals at their end.
	firsts, firstFiles []int
	// near has, for each group of nearChunks successive chunks, the segment of the first one.
	near     []uint16
	text     *Text
	vectors  int
	inShares int
	// source reads what catalogues do not hold, fetched caches its postings; nil if the segments hold everything.
	source     Source
	fetched    *fetched
	dimensions int // of the vectors that source reads
	records    *records
}

const nearChunks = 256

// assemble joins segments, each of the shard in shardOf, of a store with so many shards. On error it closes them.
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

// Close releases the generation. Nothing of it may be in use.
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

// at returns the segment of a chunk, and the chunk's row in it.
func (g *Generation) at(chunk int) (segment, row int) {
	segment = int(g.near[chunk/nearChunks])
	for chunk >= g.firsts[segment+1] {
		segment++
	}
	return segment, chunk - g.firsts[segment]
}

func (g *Generation) row(chunk int) (s *segment, row int) {
	i, row := g.at(chunk)
	return g.segments[i], row
}

// Text returns the terms of the chunks.
func (g *Generation) Text() *Text { return g.text }

// Model returns the name of the model that made the vectors.
func (g *Generation) Model() string { return g.model }

// Dimensions returns the length of the vectors, 0 if there are none.
func (g *Generation) Dimensions() int {
	for _, s := range g.segments {
		if s.dimensions > 0 {
			return s.dimensions
		}
	}
	return g.dimensions
}

// Embeddings returns the number of chunks with a vector.
func (g *Generation) Embeddings() int { return g.vectors }

// Len returns the number of chunks.
func (g *Generation) Len() int { return g.firsts[len(g.segments)] }

// ID returns the chunk's identifier.
func (g *Generation) ID(chunk int) string {
	s, row := g.row(chunk)
	return string(s.appendID(nil, row))
}

// ChunkType returns the chunk's type.
func (g *Generation) ChunkType(chunk int) record.ChunkType {
	s, row := g.row(chunk)
	return record.ChunkType(s.word(s.columns[typeColumn].at(row)))
}

// FilePath returns metadata.file_path.
func (g *Generation) FilePath(chunk int) string {
	s, row := g.row(chunk)
	return s.ofRun(row, runPath)
}

// Language returns metadata.language.
func (g *Generation) Language(chunk int) string {
	s, row := g.row(chunk)
	return s.ofRun(row, runLanguage)
}

// Tree returns metadata.tree.
func (g *Generation) Tree(chunk int) string {
	s, row := g.row(chunk)
	return s.ofRun(row, runTree)
}

// Tags returns the chunk's tags.
func (g *Generation) Tags(chunk int) iter.Seq[string] {
	s, row := g.row(chunk)
	return s.tagsOf(row)
}

// Symbols returns the symbols that Analysis.Symbols returned for the chunk.
func (g *Generation) Symbols(chunk int) iter.Seq[record.SymbolRef] {
	s, row := g.row(chunk)
	return s.symbolsOf(row)
}

// Lines returns metadata.start_line and metadata.end_line.
func (g *Generation) Lines(chunk int) (start, end int) {
	s, row := g.row(chunk)
	start = int(int32(s.columns[startColumn].at(row)))
	return start, start + int(int32(s.columns[linesColumn].at(row)))
}

// Traits returns the traits that Analysis.Traits returned for the chunk.
func (g *Generation) Traits(chunk int) uint32 {
	s, row := g.row(chunk)
	return uint32(s.columns[traitsColumn].at(row))
}

// New makes an index of the chunks in memory, with so many segments. It is for tests: a small store has one segment.
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
	// Divide even a small index into several shares, as a large one is.
	g.chunks, g.model, g.inShares = slices.Concat(parts...), model, min(shards, 3)
	return g, nil
}

// Store returns the generation of the store that the index was made from, nil for an index in memory or with a Source.
func (g *Generation) Store() *store.Generation { return g.store }

// leastShare is the number of chunks for which an additional goroutine that visits chunks pays.
const leastShare = 20_000
