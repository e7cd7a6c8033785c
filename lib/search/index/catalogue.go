package index

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"cortex/lib/record"
)

// A Catalogue is the part of a tree's index that is in memory when the chunks are elsewhere: places and symbols of the
// chunks, and the words of their paths and packages. A Source reads the rest. A Catalogue never changes.
type Catalogue struct{ segment *segment }

// An Entry is a chunk of a catalogue.
type Entry struct {
	// Number identifies the chunk within its tree.
	Number uint32
	// Chunk has its identifier, type and tags, and in its metadata path, package, language, tree, lines and symbols.
	Chunk *record.Chunk
	// Traits is the result of Analysis.Traits for the chunk; Lengths are its numbers of terms, by dictionary.
	Traits  uint32
	Lengths []uint32
}

// NewCatalogue sorts the entries and encodes them; CatalogueOf decodes the result, given the same Analysis.
func NewCatalogue(entries []Entry, a *Analysis) ([]byte, error) {
	slices.SortFunc(entries, func(a, b Entry) int {
		return cmp.Or(strings.Compare(a.Chunk.Metadata.FilePath, b.Chunk.Metadata.FilePath), strings.Compare(a.Chunk.ID, b.Chunk.ID))
	})
	var current *Entry
	own := *a
	b := newBuilder(&own, "", 0)
	own.Traits = func(*record.Chunk) uint32 { return current.Traits }
	own.Symbols = func(c *record.Chunk) iter.Seq[record.SymbolRef] { return slices.Values(c.Metadata.Symbols) }
	own.Terms = func(*record.Chunk, func(dict int, term string, from, to int)) {
		for dict, n := range current.Lengths[:min(len(current.Lengths), len(b.inverter.lengths))] {
			if lengths := b.inverter.lengths[dict]; !a.Dicts[dict].Shared {
				lengths[len(lengths)-1] = n
			}
		}
	}
	numbers := make([]uint32, 0, len(entries))
	for i := range entries {
		current = &entries[i]
		if err := b.add(row{chunk: current.Chunk}); err != nil {
			return nil, err
		}
		numbers = append(numbers, current.Number)
	}
	byNumber := make([]uint32, len(numbers))
	for i := range byNumber {
		byNumber[i] = uint32(i)
	}
	slices.SortFunc(byNumber, func(a, b uint32) int { return cmp.Compare(numbers[a], numbers[b]) })
	return b.finish(bytesOf(numbers), bytesOf(byNumber))
}

// CatalogueOf decodes a catalogue, which refers to data.
func CatalogueOf(data []byte, a *Analysis) (c *Catalogue, err error) {
	defer guardTables(&err)()
	s, err := newSegment("", data, a)
	return &Catalogue{s}, err
}

// Len returns the number of chunks.
func (c *Catalogue) Len() int { return c.segment.rows }

// A Remote is the index of trees whose chunks are kept elsewhere. Each request reads them through its own Source.
type Remote struct{ generation *Generation }

// NewRemote joins the catalogues of trees. vectors is the number of chunks with a vector of the model.
func NewRemote(trees []*Catalogue, model string, dimensions, vectors int, a *Analysis) (*Remote, error) {
	var segments []*segment
	for _, tree := range trees {
		tree.segment.users.Add(1)
		segments = append(segments, tree.segment)
	}
	g, err := assemble(segments, nil, 0, a)
	if err != nil {
		return nil, err
	}
	g.model, g.dimensions, g.vectors, g.fetched = model, dimensions, vectors, newFetched()
	return &Remote{g}, nil
}

// Over returns the generation for one request. If the Source is nil, the generation has only what the catalogues hold.
func (r *Remote) Over(s Source) *Generation {
	if s == nil {
		return r.generation
	}
	own, t := *r.generation, r.generation.text
	own.source, own.records = s, newRecords(own.inShares)
	own.text = &Text{
		segments: t.segments, firsts: t.firsts, dicts: t.dicts, mean: t.mean, automaton: t.automaton, known: map[string][]postingsPlace{},
		remote: &remoteText{source: s, fetched: own.fetched},
	}
	return &own
}
