package index

import (
	"bytes"
	"container/heap"
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/RoaringBitmap/roaring/v2"
	scorch "github.com/blevesearch/scorch_segment_api/v2"
	"github.com/blevesearch/vellum/levenshtein"
	zap "github.com/blevesearch/zapx/v17"
	"golang.org/x/sync/errgroup"

	"cortex/lib/record"
)

// A Text holds the terms of chunks: in which chunks each one is, how often and where. Chunks go by their
// number, dictionaries by their place in Analysis.Dicts. All methods may be called at once.
type Text struct {
	dicts []string
	parts []part
	// chunkOf has the chunk of each document of all parts together, gone for those that are no longer in the
	// store; numberOf is the reverse. With nil, they are the same.
	chunkOf, numberOf []uint32
	// mean is the number of terms in a chunk, by dictionary.
	mean []float64
	// mapped tells that the parts are files, which may be damaged.
	mapped bool

	lists     sync.Pool // of *lists
	vocabs    []func() (*vocabulary, error)
	automaton [3]func() (*levenshtein.LevenshteinAutomatonBuilder, error)
	nearby    atomic.Pointer[nearby]
}

// gone stands for the chunk of a document that is no longer in the store.
const gone = ^uint32(0)

// A part is one segment of postings. Its documents are numbered from first.
type part struct {
	postings scorch.Segment
	first    uint64
}

// A Span is an interval of positions.
type Span struct{ From, To int }

// NewText indexes the chunks in memory, with the given number of workers.
func NewText(ctx context.Context, chunks []*record.Chunk, a *Analysis, workers int) (*Text, error) {
	batches := (len(chunks) + batchSize - 1) / batchSize
	parts := make([]part, batches)
	sums := make([][]uint64, batches)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(max(workers, 1))
	for i := range batches {
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			start := i * batchSize
			postings, lengths, err := newPostings(chunks[start:min(start+batchSize, len(chunks))], a)
			parts[i], sums[i] = part{postings, uint64(start)}, sumLengths(lengths, len(a.Dicts))
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	total := make([]uint64, len(a.Dicts))
	for _, sum := range sums {
		for dict, n := range sum {
			total[dict] += n
		}
	}
	return newText(a.Dicts, parts, total, len(chunks)), nil
}

func sumLengths(lengths [][]uint32, dicts int) []uint64 {
	sum := make([]uint64, dicts)
	for _, row := range lengths {
		for dict, n := range row {
			sum[dict] += uint64(n)
		}
	}
	return sum
}

// newText takes the number of terms in all chunks together, by dictionary.
func newText(dicts []string, parts []part, sums []uint64, chunks int) *Text {
	t := &Text{dicts: dicts, parts: parts}
	t.lists.New = func() any { return &lists{} }
	for dict, sum := range sums {
		t.mean = append(t.mean, float64(sum)/float64(max(chunks, 1)))
		t.vocabs = append(t.vocabs, sync.OnceValues(func() (*vocabulary, error) { return t.readVocabulary(dict) }))
	}
	for edits := range t.automaton {
		t.automaton[edits] = sync.OnceValues(func() (*levenshtein.LevenshteinAutomatonBuilder, error) {
			return levenshtein.NewLevenshteinAutomatonBuilder(uint8(edits), true)
		})
	}
	return t
}

// lists are what reading postings needs, to be used again.
type lists struct {
	list     scorch.PostingsList
	iterator scorch.PostingsIterator
	spans    []Span
}

// guard turns what damaged files lead zap to into an error. Memory that can't be read, as where a file was
// truncated, is one too.
func (t *Text) guard(err *error) func() {
	if !t.mapped {
		return func() {}
	}
	before := debug.SetPanicOnFault(true)
	return func() {
		debug.SetPanicOnFault(before)
		if p := recover(); p != nil {
			fault, ok := p.(runtime.Error)
			if !ok {
				panic(p)
			}
			*err = fmt.Errorf("read postings: %w: %v", ErrDamaged, fault)
		}
	}
}

// postings looks the term up in one part. The iterator is nil if it isn't there.
func (t *Text) postings(p part, dict int, term string, l *lists, freqs, locations bool) (scorch.PostingsIterator, error) {
	dictionary, err := p.postings.Dictionary(t.dicts[dict])
	if err != nil {
		return nil, fmt.Errorf("read postings: %w", err)
	}
	list, err := dictionary.PostingsList([]byte(term), nil, l.list)
	if err != nil {
		return nil, fmt.Errorf("read postings: %w", err)
	}
	if list.Count() == 0 {
		return nil, nil
	}
	l.list = list
	l.iterator = list.Iterator(freqs, freqs, locations, l.iterator)
	return l.iterator, nil
}

// Each visits the chunks that have the term, in any order. length is the number of terms of that dictionary in
// the chunk over their mean.
func (t *Text) Each(ctx context.Context, dict int, term string, visit func(chunk, freq int, length float64)) (err error) {
	defer t.guard(&err)()
	l := t.lists.Get().(*lists)
	defer t.lists.Put(l)
	mean := t.mean[dict]
	for _, p := range t.parts {
		iterator, err := t.postings(p, dict, term, l, true, false)
		if err != nil {
			return err
		}
		if iterator == nil {
			continue
		}
		for n := 0; ; n++ {
			if n%4096 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			next, err := iterator.Next()
			if err != nil {
				return fmt.Errorf("read postings: %w", err)
			}
			if next == nil {
				break
			}
			chunk, ok := t.chunk(p.first + next.Number())
			if !ok {
				continue
			}
			visit(chunk, int(next.Frequency()), float64(next.(*zap.Posting).NormUint64())/mean)
		}
	}
	return nil
}

// Numbers gives the document numbers of the chunks, ascending, for Spans.
func (t *Text) Numbers(chunks func(yield func(chunk int))) []uint64 {
	var numbers []uint64
	chunks(func(chunk int) {
		if t.numberOf == nil {
			numbers = append(numbers, uint64(chunk))
		} else {
			numbers = append(numbers, uint64(t.numberOf[chunk]))
		}
	})
	slices.Sort(numbers)
	return numbers
}

// Chunk gives the chunk of one of Numbers.
func (t *Text) Chunk(number uint64) int {
	chunk, _ := t.chunk(number)
	return chunk
}

func (t *Text) chunk(number uint64) (chunk int, ok bool) {
	if t.chunkOf == nil {
		return int(number), true
	}
	c := t.chunkOf[number]
	return int(c), c != gone
}

// Spans visits those of the chunks that have the term, with the places where. The chunks are given by
// Numbers. spans is valid during the call.
func (t *Text) Spans(ctx context.Context, dict int, term string, among []uint64, visit func(chunk int, spans []Span)) (err error) {
	defer t.guard(&err)()
	l := t.lists.Get().(*lists)
	defer t.lists.Put(l)
	for i, p := range t.parts {
		end := len(among)
		if i+1 < len(t.parts) {
			end, _ = slices.BinarySearch(among, t.parts[i+1].first)
		}
		own := among[:end]
		among = among[end:]
		if len(own) == 0 {
			continue
		}
		iterator, err := t.postings(p, dict, term, l, true, true)
		if err != nil {
			return err
		}
		if iterator == nil {
			continue
		}
		for n := 0; n < len(own); {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			next, err := iterator.Advance(own[n] - p.first)
			if err != nil {
				return fmt.Errorf("read postings: %w", err)
			}
			if next == nil {
				break
			}
			// The term's next chunk may lie further on: go to the candidate there.
			number := p.first + next.Number()
			skip, found := slices.BinarySearch(own[n:], number)
			n += skip
			if !found {
				continue
			}
			n++
			l.spans = l.spans[:0]
			for _, loc := range next.Locations() {
				l.spans = append(l.spans, Span{int(loc.Start()), int(loc.Start() + loc.End())})
			}
			if chunk, ok := t.chunk(number); ok {
				visit(chunk, l.spans)
			}
		}
	}
	return nil
}

// Count is the number of chunks that have the term.
func (t *Text) Count(dict int, term string) (count int, err error) {
	defer t.guard(&err)()
	return t.count(dict, term, len(t.chunkOf)+1)
}

// count stops at limit.
func (t *Text) count(dict int, term string, limit int) (int, error) {
	l := t.lists.Get().(*lists)
	defer t.lists.Put(l)
	count := 0
	for _, p := range t.parts {
		iterator, err := t.postings(p, dict, term, l, false, false)
		if err != nil {
			return 0, err
		}
		if iterator == nil {
			continue
		}
		if t.chunkOf == nil {
			count += int(l.list.Count())
			continue
		}
		for count < limit {
			next, err := iterator.Next()
			if err != nil {
				return 0, fmt.Errorf("read postings: %w", err)
			}
			if next == nil {
				break
			}
			if _, ok := t.chunk(p.first + next.Number()); ok {
				count++
			}
		}
	}
	return count, nil
}

// live reports whether any chunk has the term, which a dictionary need not mean.
func (t *Text) live(dict int, term string) (bool, error) {
	if t.chunkOf == nil {
		return true, nil
	}
	count, err := t.count(dict, term, 1)
	return count > 0, err
}

// Terms visits the terms that begin with the prefix and satisfy match, each once, in order, until visit
// returns false.
func (t *Text) Terms(dict int, prefix string, match func(term string) bool, visit func(term string) bool) (err error) {
	defer t.guard(&err)()
	each := func(term string) (bool, error) {
		if !match(term) {
			return true, nil
		}
		ok, err := t.live(dict, term)
		if err != nil || !ok {
			return err == nil, err
		}
		return visit(term), nil
	}
	if prefix != "" {
		return t.dictionary(dict, nil, prefix, each)
	}
	all, err := t.vocabs[dict]()
	if err != nil {
		return err
	}
	for i := range all.len() {
		if more, err := each(all.term(i)); err != nil || !more {
			return err
		}
	}
	return nil
}

// automatonOf accepts what is so near to the term. A word is looked for in one dictionary after the other, so the last one is kept.
func (t *Text) automatonOf(term string, edits int) (*levenshtein.DFA, error) {
	if last := t.nearby.Load(); last != nil && last.term == term && last.edits == edits {
		return last.automaton, nil
	}
	builder, err := t.automaton[edits]()
	if err != nil {
		return nil, err
	}
	automaton, err := builder.BuildDfa(term, uint8(edits))
	if err != nil {
		return nil, err
	}
	t.nearby.Store(&nearby{term, edits, automaton})
	return automaton, nil
}

// nearby is an automaton for a term. It does not change while it is used.
type nearby struct {
	term      string
	edits     int
	automaton *levenshtein.DFA
}

// Near visits the terms that are at most edits (1 or 2) away from term, an exchange of neighbours being one
// edit, and perhaps some that are further, each once, in order, until visit returns false.
func (t *Text) Near(dict int, term string, edits int, visit func(term string) bool) (err error) {
	defer t.guard(&err)()
	if edits < 1 || edits >= len(t.automaton) {
		return fmt.Errorf("index: %d edits", edits)
	}
	automaton, err := t.automatonOf(term, edits)
	if err != nil {
		return fmt.Errorf("make automaton: %w", err)
	}
	return t.dictionary(dict, automaton, "", func(term string) (bool, error) {
		ok, err := t.live(dict, term)
		if err != nil || !ok {
			return err == nil, err
		}
		return visit(term), nil
	})
}

// dictionary visits the terms of all parts, each once, in order, until visit returns false.
func (t *Text) dictionary(dict int, automaton scorch.Automaton, prefix string, visit func(term string) (bool, error)) error {
	var from, to []byte
	if prefix != "" {
		from, to = []byte(prefix), after(prefix)
	}
	var open cursors
	for _, p := range t.parts {
		dictionary, err := p.postings.Dictionary(t.dicts[dict])
		if err != nil {
			return fmt.Errorf("read dictionary: %w", err)
		}
		d, ok := dictionary.(*zap.Dictionary)
		if !ok {
			return fmt.Errorf("read dictionary: unexpected %T", dictionary)
		}
		c := &cursor{terms: d.AutomatonIteratorOmitCount(automaton, from, to)}
		if err := c.next(); err != nil {
			return err
		}
		if !c.end {
			open = append(open, c)
		}
	}
	heap.Init(&open)
	last, first := "", true
	for len(open) > 0 {
		c := open[0]
		if term := c.term; first || term != last {
			first, last = false, term
			if more, err := visit(term); err != nil || !more {
				return err
			}
		}
		if err := c.next(); err != nil {
			return err
		}
		if c.end {
			heap.Pop(&open)
		} else if len(open) > 1 {
			heap.Fix(&open, 0)
		}
	}
	return nil
}

// after is the least key that is greater than all with the prefix, nil if there is none.
func after(prefix string) []byte {
	key := []byte(prefix)
	for i := len(key) - 1; i >= 0; i-- {
		if key[i] < 0xff {
			key[i]++
			return key[:i+1]
		}
	}
	return nil
}

// A cursor is at one term of a part's dictionary.
type cursor struct {
	terms scorch.DictionaryIterator
	term  string
	end   bool
}

func (c *cursor) next() error {
	entry, err := c.terms.Next()
	if err != nil {
		return fmt.Errorf("read dictionary: %w", err)
	}
	if entry == nil {
		c.end = true
		return nil
	}
	c.term = entry.Term
	return nil
}

// cursors is a heap of cursors by their terms.
type cursors []*cursor

func (c cursors) Len() int           { return len(c) }
func (c cursors) Less(i, j int) bool { return c[i].term < c[j].term }
func (c cursors) Swap(i, j int)      { c[i], c[j] = c[j], c[i] }
func (c *cursors) Push(x any)        { *c = append(*c, x.(*cursor)) }
func (c *cursors) Pop() any {
	last := (*c)[len(*c)-1]
	*c = (*c)[:len(*c)-1]
	return last
}

// A vocabulary is a whole dictionary, in one piece of memory. To read it out of an automaton takes 100 ns a
// term, so it is kept.
type vocabulary struct {
	all  string
	ends []uint32
}

func (v *vocabulary) len() int { return len(v.ends) }

func (v *vocabulary) term(i int) string {
	start := uint32(0)
	if i > 0 {
		start = v.ends[i-1]
	}
	return v.all[start:v.ends[i]]
}

// maxVocabulary bounds the letters of a dictionary that is kept, in bytes.
const maxVocabulary = 1 << 30

func (t *Text) readVocabulary(dict int) (v *vocabulary, err error) {
	defer t.guard(&err)()
	v = &vocabulary{}
	var all bytes.Buffer
	err = t.dictionary(dict, nil, "", func(term string) (bool, error) {
		all.WriteString(term)
		v.ends = append(v.ends, uint32(all.Len()))
		if all.Len() > maxVocabulary {
			return false, errors.New("read dictionary: it has too many different words")
		}
		return true, nil
	})
	v.all = all.String()
	v.ends = slices.Clip(v.ends)
	return v, err
}

func noDrops(n int) []*roaring.Bitmap { return make([]*roaring.Bitmap, n) }
