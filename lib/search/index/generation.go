package index

import (
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

	scorch "github.com/blevesearch/scorch_segment_api/v2"
	zap "github.com/blevesearch/zapx/v17"

	"cortex/lib/record"
	"cortex/lib/store"
)

// A Generation is the index of one generation of a store. Chunks are named by their number, their rank by
// identifier. Vectors that it gives are valid until it is closed. All methods may be called at once, except Close.
type Generation struct {
	meta  meta
	lines *store.Lines
	// base holds most chunks, delta, which may be nil, those that differ from the base. Document numbers
	// of the delta follow those of the base.
	base, delta *segment
	numberOf    []uint32 // document of each chunk
	chunkOf     []uint32 // chunk of each document, or gone
	offsets     []uint64 // of each chunk's line in its file
	file        *mapping
	text        *Text
	decoders    sync.Pool // of *lineReader
}

// meta is what the file of a generation says of it, beside numberOf and offsets.
type meta struct {
	Key      string
	Analysis string
	Model    string
	// Dimensions is the length of a vector.
	Dimensions int
	// Sums are the numbers of terms in all chunks together, by dictionary, BaseSums those in all rows of the base.
	Sums, BaseSums []uint64
	Base, Delta    *folder
}

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
	if m.Key != key || m.Base == nil || !ours.MatchString(m.Base.Name) || m.Delta != nil && !ours.MatchString(m.Delta.Name) {
		return meta{}, nil, nil, file, fmt.Errorf("%w: key or names", ErrDamaged)
	}
	return m, numbers[uint32](sections[1]), numbers[uint64](sections[2]), file, nil
}

// load opens the generation with the key. lines must be those of that generation; Close closes them.
func load(root *os.Root, key string, lines *store.Lines, a *Analysis) (g *Generation, err error) {
	g = &Generation{}
	if g.meta, g.numberOf, g.offsets, g.file, err = readGeneration(root, key); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			g.lines = nil
			g.Close()
			g = nil
		}
	}()
	if g.base, err = openSegment(root, g.meta.Base, len(a.Dicts), g.meta.Dimensions); err != nil {
		return g, err
	}
	if g.meta.Delta != nil {
		if g.delta, err = openSegment(root, g.meta.Delta, len(a.Dicts), g.meta.Dimensions); err != nil {
			return g, err
		}
	}
	return g, g.assemble(lines, a, true)
}

// assemble completes a generation that has its segments and tables.
func (g *Generation) assemble(lines *store.Lines, a *Analysis, mapped bool) error {
	total := g.base.catalog.rows()
	var postings []scorch.Segment
	postings = append(postings, g.base.postings...)
	if g.delta != nil {
		total += g.delta.catalog.rows()
		postings = append(postings, g.delta.postings...)
	}
	if len(g.offsets) != len(g.numberOf) || len(g.meta.Sums) != len(a.Dicts) || len(g.meta.BaseSums) != len(a.Dicts) {
		return fmt.Errorf("open generation: %w: tables", ErrDamaged)
	}
	g.chunkOf = make([]uint32, total)
	for i := range g.chunkOf {
		g.chunkOf[i] = gone
	}
	for chunk, number := range g.numberOf {
		if int(number) >= total || g.chunkOf[number] != gone {
			return fmt.Errorf("open generation: %w: tables", ErrDamaged)
		}
		g.chunkOf[number] = uint32(chunk)
	}
	var parts []part
	first := uint64(0)
	for _, p := range postings {
		parts = append(parts, part{p, first})
		first += p.Count()
	}
	if first != uint64(total) {
		return fmt.Errorf("open generation: %w: tables", ErrDamaged)
	}
	g.text = newText(a.Dicts, parts, g.meta.Sums, len(g.numberOf))
	g.text.mapped = mapped
	if len(g.numberOf) == total && g.delta == nil {
		g.chunkOf = nil
	} else {
		g.text.chunkOf, g.text.numberOf = g.chunkOf, g.numberOf
	}
	g.lines = lines
	g.decoders.New = func() any { return &lineReader{decoder: store.NewLineDecoder()} }
	return nil
}

// encode is the content of the generation's file.
func (g *Generation) encode() ([]byte, error) {
	data, err := json.Marshal(g.meta)
	if err != nil {
		return nil, err
	}
	return joinSections(generationFile, [][]byte{data, bytesOf(g.numberOf), bytesOf(g.offsets)}), nil
}

// Close frees the generation. Nothing of it may be in use.
func (g *Generation) Close() error {
	err := errors.Join(g.base.close(), g.delta.close(), g.file.close())
	if g.lines != nil {
		err = errors.Join(err, g.lines.Close())
	}
	return err
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
	row = int(g.numberOf[chunk])
	if n := g.base.catalog.rows(); row >= n {
		return g.delta, row - n
	}
	return g.base, row
}

func (g *Generation) value(chunk, column int) string {
	s, row := g.row(chunk)
	return s.catalog.value(row, column)
}

// Len is the number of chunks.
func (g *Generation) Len() int { return len(g.numberOf) }

// ID is the chunk's identifier.
func (g *Generation) ID(chunk int) string {
	s, row := g.row(chunk)
	return strings.Clone(s.catalog.id(row))
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

// A difference is how a generation is made of a base.
type difference struct {
	numberOf []uint32
	offsets  []uint64
	// fresh are the chunks that are not in the base as they are now; their documents follow those of the base.
	fresh []store.Line
	// gone are the rows of the base that the generation does not have.
	gone []int
}

// compare finds the difference between the rows of a base, none if it is nil, and the lines of a generation, both in the
// order of identifiers.
func compare(base *catalog, lines []store.Line) *difference {
	d := &difference{numberOf: make([]uint32, len(lines)), offsets: make([]uint64, len(lines))}
	rows := 0
	if base != nil {
		rows = base.rows()
	}
	row := 0
	for i, line := range lines {
		d.offsets[i] = uint64(line.Offset)
		same := false
		for ; row < rows && !same; row++ {
			id := base.id(row)
			if id > line.ID {
				break
			}
			same = id == line.ID && base.columns[lineCRCColumn][row] == line.CRC32C && base.columns[lineLengthColumn][row] == uint32(line.Length) &&
				base.value(row, typeColumn) == string(record.ChunkTypes[line.File])
			if same {
				d.numberOf[i] = uint32(row)
			} else {
				d.gone = append(d.gone, row)
			}
		}
		if !same {
			d.numberOf[i] = uint32(rows + len(d.fresh))
			d.fresh = append(d.fresh, line)
		}
	}
	for ; row < rows; row++ {
		d.gone = append(d.gone, row)
	}
	return d
}

// sums adds up the terms of the generation, by dictionary, from those of all rows of the base.
func (d *difference) sums(all []uint64, base, delta *catalog) []uint64 {
	sums := slices.Clone(all)
	for dict, column := range base.lengths {
		for _, row := range d.gone {
			if column != nil {
				sums[dict] -= uint64(column[row])
			}
		}
	}
	if delta != nil {
		for dict, n := range delta.sums() {
			sums[dict] += n
		}
	}
	return sums
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
