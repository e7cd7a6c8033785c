package index

import (
	"fmt"
	"slices"
	"strings"

	"cortex/lib/record"
	"cortex/lib/search/cosine"
)

// A row is a chunk to be added to a segment, with the places of its file's line and of its own line in the shard.
type row struct {
	chunk                *record.Chunk
	fileOffset, fileSize int64
	offset, size         int64
}

// A builder makes a segment of chunks, which must be added file by file, in the order of their identifiers.
type builder struct {
	analysis   *Analysis
	model      string
	dimensions int

	inverter *inverter

	words   stringTable
	columns [columns][]uint32
	ends    []uint32 // end of the row's identifier in ids
	ids     []byte
	// runs are sequences of successive rows of one file with the same path, package, language and tree.
	runs       [runColumns][]uint32
	runKey     [4]string
	offsets    []uint64 // per run: offset of its file's line, and of the line of its first row
	nextOffset int64
	// files are sequences of successive runs of one path.
	files     [fileColumns][]uint32
	fileNames []uint32 // numbers of words

	tagSets    map[string]uint32
	tagEnds    []uint32
	tags       []uint32
	symbols    [symbolColumns][]uint32
	names      []byte
	sums       []uint64
	vectors    []int8
	scales     []float32
	embeddings uint32
}

func newBuilder(a *Analysis, model string, dimensions int) *builder {
	return &builder{
		analysis: a, model: model, dimensions: dimensions, inverter: newInverter(a.Dicts),
		words: stringTable{known: map[string]uint32{}}, tagSets: map[string]uint32{}, sums: make([]uint64, len(a.Dicts)),
	}
}

// expect allocates memory for so many chunks with lines of size bytes, within a bound: the manifest is not trusted.
func (b *builder) expect(chunks int, size int64) {
	const most, perPlace = 8 << 20, 8 // bytes of lines: at most, and per occurrence of a term
	lines := int(min(max(size, 0), most))
	if b.dimensions > 0 {
		length := cosine.Stride(b.dimensions)
		b.vectors = make([]int8, 0, min(max(chunks, 0), lines/length)*length)
	}
	b.inverter.found = make([]occurrence, 0, lines/perPlace)
}

func (b *builder) rows() int { return len(b.ends) }

func (b *builder) add(r row) error {
	c, m := r.chunk, &r.chunk.Metadata
	key := [4]string{m.FilePath, m.Package, m.Language, m.Tree}
	if first := b.rows() == 0; first || key != b.runKey || r.offset != b.nextOffset {
		b.startRun(r, key)
	}
	b.nextOffset = r.offset + r.size
	if r.size != int64(uint32(r.size)) || r.fileSize != int64(uint32(r.fileSize)) {
		return fmt.Errorf("make index: chunk %q has more than 4 GB", c.ID)
	}
	last := b.files[fileLast]
	last[len(last)-1] = max(last[len(last)-1], uint32(max(m.EndLine, 0)))
	b.inverter.next(false)
	b.analysis.Terms(c, b.inverter.add)
	for dict, lengths := range b.inverter.lengths {
		b.sums[dict] += uint64(lengths[len(lengths)-1])
	}
	name, symbols := "", b.symbols[symbolName]
	for s := range b.analysis.Symbols(c) {
		if len(symbols) == len(b.symbols[symbolName]) {
			name = s.Name
		}
		b.names = append(b.names, s.Name...)
		b.symbols[symbolName] = append(b.symbols[symbolName], uint32(len(b.names)))
		b.symbols[symbolType] = append(b.symbols[symbolType], b.words.number(string(s.Type)))
		b.symbols[symbolLine] = append(b.symbols[symbolLine], uint32(s.Line))
	}
	form, rest := formOf(c.ID, m.FilePath, name)
	b.ids = append(b.ids, rest...)
	b.ends = append(b.ends, uint32(len(b.ids)))
	for i, v := range [columns]uint32{
		typeColumn: b.words.number(string(c.ChunkType)), formColumn: form, startColumn: uint32(m.StartLine), linesColumn: uint32(m.EndLine - m.StartLine),
		traitsColumn: b.analysis.Traits(c), tagsColumn: b.tagSet(c.Tags), sizeColumn: uint32(r.size), runColumn: uint32(len(b.runs[runPath]) - 1),
		symbolColumn: uint32(len(b.symbols[symbolName])),
	} {
		b.columns[i] = append(b.columns[i], v)
	}
	b.addVector(c)
	return nil
}

func (b *builder) startRun(r row, key [4]string) {
	m := &r.chunk.Metadata
	if n := len(b.runs[runPath]); n == 0 || key[0] != b.runKey[0] {
		for word := range b.analysis.Name(m.FilePath) {
			b.fileNames = append(b.fileNames, b.words.number(word))
		}
		for i, v := range [fileColumns]uint32{fileRun: uint32(n), fileName: uint32(len(b.fileNames))} {
			b.files[i] = append(b.files[i], v)
		}
	}
	for i := range key {
		key[i] = strings.Clone(key[i])
	}
	b.runKey = key
	for i, v := range [runColumns]uint32{
		runPath: b.words.number(m.FilePath), runLanguage: b.words.number(m.Language), runTree: b.words.number(m.Tree),
		runFirst: uint32(b.rows()), runFileSize: uint32(r.fileSize), runFile: uint32(len(b.files[fileRun]) - 1),
	} {
		b.runs[i] = append(b.runs[i], v)
	}
	b.offsets = append(b.offsets, uint64(r.fileOffset), uint64(r.offset))
	b.inverter.next(true)
	b.analysis.PlaceTerms(r.chunk, b.inverter.add)
}

// formOf splits an identifier into a form, see prefixMask, and the rest that must be stored.
func formOf(id, path, name string) (form uint32, rest string) {
	for i, prefix := range prefixes[1:] {
		rest, ok := strings.CutPrefix(id, prefix)
		if !ok {
			continue
		}
		if rest, ok = strings.CutPrefix(rest, record.IDPath(path)); !ok {
			continue
		}
		form := uint32(i + 1)
		if name != "" && len(rest) > len(name) && rest[0] == '#' && rest[1:len(name)+1] == name {
			return form | formNamed, rest[len(name)+1:]
		}
		return form, rest
	}
	return 0, id
}

func (b *builder) tagSet(tags []string) uint32 {
	var key []byte
	for _, tag := range tags {
		key = order.AppendUint32(key, b.words.number(tag))
	}
	if n, ok := b.tagSets[string(key)]; ok {
		return n
	}
	n := uint32(len(b.tagEnds))
	b.tagSets[string(key)] = n
	b.tags = append(b.tags, numbers[uint32](key)...)
	b.tagEnds = append(b.tagEnds, uint32(len(b.tags)))
	return n
}

// addVector adds the chunk's vector, or zeros if it has no vector of the index's model: it is still found by its text.
func (b *builder) addVector(c *record.Chunk) {
	if b.dimensions == 0 {
		return
	}
	scale := float32(0)
	start := len(b.vectors)
	b.vectors = slices.Grow(b.vectors, cosine.Stride(b.dimensions))[:start+cosine.Stride(b.dimensions)]
	clear(b.vectors[start:])
	if len(c.Embedding) == b.dimensions && (b.model == "" || c.EmbeddingModel == "" || c.EmbeddingModel == b.model) {
		if _, ok := c.Embedding.Length(); ok {
			record.Quantize(b.vectors[start:start:start+b.dimensions], c.Embedding)
			scale = cosine.InverseLength(b.vectors[start : start+b.dimensions])
		}
	}
	if scale != 0 {
		b.embeddings++
	}
	b.scales = append(b.scales, scale)
}

// finish returns the content of the segment's file. The sections in more follow the others.
func (b *builder) finish(more ...[]byte) ([]byte, error) {
	sections := make([][]byte, lengthsSection)
	head := [headNumbers]uint32{
		headRows: uint32(b.rows()), headRuns: uint32(len(b.runs[runPath])), headSymbols: uint32(len(b.symbols[symbolName])),
		headFiles: uint32(len(b.files[fileRun])), headDimensions: uint32(b.dimensions), headEmbeddings: b.embeddings, headDicts: uint32(len(b.analysis.Dicts)),
	}
	sections[headSection], sections[sumsSection] = bytesOf(head[:]), bytesOf(b.sums)
	sections[wordsSection], sections[wordEndsSection] = b.words.letters, bytesOf(b.words.ends)
	sections[offsetsSection], sections[tagEndsSection], sections[tagsSection] = bytesOf(b.offsets), bytesOf(b.tagEnds), bytesOf(b.tags)
	sections[idEndsSection], sections[idsSection], sections[namesSection] = bytesOf(b.ends), b.ids, b.names
	all := func(first int, columns [][]uint32) {
		for i, values := range columns {
			sections[first+i] = pack(values)
		}
	}
	all(rowSection, b.columns[:])
	all(runSection, b.runs[:])
	all(symbolSection, b.symbols[:])
	all(fileSection, b.files[:])
	sections[namedSection] = bytesOf(b.fileNames)
	vectors, small := cosine.Pack(b.vectors)
	if !small {
		vectors = b.vectors
	}
	sections[scalesSection], sections[vectorsSection] = bytesOf(b.scales), bytesOf(vectors)
	for _, lengths := range b.inverter.lengths {
		sections = append(sections, pack(lengths))
	}
	words, err := b.inverter.finish()
	if err != nil {
		return nil, err
	}
	copy(sections[headsSection:], words)
	if max(len(b.ids), len(b.names), len(b.words.letters)) > maxSection {
		return nil, errTooLarge
	}
	return join(append(sections, more...)), nil
}

// A stringTable stores strings, each once, and numbers them in the order in which they come.
type stringTable struct {
	known   map[string]uint32
	letters []byte
	ends    []uint32
}

func (t *stringTable) number(s string) uint32 {
	if n, ok := t.known[s]; ok {
		return n
	}
	n := uint32(len(t.ends))
	t.letters = append(t.letters, s...)
	t.ends = append(t.ends, uint32(len(t.letters)))
	t.known[strings.Clone(s)] = n
	return n
}
