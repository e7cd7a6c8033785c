package index

import (
	"cmp"
	"context"
	"runtime"
	"slices"

	"cortex/lib/parallel"
)

// A Lookup has the postingsPlace of several terms.
type Lookup struct {
	text  *Text
	terms [][]postingsPlace
	// fetched has postings read from a Source, of dictionaries that are not Shared; nil if the segments hold all.
	fetched []byte
}

// postingsOf returns the data into which the postingsPlace points.
func (l *Lookup) postingsOf(w postingsPlace) []byte {
	if l.fetched == nil || l.text.dicts[w.dict].Shared {
		return l.text.segments[w.segment].postings
	}
	return l.fetched
}

// Look finds the terms in all dictionaries, segment by segment, so that a segment stays in the processor's cache.
func (t *Text) Look(ctx context.Context, terms []string) (*Lookup, error) {
	l := &Lookup{text: t, terms: make([][]postingsPlace, len(terms))}
	found := map[string][]postingsPlace{}
	var missing []string
	t.mu.Lock()
	for _, term := range terms {
		list, known := t.known[term]
		if _, again := found[term]; !again && !known {
			missing = append(missing, term)
		}
		found[term] = list
	}
	t.mu.Unlock()
	if err := t.look(ctx, missing, found); err != nil {
		return nil, err
	}
	for i, term := range terms {
		l.terms[i] = found[term]
	}
	if t.remote != nil {
		return l, t.remote.fetch(ctx, l, terms, ^uint64(0), false)
	}
	return l, nil
}

// look adds the places of the postings of the terms to found.
func (t *Text) look(ctx context.Context, terms []string, found map[string][]postingsPlace) error {
	if len(terms) == 0 {
		return nil
	}
	slices.Sort(terms)
	group, ctx := parallel.NewGroup(ctx)
	shares := make([][][]postingsPlace, max(1, min(runtime.GOMAXPROCS(0), t.firsts[len(t.segments)]*len(terms)/lookShare)))
	for share := range shares {
		group.Go(func() (err error) {
			defer guardTables(&err)()
			lists := make([][]postingsPlace, len(terms))
			shares[share] = lists
			for i, end := (Share{share, len(shares)}).of(len(t.segments)); i < end; i++ {
				if err := ctx.Err(); err != nil {
					return err
				}
				for n, term := range terms {
					lists[n] = t.findIn(lists[n], i, term)
				}
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for n, term := range terms {
		var list []postingsPlace
		for _, lists := range shares {
			list = append(list, lists[n]...)
		}
		found[term] = list
		t.keep(term, list)
	}
	return nil
}

// lookShare is the product of terms and chunks for which an additional goroutine pays.
const lookShare = 100_000

// A Part is a segment of the index, which has successive chunks, as Lookup.Scan visits it.
type Part struct {
	// First is the number of the first chunk, Rows the number of chunks.
	First, Rows int
	lookup      *Lookup
	segment     *segment
	terms       [][]postingsPlace
	touched     byte
}

// Scan visits the segments of a share in order. The Part is valid during the call.
func (l *Lookup) Scan(ctx context.Context, share, shares int, visit func(p *Part)) (err error) {
	defer guardTables(&err)()
	segments := l.text.segments
	first, end := Share{share, shares}.of(len(segments))
	rest := make([][]postingsPlace, len(l.terms))
	for i, list := range l.terms {
		rest[i] = fromSegment(list, first)
	}
	p := &Part{lookup: l, terms: make([][]postingsPlace, len(rest))}
	for i := first; i < end; i++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		p.First, p.Rows, p.segment = l.text.firsts[i], segments[i].rows, segments[i]
		for term, list := range rest {
			n := 0
			for n < len(list) && list[n].segment == uint32(i) {
				// Touching all postings first loads them from memory at the same time.
				p.touched += l.postingsOf(list[n])[list[n].start]
				n++
			}
			p.terms[term], rest[term] = list[:n], list[n:]
		}
		visit(p)
	}
	return nil
}

// A Scale weights occurrences by dictionary and, as BM25 does, by the length of the chunk: short chunks weigh more.
type Scale struct {
	// order has the index of each dictionary in the lists below, plus 1; 0 for a dictionary that does not count.
	order   [64]uint8
	weights []float32
	norms   []norm
}

// A norm maps the length of a chunk to the number by which frequencies are divided.
type norm struct {
	mean, share float64
	known       [256]float32 // for short chunks
}

func (n *norm) of(length int) float32 {
	if length < len(n.known) {
		return n.known[length]
	}
	return n.at(length)
}

func (n *norm) at(length int) float32 {
	return float32(1 - n.share + n.share*(float64(length)/n.mean))
}

// NewScale returns a Scale of these dictionaries and weights; share, 0 to 1, is the influence of a chunk's length.
func (t *Text) NewScale(dicts []int, weights []float32, share float64) *Scale {
	s := &Scale{weights: weights, norms: make([]norm, len(dicts))}
	for i, dict := range dicts {
		s.order[dict] = uint8(i + 1)
		n := &s.norms[i]
		n.mean, n.share = t.mean[t.dicts[dict].Length], share
		for length := range n.known {
			n.known[length] = n.at(length)
		}
	}
	return s
}

// A Sum adds up the weights of words in the chunks of a Part.
type Sum struct {
	// Rows lists the rows whose weight is not 0, in the order in which they were found.
	Rows    []int32
	Weights []float32
	lists   []scaled
}

// scaled refers to the postings of one form of a word in one dictionary of a Scale.
type scaled struct {
	order, form int
	at          postingsPlace
}

// Reset makes room for the rows of a Part. The caller has set all weights to 0.
func (s *Sum) Reset(p *Part) {
	if len(s.Weights) < p.Rows {
		s.Weights = make([]float32, p.Rows)
	}
}

// Add adds to the weight of a row.
func (s *Sum) Add(row int, weight float32) {
	if s.Weights[row] == 0 {
		s.Rows = append(s.Rows, int32(row))
	}
	s.Weights[row] += weight
}

// Add adds the weights of len(factors) terms of the Lookup, from the given one on: each by the scale, times its factor.
func (p *Part) Add(s *Sum, scale *Scale, term int, factors []float32) {
	s.lists = s.lists[:0]
	for form := range factors {
		for _, w := range p.terms[term+form] {
			if order := int(scale.order[w.dict]); order > 0 {
				s.lists = append(s.lists, scaled{order - 1, form, w})
			}
		}
	}
	// The order of floating-point additions changes the sum, so it must be fixed.
	slices.SortFunc(s.lists, func(a, b scaled) int { return cmp.Or(a.order-b.order, a.form-b.form) })
	for i := range s.lists {
		l := &s.lists[i]
		p.addList(s, l.at, scale.weights[l.order]*factors[l.form], &scale.norms[l.order])
	}
}

func (p *Part) addList(s *Sum, w postingsPlace, weight float32, n *norm) {
	d := &p.lookup.text.dicts[w.dict]
	lengths := p.segment.lengths[d.Length]
	weights, rows := s.Weights, s.Rows
	data, at, document := p.lookup.postingsOf(w), int(w.start), 0
	for range w.documents {
		x := uint64(data[at])
		if at++; x >= 0x80 {
			r := reader{data, at - 1}
			x = r.uvarint()
			at = r.at
		}
		document += int(x >> 1)
		count := weight
		if x&1 == 1 {
			r := reader{data, at}
			count = weight * float32(int(r.uvarint())+2)
			at = r.at
		}
		length := 0
		if lengths.width == 1 {
			length = int(lengths.data[document])
		} else {
			length = lengths.at(document)
		}
		count /= n.of(length)
		if !d.Shared {
			if weights[document] == 0 {
				rows = append(rows, int32(document))
			}
			weights[document] += count
			continue
		}
		for row, end := p.segment.rowsIn(*d, document); row < end; row++ {
			if weights[row] == 0 {
				rows = append(rows, int32(row))
			}
			weights[row] += count
		}
	}
	s.Rows = rows
}

// Each visits the chunks of the Part that have the term. row counts from First; freq and length are as in Text.Each.
func (p *Part) Each(term, dict int, visit func(row, freq int, length float64)) {
	for _, w := range p.terms[term] {
		if int(w.dict) == dict {
			p.lookup.text.visit(p.segment, 0, w, p.lookup.postingsOf(w), visit)
		}
	}
}
