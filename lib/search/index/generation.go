package index

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"

	zap "github.com/blevesearch/zapx/v17"

	"cortex/lib/parallel"
	"cortex/lib/record"
	"cortex/lib/store"
)

// A Generation is the index of one generation of a store. Chunks are named by their number, their rank by
// identifier. Vectors that it gives are valid until it is closed. All methods may be called at once, except Close.
type Generation struct {
	meta  meta
	lines *store.Lines
	// segments hold the chunks: first the base, with most of them, then the deltas, with those that have changed since. Some rows may be of chunks
	// that are gone. Document numbers of each segment follow those of the one before; firsts has the first of each.
	segments []*segment
	firsts   []int
	numberOf []uint32 // document of each chunk
	chunkOf  []uint32 // chunk of each document, or gone
	offsets  []uint64 // of each chunk's line in its file
	file     *mapping
	text     *Text
	decoders sync.Pool // of *lineReader
}

// meta is what the file of a generation says of it, beside numberOf and offsets.
type meta struct {
	Key      string
	Analysis string
	Model    string
	// Dimensions is the length of a vector.
	Dimensions int
	// Chunks are the chunk files of the generation.
	Chunks map[string]store.ChunkFile
	// Sums are the numbers of terms in all chunks together, by dictionary.
	Sums   []uint64
	Base   *folder
	Deltas []*folder
}

// folders are those of the segments.
func (m *meta) folders() []*folder { return append([]*folder{m.Base}, m.Deltas...) }

// keyOf names all that the index of a generation depends on.
func keyOf(head *store.Head, a *Analysis) string {
	h := sha256.New()
	var one [4]byte
	order.PutUint32(one[:], 1) // the byte order
	fmt.Fprintf(h, "%x %d %d %q %q %q %d\n", one, formatVersion, zap.Version, a.Version, a.Dicts, head.Model, head.Dimensions)
	for _, name := range slices.Sorted(maps.Keys(head.ChunkFiles)) {
		fmt.Fprintf(h, "%s %+v\n", name, head.ChunkFiles[name])
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

const (
	generationPrefix = "generation-"
	basePrefix       = "base-"
	deltaPrefix      = "delta-"
	tempPrefix       = "tmp-"
)

// ours matches the names of all that the cache consists of, but the lock.
var ours = regexp.MustCompile(`^(generation|base|delta)-[0-9a-f]{32}$|^tmp-`)

// readGeneration maps the file of a generation. The arrays refer to the mapping.
func readGeneration(root *os.Root, key string) (m meta, numberOf []uint32, offsets []uint64, file *mapping, err error) {
	f, err := openPlain(root, generationPrefix+key)
	if err != nil {
		return meta{}, nil, nil, nil, err
	}
	defer f.Close()
	stat, err := sealOf(f)
	if err == nil {
		file, err = mapFile(f, stat.Size)
	}
	if err != nil {
		return meta{}, nil, nil, nil, err
	}
	defer func() {
		if err != nil {
			file.close()
			file = nil
			err = fmt.Errorf("open %s: %w", f.Name(), err)
		}
	}()
	sections, err := splitSections(generationFile, file.data, false)
	if err != nil {
		return meta{}, nil, nil, file, err
	}
	if len(sections) != 3 {
		return meta{}, nil, nil, file, fmt.Errorf("%w: %d sections", ErrDamaged, len(sections))
	}
	if err := json.Unmarshal(sections[0], &m); err != nil {
		return meta{}, nil, nil, file, fmt.Errorf("%w: %v", ErrDamaged, err)
	}
	if m.Key != key || slices.ContainsFunc(m.folders(), func(f *folder) bool { return f == nil || !ours.MatchString(f.Name) }) {
		return meta{}, nil, nil, file, fmt.Errorf("%w: key or names", ErrDamaged)
	}
	return m, numbers[uint32](sections[1]), numbers[uint64](sections[2]), file, nil
}

// load opens the generation with the key. lines must be those of that generation; Close closes them.
func load(ctx context.Context, root *os.Root, key string, lines *store.Lines, a *Analysis) (*Generation, error) {
	g, err := loadTables(root, key, a)
	if err != nil {
		return nil, err
	}
	return g.assemble(ctx, lines)
}

// loadTables is load without what requests need.
func loadTables(root *os.Root, key string, a *Analysis) (g *Generation, err error) {
	g = &Generation{}
	defer func() {
		if err != nil {
			g.Close()
			g = nil
		}
	}()
	if g.meta, g.numberOf, g.offsets, g.file, err = readGeneration(root, key); err != nil {
		return g, err
	}
	if g.meta.Analysis != a.Version || len(g.meta.Sums) != len(a.Dicts) || len(g.offsets) != len(g.numberOf) {
		return g, fmt.Errorf("open generation: %w: tables", ErrDamaged)
	}
	for _, f := range g.meta.folders() {
		s, err := openSegment(root, f, a.Dicts, g.meta.Dimensions)
		if err != nil {
			return g, err
		}
		g.add(s)
	}
	total := g.documents()
	if slices.ContainsFunc(g.numberOf, func(n uint32) bool { return int(n) >= total }) {
		return g, fmt.Errorf("open generation: %w: tables", ErrDamaged)
	}
	return g, nil
}

// add adds a segment.
func (g *Generation) add(s *segment) {
	g.firsts = append(g.firsts, g.documents())
	g.segments = append(g.segments, s)
}

// documents is the number of rows of all segments.
func (g *Generation) documents() int {
	last := len(g.segments) - 1
	if last < 0 {
		return 0
	}
	return g.firsts[last] + g.segments[last].catalog.rows()
}

// assemble completes a generation that has its segments and tables. If that can't be, it closes it, but not the lines.
func (g *Generation) assemble(ctx context.Context, lines *store.Lines) (*Generation, error) {
	parallel.Yield(ctx)
	total := g.documents()
	g.chunkOf = make([]uint32, total)
	for i := range g.chunkOf {
		g.chunkOf[i] = gone
	}
	parallel.Yield(ctx)
	for chunk, number := range g.numberOf {
		if g.chunkOf[number] != gone {
			return nil, errors.Join(fmt.Errorf("open generation: %w: tables", ErrDamaged), g.Close())
		}
		g.chunkOf[number] = uint32(chunk)
	}
	var parts []part
	for i, s := range g.segments {
		first := g.firsts[i]
		for _, p := range s.postings {
			parts = append(parts, part{p, uint64(first)})
			first += p.documents()
		}
	}
	g.text = newText(parts, g.meta.Sums, len(g.numberOf))
	g.text.mapped = true
	if len(g.numberOf) == total && len(g.segments) == 1 {
		g.chunkOf = nil
	} else {
		g.text.chunkOf, g.text.numberOf = g.chunkOf, g.numberOf
	}
	g.lines = lines
	g.decoders.New = func() any { return &lineReader{decoder: store.NewLineDecoder()} }
	return g, nil
}

// encode is the content of the generation's file.
func (g *Generation) encode() (sections, error) {
	data, err := json.Marshal(g.meta)
	if err != nil {
		return sections{}, err
	}
	return newSections(generationFile, [][]byte{data, bytesOf(g.numberOf), bytesOf(g.offsets)}), nil
}

// Discard is store.Lines.Discard for the files under the generation.
func (g *Generation) Discard(ctx context.Context) { g.lines.Discard(ctx) }

// Close frees the generation. Nothing of it may be in use.
func (g *Generation) Close() error {
	all := []error{g.file.close()}
	for _, s := range g.segments {
		all = append(all, s.close())
	}
	if g.lines != nil {
		all = append(all, g.lines.Close())
	}
	return errors.Join(all...)
}

// Key names the generation: equal keys mean equal indexes.
func (g *Generation) Key() string { return g.meta.Key }

// Model names the model of the vectors.
func (g *Generation) Model() string { return g.meta.Model }

// Dimensions is the length of the vectors, 0 if there are none.
func (g *Generation) Dimensions() int { return g.meta.Dimensions }

// Text are the terms of the chunks.
func (g *Generation) Text() *Text { return g.text }

// row is the place of a chunk.
func (g *Generation) row(chunk int) (s *segment, row int) {
	i, row := g.place(chunk)
	return g.segments[i], row
}

// place is row with the number of the segment. Most chunks are in the base.
func (g *Generation) place(chunk int) (segment, row int) {
	number := int(g.numberOf[chunk])
	for segment+1 < len(g.firsts) && number >= g.firsts[segment+1] {
		segment++
	}
	return segment, number - g.firsts[segment]
}

func (g *Generation) value(chunk, column int) string {
	s, row := g.row(chunk)
	return s.catalog.value(row, column)
}

// Len is the number of chunks.
func (g *Generation) Len() int { return len(g.numberOf) }

// ID is the chunk's identifier.
func (g *Generation) ID(chunk int) string {
	return strings.Clone(g.idOf(chunk))
}

// ChunkType is the chunk's type.
func (g *Generation) ChunkType(chunk int) record.ChunkType {
	return record.ChunkType(g.value(chunk, typeColumn))
}

// FilePath is metadata.file_path.
func (g *Generation) FilePath(chunk int) string { return g.value(chunk, fileColumn) }

// Language is metadata.language.
func (g *Generation) Language(chunk int) string { return g.value(chunk, languageColumn) }

// Tree is metadata.tree.
func (g *Generation) Tree(chunk int) string { return g.value(chunk, treeColumn) }

// Tags are the chunk's tags.
func (g *Generation) Tags(chunk int) iter.Seq[string] {
	s, row := g.row(chunk)
	return s.catalog.tagsOf(row)
}

// Symbols are what Analysis.Symbols gave for the chunk.
func (g *Generation) Symbols(chunk int) iter.Seq[record.SymbolRef] {
	s, row := g.row(chunk)
	return s.catalog.symbolsOf(row)
}

// Lines are metadata.start_line and metadata.end_line.
func (g *Generation) Lines(chunk int) (start, end int) {
	s, row := g.row(chunk)
	return int(int32(s.catalog.columns[startColumn][row])), int(int32(s.catalog.columns[endColumn][row]))
}

// Traits are what Analysis.Traits gave for the chunk.
func (g *Generation) Traits(chunk int) uint32 {
	s, row := g.row(chunk)
	return s.catalog.columns[traitsColumn][row]
}

// Vector is the chunk's embedding with length 1, nil if it has none. It is a part of the generation.
func (g *Generation) Vector(chunk int) []float32 {
	s, row := g.row(chunk)
	if s.catalog.columns[embeddedColumn][row] == 0 {
		return nil
	}
	n := g.meta.Dimensions
	return s.vectors[row*n : (row+1)*n : (row+1)*n]
}

// A lineReader has the memory that reading a chunk needs.
type lineReader struct {
	decoder *store.LineDecoder
	buf     []byte
}

// Chunk reads the chunk from the store. What is no longer there is an error that store.ErrChanged is in.
func (g *Generation) Chunk(chunk int) (*record.Chunk, error) {
	s, row := g.row(chunk)
	r := g.decoders.Get().(*lineReader)
	defer g.decoders.Put(r)
	line := s.catalog.line(row)
	line.Offset = int64(g.offsets[chunk])
	var err error
	if r.buf, err = g.lines.Read(line, r.buf); err != nil {
		return nil, err
	}
	c, err := r.decoder.Decode(r.buf)
	if err != nil {
		return nil, fmt.Errorf("read chunk %q: %w", line.ID, err)
	}
	return c, nil
}

// line is the row's line in the store, but for its offset.
func (c *catalog) line(row int) store.Line {
	kind := slices.Index(record.ChunkTypes, record.ChunkType(c.value(row, typeColumn)))
	return store.Line{ID: c.id(row), File: kind, Length: int(c.columns[lineLengthColumn][row]), CRC32C: c.columns[lineCRCColumn][row]}
}

// sums adds up the terms of all rows.
func (c *catalog) sums() []uint64 {
	sums := make([]uint64, len(c.lengths))
	for dict, column := range c.lengths {
		for _, n := range column {
			sums[dict] += uint64(n)
		}
	}
	return sums
}
