package index

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync/atomic"

	"cortex/lib/derived"
	"cortex/lib/record"
	"cortex/lib/search/cosine"
)

// A segment is the search index of one shard. Its rows are the chunks of the shard, in the shard's order.
type segment struct {
	name string
	// users is the number of generations that use the segment; the last one to close it unmaps it.
	users  atomic.Int32
	mapped *derived.Mapped // nil for an index in memory

	rows, dimensions, embeddings int
	sums                         []uint64
	// words is a copy outside mapped memory, since results of a search may outlive the segment.
	words    string
	wordEnds []uint32
	columns  [columns]column
	ids      []byte
	idEnds   []uint32
	runs     [runColumns]column
	runCount int
	offsets  []uint64
	files    [fileColumns]column
	// named has the numbers of the words of the files' names.
	named     []uint32
	fileCount int
	tagEnds   []uint32
	tags      []uint32
	symbols   [symbolColumns]column
	names     []byte
	scales    []float32
	vectors   []int8
	// vectorSize is the number of bytes of each vector: its stride, or half the stride for components of 4 bits.
	vectorSize int
	postings   []byte
	lengths    []column
	terms      dictionary
	// numbers and byNumber are set for a Catalogue only: the number of each row, and the rows sorted by their numbers.
	numbers, byNumber []uint32
}

// newSegment decodes a segment, which refers to data. It checks the sizes of the sections. Numbers in them that are out
// of range cause a runtime error when they are used, which guardTables turns into an error.
func newSegment(name string, data []byte, a *Analysis) (*segment, error) {
	s := &segment{name: name}
	if err := s.decode(data, a); err != nil {
		return nil, fmt.Errorf("open segment %s: %w", name, err)
	}
	s.users.Store(1)
	return s, nil
}

func (s *segment) decode(data []byte, a *Analysis) error {
	sections, err := split(data)
	if err != nil {
		return err
	}
	if own := lengthsSection + len(a.Dicts); len(sections) == own+2 { // a catalogue
		s.numbers, s.byNumber = numbers[uint32](sections[own]), numbers[uint32](sections[own+1])
	} else if len(sections) != own {
		return fmt.Errorf("%w: %d sections", ErrDamaged, len(sections))
	}
	head := numbers[uint32](sections[headSection])
	if len(head) != headNumbers || int(head[headDicts]) != len(a.Dicts) {
		return fmt.Errorf("%w: head", ErrDamaged)
	}
	s.rows, s.runCount, s.dimensions, s.embeddings = int(head[headRows]), int(head[headRuns]), int(head[headDimensions]), int(head[headEmbeddings])
	s.fileCount, s.named = int(head[headFiles]), numbers[uint32](sections[namedSection])
	s.sums = numbers[uint64](sections[sumsSection])
	s.words, s.wordEnds = string(sections[wordsSection]), numbers[uint32](sections[wordEndsSection])
	s.offsets, s.tagEnds, s.tags = numbers[uint64](sections[offsetsSection]), numbers[uint32](sections[tagEndsSection]), numbers[uint32](sections[tagsSection])
	s.ids, s.idEnds, s.names = sections[idsSection], numbers[uint32](sections[idEndsSection]), sections[namesSection]
	s.scales, s.vectors, s.postings = numbers[float32](sections[scalesSection]), numbers[int8](sections[vectorsSection]), sections[postingsSection]
	vectors := s.rows
	if s.dimensions == 0 {
		vectors = 0
	}
	if s.vectorSize = cosine.Stride(s.dimensions); len(s.vectors) < s.vectorSize*vectors {
		s.vectorSize /= 2
	}
	if len(s.sums) != len(a.Dicts) || len(s.numbers) != len(s.byNumber) || len(s.numbers) > 0 && len(s.numbers) != s.rows || len(s.idEnds) != s.rows || len(s.offsets) != 2*s.runCount || len(s.scales) != vectors || s.vectorSize*vectors != len(s.vectors) {
		return fmt.Errorf("%w: lists", ErrDamaged)
	}
	s.terms = dictionary{numbers[uint64](sections[headsSection]), numbers[uint32](sections[blocksSection]), sections[termsSection], sections[listsSection]}
	if len(s.terms.blocks) != 3*len(s.terms.heads) {
		return fmt.Errorf("%w: blocks", ErrDamaged)
	}
	return s.decodeColumns(sections, int(head[headSymbols]), a.Dicts)
}

func (s *segment) decodeColumns(sections [][]byte, symbols int, dicts []Dict) (failed error) {
	decode := func(section, n int) column {
		c, err := unpack(sections[section], n)
		failed = cmp.Or(failed, err)
		return c
	}
	all := func(to []column, first, n int) {
		for i := range to {
			to[i] = decode(first+i, n)
		}
	}
	all(s.columns[:], rowSection, s.rows)
	all(s.runs[:], runSection, s.runCount)
	all(s.symbols[:], symbolSection, symbols)
	all(s.files[:], fileSection, s.fileCount)
	for i, d := range dicts {
		n := s.rows
		if d.Shared {
			n = s.runCount
		}
		s.lengths = append(s.lengths, decode(lengthsSection+i, n))
	}
	return failed
}

func (s *segment) close() error {
	if s.users.Add(-1) > 0 {
		return nil
	}
	return s.mapped.Close()
}

// between returns the bounds of piece i in an array of pieces that end at ends.
func between(ends []uint32, i int) (start, end uint32) {
	if i > 0 {
		start = ends[i-1]
	}
	return start, ends[i]
}

func (s *segment) word(number int) string {
	start, end := between(s.wordEnds, number)
	return s.words[start:end]
}

// ofRun returns the row's word in a column of runs.
func (s *segment) ofRun(row, column int) string {
	return s.word(s.runs[column].at(s.columns[runColumn].at(row)))
}

// runEnd returns the row after the last one of a run.
func (s *segment) runEnd(run int) int {
	if run+1 < s.runCount {
		return s.runs[runFirst].at(run + 1)
	}
	return s.rows
}

// rowsOf returns the rows of a file, [first, end).
func (s *segment) rowsOf(file int) (first, end int) {
	first, end = s.runs[runFirst].at(s.files[fileRun].at(file)), s.rows
	if file+1 < s.fileCount {
		end = s.runs[runFirst].at(s.files[fileRun].at(file + 1))
	}
	return first, end
}

func (s *segment) pathOf(file int) string {
	return s.word(s.runs[runPath].at(s.files[fileRun].at(file)))
}

func (s *segment) appendID(id []byte, row int) []byte {
	form := s.columns[formColumn].at(row)
	start, end := between(s.idEnds, row)
	rest := s.ids[start:end]
	prefix := form & prefixMask
	if prefix == 0 {
		return append(id, rest...)
	}
	id = append(append(id, prefixes[prefix]...), record.IDPath(s.ofRun(row, runPath))...)
	if form&formNamed != 0 {
		id = append(append(id, '#'), s.symbolName(s.firstSymbol(row))...)
	}
	return append(id, rest...)
}

func (s *segment) firstSymbol(row int) int {
	if row == 0 {
		return 0
	}
	return s.columns[symbolColumn].at(row - 1)
}

func (s *segment) symbolName(symbol int) []byte {
	start := 0
	if symbol > 0 {
		start = s.symbols[symbolName].at(symbol - 1)
	}
	return s.names[start:s.symbols[symbolName].at(symbol)]
}

func (s *segment) symbolsOf(row int) iter.Seq[record.SymbolRef] {
	return func(yield func(record.SymbolRef) bool) {
		for i, end := s.firstSymbol(row), s.columns[symbolColumn].at(row); i < end; i++ {
			ref := record.SymbolRef{
				Name: strings.Clone(text(s.symbolName(i))), Type: record.Kind(s.word(s.symbols[symbolType].at(i))), Line: int(int32(s.symbols[symbolLine].at(i))),
			}
			if !yield(ref) {
				return
			}
		}
	}
}

func (s *segment) tagsOf(row int) iter.Seq[string] {
	return func(yield func(string) bool) {
		start, end := between(s.tagEnds, s.columns[tagsColumn].at(row))
		for _, tag := range s.tags[start:end] {
			if !yield(s.word(int(tag))) {
				return
			}
		}
	}
}

// lines returns the offsets and sizes, in the shard, of the line of the row's file and of the row's line.
func (s *segment) lines(row int) (fileOffset, fileSize, offset, size int64) {
	run := s.columns[runColumn].at(row)
	offset = int64(s.offsets[2*run+1])
	for before := s.runs[runFirst].at(run); before < row; before++ {
		offset += int64(s.columns[sizeColumn].at(before))
	}
	return int64(s.offsets[2*run]), int64(s.runs[runFileSize].at(run)), offset, int64(s.columns[sizeColumn].at(row))
}

// vector returns the components of the row's vector, padded to the stride. It may use buffer for them.
func (s *segment) vector(buffer []int8, row int) []int8 {
	values := s.vectors[row*s.vectorSize:][:s.vectorSize]
	if width := cosine.Stride(s.dimensions); s.vectorSize < width {
		buffer = slices.Grow(buffer[:0], width)[:width]
		cosine.Unpack(buffer, values)
		return buffer
	}
	return values
}

// rowOf returns the row of the chunk with the number that the catalogue gives it.
func (s *segment) rowOf(number uint32) (row int, ok bool) {
	// If no file has changed since the whole tree was written, the numbers are 0, 1, 2 and so on.
	if int(number) < len(s.byNumber) {
		if row := s.byNumber[number]; s.numbers[row] == number {
			return int(row), true
		}
	}
	at, ok := slices.BinarySearchFunc(s.byNumber, number, func(row, number uint32) int { return cmp.Compare(s.numbers[row], number) })
	if !ok {
		return 0, false
	}
	return int(s.byNumber[at]), true
}

// rowsIn returns the rows of a document, [first, end).
func (s *segment) rowsIn(d Dict, document int) (first, end int) {
	if d.Shared {
		return s.runs[runFirst].at(document), s.runEnd(document)
	}
	return document, document + 1
}
