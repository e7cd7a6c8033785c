package index

import (
	"bytes"
	"cmp"
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
	"golang.org/x/sync/errgroup"

	"cortex/lib/record"
)

// A Text holds the terms of chunks: in which chunks each one is, how often and where. Chunks go by their
// number, dictionaries by their place in Analysis.Dicts. All methods may be called at once.
type Text struct {
	parts []part
	// chunkOf has the chunk of each document of all parts together, gone for those that are no longer in the
	// store; numberOf is the reverse. With nil, they are the same.
	chunkOf, numberOf []uint32
	// mean is the number of terms in a chunk, by dictionary.
	mean []float64
	// mapped tells that the parts are files, which may be damaged.
	mapped bool

	lists     sync.Pool // of *lists
	automaton [3]func() (*levenshtein.LevenshteinAutomatonBuilder, error)
	nearby    atomic.Pointer[nearby]
}

// gone stands for the chunk of a document that is no longer in the store.
const gone = ^uint32(0)

// A part is one of several postings. Its documents are numbered from first.
type part struct {
	postings
	first uint64
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
			made, lengths, err := newPostings(chunks[start:min(start+batchSize, len(chunks))], a)
			if err != nil {
				return err
			}
			parts[i], sums[i] = part{newZapPostings(made, a.Dicts), uint64(start)}, sumLengths(lengths, len(a.Dicts))
			return nil
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
	return newText(parts, total, len(chunks)), nil
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
func newText(parts []part, sums []uint64, chunks int) *Text {
	t := &Text{parts: parts}
	t.lists.New = func() any { return &lists{} }
	for _, sum := range sums {
		t.mean = append(t.mean, float64(sum)/float64(max(chunks, 1)))
	}
	for edits := range t.automaton {
		t.automaton[edits] = sync.OnceValues(func() (*levenshtein.LevenshteinAutomatonBuilder, error) {
			return levenshtein.NewLevenshteinAutomatonBuilder(uint8(edits), true)
		})
	}
	return t
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

// Each visits the chunks that have the term, in any order. length is the number of terms of that dictionary in
// the chunk over their mean.
func (t *Text) Each(ctx context.Context, dict int, term string, visit func(chunk, freq int, length float64)) (err error) {
	defer t.guard(&err)()
	l := t.lists.Get().(*lists)
	defer t.lists.Put(l)
	mean := t.mean[dict]
	n := 0
	for _, p := range t.parts {
		err := p.each(l, dict, term, func(document uint64, freq, length int) bool {
			if chunk, ok := t.chunk(p.first + document); ok {
				visit(chunk, freq, float64(length)/mean)
			}
			n++
			return n%4096 != 0 || ctx.Err() == nil
		})
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return err
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
	var own []uint64
	for i, p := range t.parts {
		end := len(among)
		if i+1 < len(t.parts) {
			end, _ = slices.BinarySearch(among, t.parts[i+1].first)
		}
		here := among[:end]
		if p.first > 0 {
			own = own[:0]
			for _, number := range here {
				own = append(own, number-p.first)
			}
			here = own
		}
		among = among[end:]
		if len(here) == 0 {
			continue
		}
		err := p.spans(l, dict, term, here, func(document uint64, spans []Span) bool {
			if chunk, ok := t.chunk(p.first + document); ok {
				visit(chunk, spans)
			}
			return ctx.Err() == nil
		})
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return err
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
func (t *Text) count(dict int, term string, limit int) (count int, err error) {
	l := t.lists.Get().(*lists)
	defer t.lists.Put(l)
	for _, p := range t.parts {
		if t.chunkOf == nil {
			n, err := p.count(l, dict, term)
			if err != nil {
				return 0, err
			}
			count += n
			continue
		}
		err := p.holders(l, dict, term, func(document uint64) bool {
			if _, ok := t.chunk(p.first + document); ok {
				count++
			}
			return count < limit
		})
		if err != nil || count >= limit {
			return count, err
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
	lists := make([]termList, len(t.parts))
	for i, p := range t.parts {
		all, err := p.vocabulary(dict)
		if err != nil {
			return err
		}
		lists[i] = &vocabularyTerms{all: all}
	}
	return union(lists, each)
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
	lists := make([]termList, len(t.parts))
	for i, p := range t.parts {
		var err error
		if lists[i], err = p.terms(dict, automaton, from, to); err != nil {
			return err
		}
	}
	return union(lists, visit)
}

// union visits the terms of all lists, each once, in order, until visit returns false.
func union(lists []termList, visit func(term string) (bool, error)) error {
	var open cursors
	for _, list := range lists {
		c := &cursor{terms: list}
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

// A cursor is at one term of a list.
type cursor struct {
	terms termList
	term  string
	end   bool
}

func (c *cursor) next() error {
	term, ok, err := c.terms.next()
	c.term, c.end = term, !ok
	return err
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
	all   string
	start uint32 // of the first term in all
	ends  []uint32
}

// vocabularyTerms are the terms of a vocabulary from at on.
type vocabularyTerms struct {
	all *vocabulary
	at  int
}

func (t *vocabularyTerms) next() (string, bool, error) {
	if t.at == len(t.all.ends) {
		return "", false, nil
	}
	start := t.all.start
	if t.at > 0 {
		start = t.all.ends[t.at-1]
	}
	t.at++
	return t.all.all[start:t.all.ends[t.at-1]], true, nil
}

// maxVocabulary bounds the letters of a dictionary that is kept, in bytes.
const maxVocabulary = 1 << 30

func readVocabulary(terms termList) (*vocabulary, error) {
	v := &vocabulary{}
	var all bytes.Buffer
	for {
		term, ok, err := terms.next()
		if err != nil {
			return nil, err
		}
		if !ok {
			break
		}
		all.WriteString(term)
		v.ends = append(v.ends, uint32(all.Len()))
		if all.Len() > maxVocabulary {
			return nil, errors.New("read dictionary: it has too many different words")
		}
	}
	v.all = all.String()
	v.ends = slices.Clip(v.ends)
	return v, nil
}

func noDrops(n int) []*roaring.Bitmap { return make([]*roaring.Bitmap, n) }
