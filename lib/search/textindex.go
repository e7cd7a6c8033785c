package search

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/blevesearch/bleve/v2/document"
	"github.com/blevesearch/bleve/v2/index/scorch"
	index "github.com/blevesearch/bleve_index_api"
	"golang.org/x/sync/errgroup"

	"cortex/lib/record"
	"cortex/lib/search/token"
)

// A textIndex holds the terms of the chunks: for each field of words one dictionary
// of each kind. Chunks are named by their number in the
// snapshot. All methods may be called at once.
type textIndex interface {
	// each visits the chunks that have the term, in any order. length is the number of terms of
	// that dictionary in the chunk over their mean.
	each(ctx context.Context, d dict, term string, visit func(chunk, freq int, length float64)) error
	// spans visits those of the chunks that have the term, with the places where.
	// spans is valid during the call. among comes from order.
	spans(ctx context.Context, d dict, term string, among []uint64, visit func(chunk int, spans []span)) error
	// order prepares a set of chunks for spans: the numbers that the index has for them,
	// ascending. chunk undoes it.
	order(set bitset) []uint64
	chunk(number uint64) int
	// terms lists the terms with the prefix that satisfy match, each once, in order; it stops with
	// errTooManyTerms beyond limit.
	terms(d dict, prefix string, match func(term string) bool, limit int) ([]string, error)
	// near lists the terms that are at most edits (1 or 2) away.
	near(d dict, term string, edits, limit int) ([]nearTerm, error)
	close() error
}

// A span is an interval of positions; see package token.
type span struct{ from, to int }

type nearTerm struct {
	term  string
	edits int
}

// tooManyTerms says that a pattern has more than limit terms.
type tooManyTerms struct{ limit int }

func (e *tooManyTerms) Error() string {
	return fmt.Sprintf("matches more than %d different words", e.limit)
}

// bleveIndex is a textIndex in a scorch index of bleve that lives in memory. It uses
// bleve's dictionaries, automata and postings, and scores by itself: in the version
// that is pinned, the mean length of BM25 is the size of the vocabulary over the number of
// documents, and term frequencies are square roots.
type bleveIndex struct {
	scorch index.Index
	queue  *index.AnalysisQueue
	reader index.IndexReader
	// chunkOf gives the chunk of each of bleve's document numbers, and numberOf the reverse.
	chunkOf  []uint32
	numberOf []uint32
	mean     map[string]float64
	// vocabulary holds all terms of the dictionaries that were asked for whole.
	vocabulary sync.Map // of dict to func() ([]string, error)
}

// batchSize is the number of chunks in a segment. Every term is looked up in each segment, so
// few large ones are faster to search; but they need more memory while they are made, some
// 50 KB a chunk.
func batchSize(chunks int) int { return min(max(chunks/16, 1000), 2000) }

// newBleveIndex indexes the chunks with the given number of workers.
func newBleveIndex(ctx context.Context, chunks []*record.Chunk, workers int) (*bleveIndex, error) {
	b := &bleveIndex{queue: index.NewAnalysisQueue(workers), mean: map[string]float64{}}
	var err error
	if b.scorch, err = scorch.NewScorch(scorch.Name, map[string]any{"path": ""}, b.queue); err != nil {
		return nil, fmt.Errorf("make text index: %w", err)
	}
	if err := b.scorch.Open(); err != nil {
		return nil, fmt.Errorf("open text index: %w", err)
	}
	lengths := newLengths()
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(max(workers, 1))
	size := batchSize(len(chunks))
	for start := 0; start < len(chunks); start += size {
		end := min(start+size, len(chunks))
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			batch := index.NewBatch()
			for i := start; i < end; i++ {
				batch.Update(newDocument(i, chunks[i], lengths))
			}
			return b.scorch.Batch(batch)
		})
	}
	if err := group.Wait(); err != nil {
		b.close()
		return nil, fmt.Errorf("build text index: %w", err)
	}
	for name, sum := range lengths {
		b.mean[name] = float64(sum.Load()) / float64(max(len(chunks), 1))
	}
	if err := b.open(len(chunks)); err != nil {
		b.close()
		return nil, fmt.Errorf("open text index: %w", err)
	}
	return b, nil
}

// open makes the reader and the tables of numbers.
func (b *bleveIndex) open(chunks int) error {
	var err error
	if b.reader, err = b.scorch.Reader(); err != nil {
		return err
	}
	all, err := b.reader.DocIDReaderAll()
	if err != nil {
		return err
	}
	defer all.Close()
	b.chunkOf = make([]uint32, chunks)
	b.numberOf = make([]uint32, chunks)
	for {
		id, err := all.Next()
		if err != nil {
			return err
		}
		if id == nil {
			return nil
		}
		name, err := b.reader.ExternalID(id)
		if err != nil {
			return err
		}
		chunk, err := strconv.Atoi(name)
		if err != nil {
			return err
		}
		b.chunkOf[id.Value()] = uint32(chunk)
		b.numberOf[chunk] = uint32(id.Value())
	}
}

func (b *bleveIndex) close() error {
	var err error
	if b.reader != nil {
		err = b.reader.Close()
	}
	if cerr := b.scorch.Close(); err == nil {
		err = cerr
	}
	b.queue.Close()
	return err
}

func (b *bleveIndex) each(ctx context.Context, d dict, term string, visit func(chunk, freq int, length float64)) error {
	reader, err := b.reader.TermFieldReader(ctx, []byte(term), d.name(), true, true, false)
	if err != nil {
		return fmt.Errorf("read text index: %w", err)
	}
	defer reader.Close()
	mean := b.mean[d.name()]
	doc := &index.TermFieldDoc{}
	for n := 0; ; n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		doc, err = reader.Next(doc)
		if err != nil {
			return fmt.Errorf("read text index: %w", err)
		}
		if doc == nil {
			return nil
		}
		length := 1.0
		if doc.Norm > 0 && mean > 0 {
			// bleve keeps the inverse of the root of the number of terms.
			length = 1 / (doc.Norm * doc.Norm * mean)
		}
		visit(int(b.chunkOf[doc.ID.Value()]), int(doc.Freq), length)
	}
}

func (b *bleveIndex) order(set bitset) []uint64 {
	numbers := make([]uint64, 0, set.count())
	set.each(func(chunk int) { numbers = append(numbers, uint64(b.numberOf[chunk])) })
	slices.Sort(numbers)
	return numbers
}

func (b *bleveIndex) chunk(number uint64) int { return int(b.chunkOf[number]) }

func (b *bleveIndex) spans(ctx context.Context, d dict, term string, among []uint64, visit func(chunk int, spans []span)) error {
	reader, err := b.reader.TermFieldReader(ctx, []byte(term), d.name(), false, false, true)
	if err != nil {
		return fmt.Errorf("read text index: %w", err)
	}
	defer reader.Close()
	doc := &index.TermFieldDoc{}
	var list []span
	for n := 0; n < len(among); {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if doc, err = reader.Advance(index.NewIndexInternalID(nil, among[n]), doc); err != nil {
			return fmt.Errorf("read text index: %w", err)
		}
		if doc == nil {
			return nil
		}
		// The term's next chunk may lie further on: go to the candidate there.
		number := doc.ID.Value()
		skip, found := slices.BinarySearch(among[n:], number)
		n += skip
		if found {
			list = list[:0]
			for _, v := range doc.Vectors {
				list = append(list, span{int(v.Start), int(v.End)})
			}
			visit(int(b.chunkOf[number]), list)
			n++
		}
	}
	return nil
}

func (b *bleveIndex) terms(d dict, prefix string, match func(string) bool, limit int) ([]string, error) {
	var list []string
	visit := func(term string) error {
		if !match(term) {
			return nil
		}
		if len(list) == limit {
			return &tooManyTerms{limit}
		}
		list = append(list, term)
		return nil
	}
	if prefix != "" {
		err := b.dictionary(d, prefix, visit)
		return list, err
	}
	all, err := b.allTerms(d)
	for _, term := range all {
		if err == nil {
			err = visit(term)
		}
	}
	return list, err
}

// allTerms lists the whole dictionary. To read it out of all segments takes a second at
// 100,000 chunks, so it is kept.
func (b *bleveIndex) allTerms(d dict) ([]string, error) {
	list, _ := b.vocabulary.LoadOrStore(d, sync.OnceValues(func() ([]string, error) {
		var all []string
		err := b.dictionary(d, "", func(term string) error {
			all = append(all, term)
			return nil
		})
		return all, err
	}))
	return list.(func() ([]string, error))()
}

// dictionary visits the terms with the prefix in order.
func (b *bleveIndex) dictionary(d dict, prefix string, visit func(term string) error) error {
	var entries index.FieldDict
	var err error
	if prefix == "" {
		entries, err = b.reader.FieldDict(d.name())
	} else {
		entries, err = b.reader.FieldDictPrefix(d.name(), []byte(prefix))
	}
	if err != nil {
		return fmt.Errorf("read text index: %w", err)
	}
	defer entries.Close()
	for {
		entry, err := entries.Next()
		if err != nil {
			return fmt.Errorf("read text index: %w", err)
		}
		if entry == nil {
			return nil
		}
		if err := visit(entry.Term); err != nil {
			return err
		}
	}
}

func (b *bleveIndex) near(d dict, term string, edits, limit int) ([]nearTerm, error) {
	reader, ok := b.reader.(index.IndexReaderFuzzy)
	if !ok {
		return nil, fmt.Errorf("read text index: %T has no fuzzy search", b.reader)
	}
	entries, err := reader.FieldDictFuzzy(d.name(), term, edits, "")
	if err != nil {
		return nil, fmt.Errorf("read text index: %w", err)
	}
	defer entries.Close()
	var list []nearTerm
	for {
		entry, err := entries.Next()
		if err != nil {
			return nil, fmt.Errorf("read text index: %w", err)
		}
		if entry == nil {
			return list, nil
		}
		distance := token.Distance(term, entry.Term, edits)
		if distance > edits {
			continue
		}
		if len(list) == limit {
			return nil, &tooManyTerms{limit}
		}
		list = append(list, nearTerm{entry.Term, distance})
	}
}

// lengths adds up the number of terms by the name of the dictionary.
type lengths map[string]*atomic.Int64

func newLengths() lengths {
	l := lengths{}
	for _, f := range wordFields() {
		for kind := range dictKinds {
			l[dict{f.field, kind}.name()] = &atomic.Int64{}
		}
	}
	return l
}

func newDocument(number int, c *record.Chunk, sums lengths) *document.Document {
	doc := document.NewDocument(strconv.Itoa(number))
	for _, f := range wordFields() {
		field := &analysedField{wordField: f, chunk: c}
		for kind := range field.dicts {
			name := dict{f.field, dictKind(kind)}.name()
			own := &bleveField{name: name, of: field, sum: sums[name]}
			field.dicts[kind] = own
			doc.AddField(own)
		}
	}
	return doc
}

// An analysedField is one field of a chunk with a field of bleve for each of its dictionaries.
type analysedField struct {
	wordField
	chunk *record.Chunk
	dicts [dictKinds]*bleveField
}

// bleveField is a field of bleve that was analysed by package token. bleve analyses the
// fields of a document one after the other.
type bleveField struct {
	name string
	of   *analysedField
	sum  *atomic.Int64

	freqs  index.TokenFrequencies
	length int
}

// Analyze implements index.Field. The first field analyses the text for all.
func (f *bleveField) Analyze() {
	if f.freqs == nil {
		f.of.analyse()
	}
	f.sum.Add(int64(f.length))
}

func (a *analysedField) analyse() {
	for _, d := range a.dicts {
		d.freqs = index.TokenFrequencies{}
	}
	var locs [dictKinds]locations
	a.wordField.analyse(a.chunk, func(kind dictKind, term string, at span) {
		a.dicts[kind].add(term, at, &locs[kind])
	})
	a.chunk = nil
}

// add counts a term. The positions go where bleve keeps byte offsets.
func (f *bleveField) add(term string, at span, locs *locations) {
	f.length++
	freq, ok := f.freqs[term]
	if !ok {
		freq = &index.TokenFreq{Term: []byte(term)}
		f.freqs[term] = freq
	}
	freq.SetFrequency(freq.Frequency() + 1)
	freq.Locations = append(freq.Locations, locs.next(index.TokenLocation{Start: at.from, End: at.to, Position: at.from + 1}))
}

// locations allocates many at a time.
type locations struct{ free []index.TokenLocation }

func (l *locations) next(loc index.TokenLocation) *index.TokenLocation {
	if len(l.free) == 0 {
		l.free = make([]index.TokenLocation, 64)
	}
	l.free[0] = loc
	p := &l.free[0]
	l.free = l.free[1:]
	return p
}

// The rest of index.Field and document.Field.

func (f *bleveField) Name() string             { return f.name }
func (f *bleveField) Value() []byte            { return nil }
func (f *bleveField) ArrayPositions() []uint64 { return nil }
func (f *bleveField) EncodedFieldType() byte   { return 't' }
func (f *bleveField) Options() index.FieldIndexingOptions {
	return index.IndexField | index.IncludeTermVectors
}
func (f *bleveField) AnalyzedLength() int                              { return f.length }
func (f *bleveField) AnalyzedTokenFrequencies() index.TokenFrequencies { return f.freqs }
func (f *bleveField) NumPlainTextBytes() uint64                        { return 0 }
func (f *bleveField) Size() int                                        { return len(f.name) }

// idf is the weight of a term that df of n chunks have, as in BM25 (Robertson and
// Zaragoza 2009), and never negative.
func idf(n, df int) float64 {
	return math.Log(1 + (float64(n)-float64(df)+0.5)/(float64(df)+0.5))
}
