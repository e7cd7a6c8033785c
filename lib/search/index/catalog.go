package index

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"cortex/lib/record"
	"cortex/lib/store"
)

// A catalog holds of every chunk of a segment what search needs without reading its text, a column for each value.
// Its rows are the chunks in the order of their identifiers, which is that of the postings' documents. Strings but identifiers are
// numbered; a string's number is its place in ends.
type catalog struct {
	ids    []byte
	idEnds []uint32 // of each row in ids
	// letters are in memory of the process: what search takes from a catalog may outlive it.
	letters string
	ends    []uint32 // of each string in letters

	columns [columns][]uint32
	// tagStart and symbolStart give for each row where its tags and symbols begin; they have an entry more than there
	// are rows.
	tagStart, tags                                     []uint32
	symbolStart, symbolNames, symbolTypes, symbolLines []uint32
	// lengths are the numbers of terms, by dictionary; nil for a dictionary that is empty.
	lengths [][]uint32
}

// The columns of a catalog; those that name strings first.
const (
	typeColumn = iota
	fileColumn
	languageColumn
	treeColumn
	startColumn
	endColumn
	traitsColumn
	// The length and the CRC-32C of the chunk's line in the store.
	lineLengthColumn
	lineCRCColumn
	// embeddedColumn is 1 for chunks with a vector.
	embeddedColumn
	columns
)

const fixedSections = 4 + columns + 6

func (c *catalog) rows() int { return len(c.idEnds) }

func (c *catalog) encode() sections {
	arrays := [][]byte{c.ids, bytesOf(c.idEnds), []byte(c.letters), bytesOf(c.ends)}
	for _, column := range c.columns {
		arrays = append(arrays, bytesOf(column))
	}
	for _, list := range [][]uint32{c.tagStart, c.tags, c.symbolStart, c.symbolNames, c.symbolTypes, c.symbolLines} {
		arrays = append(arrays, bytesOf(list))
	}
	for _, column := range c.lengths {
		arrays = append(arrays, bytesOf(column))
	}
	return newSections(catalogFile, arrays)
}

// decodeCatalog refers to data, whose checksum was compared. It makes sure of the shape; what the numbers point to, those look who
// follow them.
func decodeCatalog(data []byte, dicts int) (*catalog, error) {
	sections, err := splitSections(catalogFile, data, true)
	if err != nil {
		return nil, err
	}
	if len(sections) != fixedSections+dicts {
		return nil, fmt.Errorf("%w: %d sections", ErrDamaged, len(sections))
	}
	c := &catalog{ids: sections[0], idEnds: numbers[uint32](sections[1]), letters: string(sections[2]), ends: numbers[uint32](sections[3])}
	for i := range c.columns {
		c.columns[i] = numbers[uint32](sections[4+i])
		if len(c.columns[i]) != c.rows() {
			return nil, fmt.Errorf("%w: column %d", ErrDamaged, i)
		}
	}
	for i, list := range []*[]uint32{&c.tagStart, &c.tags, &c.symbolStart, &c.symbolNames, &c.symbolTypes, &c.symbolLines} {
		*list = numbers[uint32](sections[4+columns+i])
	}
	if len(c.tagStart) != c.rows()+1 || len(c.symbolStart) != c.rows()+1 ||
		len(c.symbolNames) != len(c.symbolTypes) || len(c.symbolNames) != len(c.symbolLines) {
		return nil, fmt.Errorf("%w: lists", ErrDamaged)
	}
	for _, section := range sections[fixedSections:] {
		column := numbers[uint32](section)
		if column != nil && len(column) != c.rows() {
			return nil, fmt.Errorf("%w: lengths", ErrDamaged)
		}
		c.lengths = append(c.lengths, column)
	}
	return c, nil
}

func (c *catalog) string(number uint32) string {
	start := uint32(0)
	if number > 0 {
		start = c.ends[number-1]
	}
	return c.letters[start:c.ends[number]]
}

// id is the row's identifier, valid as long as the catalog.
func (c *catalog) id(row int) string {
	start := uint32(0)
	if row > 0 {
		start = c.idEnds[row-1]
	}
	return text(c.ids[start:c.idEnds[row]])
}

func (c *catalog) value(row, column int) string { return c.string(c.columns[column][row]) }

func (c *catalog) tagsOf(row int) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, tag := range c.tags[c.tagStart[row]:c.tagStart[row+1]] {
			if !yield(c.string(tag)) {
				return
			}
		}
	}
}

func (c *catalog) symbolsOf(row int) iter.Seq[record.SymbolRef] {
	return func(yield func(record.SymbolRef) bool) {
		for i := c.symbolStart[row]; i < c.symbolStart[row+1]; i++ {
			s := record.SymbolRef{Name: c.string(c.symbolNames[i]), Type: record.Kind(c.string(c.symbolTypes[i])), Line: int(int32(c.symbolLines[i]))}
			if !yield(s) {
				return
			}
		}
	}
}

// lengthsOf are the lengths of some successive rows.
func (c *catalog) lengthsOf(first, rows int) [][]uint32 {
	own := make([][]uint32, len(c.lengths))
	for dict, column := range c.lengths {
		if column != nil {
			own[dict] = column[first : first+rows]
		}
	}
	return own
}

// A catalogWriter makes a catalog row by row.
type catalogWriter struct {
	catalog
	known   map[string]uint32
	written []byte // letters
}

func newCatalogWriter(dicts int) *catalogWriter {
	w := &catalogWriter{known: map[string]uint32{}}
	w.tagStart, w.symbolStart = []uint32{0}, []uint32{0}
	w.lengths = make([][]uint32, dicts)
	return w
}

func (w *catalogWriter) number(s string) uint32 {
	if n, ok := w.known[s]; ok {
		return n
	}
	n := uint32(len(w.ends))
	w.written = append(w.written, s...)
	w.ends = append(w.ends, uint32(len(w.written)))
	w.known[strings.Clone(s)] = n
	return n
}

// maxLetters bounds the strings of a catalog, in bytes.
const maxLetters = 1 << 31

func (w *catalogWriter) add(c *record.Chunk, a *Analysis, line store.Line, embedded bool, lengths []uint32) error {
	row := w.rows()
	values := [columns]uint32{
		typeColumn: w.number(string(c.ChunkType)), fileColumn: w.number(c.Metadata.FilePath),
		languageColumn: w.number(c.Metadata.Language), treeColumn: w.number(c.Metadata.Tree),
		startColumn: uint32(c.Metadata.StartLine), endColumn: uint32(c.Metadata.EndLine), traitsColumn: a.Traits(c),
		lineLengthColumn: uint32(line.Length), lineCRCColumn: line.CRC32C,
	}
	if embedded {
		values[embeddedColumn] = 1
	}
	w.ids = append(w.ids, c.ID...)
	w.idEnds = append(w.idEnds, uint32(len(w.ids)))
	for i, v := range values {
		w.columns[i] = append(w.columns[i], v)
	}
	for _, tag := range c.Tags {
		w.tags = append(w.tags, w.number(tag))
	}
	w.tagStart = append(w.tagStart, uint32(len(w.tags)))
	for s := range a.Symbols(c) {
		w.symbolNames = append(w.symbolNames, w.number(s.Name))
		w.symbolTypes = append(w.symbolTypes, w.number(string(s.Type)))
		w.symbolLines = append(w.symbolLines, uint32(s.Line))
	}
	w.symbolStart = append(w.symbolStart, uint32(len(w.symbolNames)))
	for dict, n := range lengths {
		if n > 0 || w.lengths[dict] != nil {
			// The rows so far had none.
			w.lengths[dict] = append(slices.Grow(w.lengths[dict], row+1-len(w.lengths[dict]))[:row], n)
		}
	}
	if max(len(w.ids), len(w.written)) > maxLetters {
		return fmt.Errorf("make catalogue: identifiers and names have more than %d bytes", maxLetters)
	}
	return nil
}

// finish gives every dictionary that has any term its full column.
func (w *catalogWriter) finish() *catalog {
	for dict, column := range w.lengths {
		if column != nil {
			w.lengths[dict] = slices.Grow(column, w.rows()-len(column))[:w.rows()]
		}
	}
	w.letters = string(w.written)
	return &w.catalog
}
