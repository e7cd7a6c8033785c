package index

import (
	"context"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"
)

// A Lookup is where several terms are.
type Lookup struct {
	text  *Text
	terms [][]whereabouts
}

// Look finds terms in all dictionaries.
func (t *Text) Look(ctx context.Context, terms []string) (*Lookup, error) {
	l := &Lookup{t, make([][]whereabouts, len(terms))}
	group, ctx := errgroup.WithContext(ctx)
	workers := max(1, min(runtime.GOMAXPROCS(0), t.firsts[len(t.segments)]*len(terms)/lookShare))
	for w := range workers {
		group.Go(func() (err error) {
			defer guardTables(&err)()
			for i := w; i < len(terms); i += workers {
				if err := ctx.Err(); err != nil {
					return err
				}
				l.terms[i] = t.find(terms[i])
			}
			return nil
		})
	}
	return l, group.Wait()
}

// lookShare is the least product of terms and chunks for which another goroutine pays.
const lookShare = 100_000

// A Part is a segment of the index, which has successive chunks, as a Lookup goes over it.
type Part struct {
	// First is the first chunk, Rows the number of chunks.
	First, Rows int
	text        *Text
	segment     *segment
	terms       [][]whereabouts
}

// Scan visits the given share of the index, segment by segment, so that several goroutines can have a part each. A Part is valid during the call.
func (l *Lookup) Scan(ctx context.Context, share, shares int, visit func(p *Part)) (err error) {
	defer guardTables(&err)()
	segments := l.text.segments
	first, end := len(segments)*share/shares, len(segments)*(share+1)/shares
	rest := make([][]whereabouts, len(l.terms))
	for i, list := range l.terms {
		at, _ := slices.BinarySearchFunc(list, uint32(first), func(w whereabouts, segment uint32) int { return int(w.segment) - int(segment) })
		rest[i] = list[at:]
	}
	p := &Part{text: l.text, terms: make([][]whereabouts, len(rest))}
	for i := first; i < end; i++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		p.First, p.Rows, p.segment = l.text.firsts[i], segments[i].rows, segments[i]
		for term, list := range rest {
			n := 0
			for n < len(list) && list[n].segment == uint32(i) {
				n++
			}
			p.terms[term], rest[term] = list[:n], list[n:]
		}
		visit(p)
	}
	return nil
}

// Has reports whether any dictionary has the term, an index of the terms that were looked for.
func (p *Part) Has(term int) bool { return len(p.terms[term]) > 0 }

// Each visits the chunks that have the term in a dictionary: their numbers from First on, and the rest as Text.Each tells it.
func (p *Part) Each(term, dict int, visit func(row, freq int, length float64)) {
	for _, w := range p.terms[term] {
		if int(w.dict) != dict {
			continue
		}
		d := p.text.dicts[dict]
		lengths, mean := p.segment.lengths[d.Length], p.text.mean[d.Length]
		r, document := reader{p.segment.postings, int(w.start)}, 0
		for range w.documents {
			x := r.uvarint()
			document += int(x >> 1)
			freq := 1
			if x&1 == 1 {
				freq = int(r.uvarint()) + 2
			}
			length := float64(lengths.at(document)) / mean
			if !d.Shared {
				visit(document, freq, length)
				continue
			}
			for row, end := p.segment.rowsIn(d, document); row < end; row++ {
				visit(row, freq, length)
			}
		}
	}
}
