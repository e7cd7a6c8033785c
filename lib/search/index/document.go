package index

import (
	"fmt"

	bleve "github.com/blevesearch/bleve_index_api"
	scorch "github.com/blevesearch/scorch_segment_api/v2"
	zap "github.com/blevesearch/zapx/v17"

	"cortex/lib/record"
)

// batchSize is the number of chunks that are turned into postings at a time, which takes some 50 KB a chunk.
const batchSize = 1000

// newPostings makes postings of the chunks, whose document numbers are their places in the list. lengths are the
// numbers of terms: of each chunk those of all dictionaries.
func newPostings(chunks []*record.Chunk, a *Analysis) (postings *zap.SegmentBase, lengths [][]uint32, err error) {
	documents := make([]bleve.Document, len(chunks))
	lengths = make([][]uint32, len(chunks))
	for i, c := range chunks {
		d := analyse(c, a)
		// Parts with the same fields are merged by copying.
		d.whole = i == 0
		documents[i] = d
		lengths[i] = make([]uint32, len(d.fields))
		for dict := range d.fields {
			lengths[i][dict] = uint32(d.fields[dict].length)
		}
	}
	made, _, err := (&zap.ZapPlugin{}).New(documents)
	if err != nil {
		return nil, nil, fmt.Errorf("make postings: %w", err)
	}
	base, ok := made.(*zap.SegmentBase)
	if !ok {
		return nil, nil, fmt.Errorf("make postings: unexpected %T", made)
	}
	return base, lengths, nil
}

// mergePostings joins postings into one file. The document numbers of each follow those of the one before.
func mergePostings(parts []scorch.Segment, path string, stop chan struct{}) error {
	_, _, err := (&zap.ZapPlugin{}).Merge(parts, noDrops(len(parts)), path, stop, nil)
	if err != nil {
		return fmt.Errorf("merge postings: %w", err)
	}
	return nil
}

// A document is a chunk as zap wants it: a field for each dictionary.
type document struct {
	fields []field
	// whole asks to visit empty fields, too.
	whole bool
}

// A field holds the terms of a chunk for one dictionary.
type field struct {
	name   string
	freqs  bleve.TokenFrequencies
	length int
}

// An occurrence is one place of a term.
type occurrence struct {
	freq     *bleve.TokenFreq
	from, to int
}

// analyse counts the terms first, so that all places can be allocated at once. The interval of positions goes where bleve keeps byte
// offsets, its width for its end.
func analyse(c *record.Chunk, a *Analysis) *document {
	d := &document{fields: make([]field, len(a.Dicts))}
	for i, name := range a.Dicts {
		d.fields[i].name = name
	}
	all := make([]occurrence, 0, len(c.Text)/4)
	var free []bleve.TokenFreq
	a.Terms(c, func(dict int, term string, from, to int) {
		f := &d.fields[dict]
		f.length++
		freq := f.freqs[term]
		if freq == nil {
			if f.freqs == nil {
				f.freqs = bleve.TokenFrequencies{}
			}
			if len(free) == 0 {
				free = make([]bleve.TokenFreq, 64)
			}
			freq, free = &free[0], free[1:]
			f.freqs[term] = freq
		}
		freq.SetFrequency(freq.Frequency() + 1)
		all = append(all, occurrence{freq, from, to})
	})
	places := make([]bleve.TokenLocation, len(all))
	lists := make([]*bleve.TokenLocation, len(all))
	for i, o := range all {
		if o.freq.Locations == nil {
			n := o.freq.Frequency()
			o.freq.Locations, lists = lists[:0:n], lists[n:]
		}
		places[i] = bleve.TokenLocation{Start: o.from, End: o.to - o.from}
		o.freq.Locations = append(o.freq.Locations, &places[i])
	}
	return d
}

// The methods of bleve.Document.

// VisitFields visits first the identifier, without which zap makes nothing.
func (d *document) VisitFields(visit bleve.FieldVisitor) {
	visit(noID{})
	for i := range d.fields {
		if d.whole || d.fields[i].length > 0 {
			visit(&d.fields[i])
		}
	}
}

func (*document) ID() string                                 { return "" }
func (*document) Size() int                                  { return 0 }
func (*document) VisitComposite(bleve.CompositeFieldVisitor) {}
func (*document) HasComposite() bool                         { return false }
func (*document) NumPlainTextBytes() uint64                  { return 0 }
func (*document) AddIDField()                                {}
func (*document) StoredFieldsBytes() uint64                  { return 0 }
func (*document) Indexed() bool                              { return true }

// The methods of bleve.Field.

func (f *field) Name() string             { return f.name }
func (f *field) Value() []byte            { return nil }
func (f *field) ArrayPositions() []uint64 { return nil }
func (f *field) EncodedFieldType() byte   { return 't' }
func (f *field) Analyze()                 {}
func (f *field) Options() bleve.FieldIndexingOptions {
	return bleve.IndexField | bleve.IncludeTermVectors
}
func (f *field) AnalyzedLength() int { return f.length }
func (f *field) AnalyzedTokenFrequencies() bleve.TokenFrequencies {
	return f.freqs
}
func (f *field) NumPlainTextBytes() uint64 { return 0 }

// noID is an empty identifier: documents go by their number.
type noID struct{}

func (noID) Name() string                                     { return "_id" }
func (noID) Value() []byte                                    { return nil }
func (noID) ArrayPositions() []uint64                         { return nil }
func (noID) EncodedFieldType() byte                           { return 't' }
func (noID) Analyze()                                         {}
func (noID) Options() bleve.FieldIndexingOptions              { return bleve.StoreField }
func (noID) AnalyzedLength() int                              { return 0 }
func (noID) AnalyzedTokenFrequencies() bleve.TokenFrequencies { return nil }
func (noID) NumPlainTextBytes() uint64                        { return 0 }
