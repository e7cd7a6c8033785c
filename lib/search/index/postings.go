package index

import (
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"

	"cortex/lib/parallel"
)

// each visits the postings of the term in the dictionary, segment by segment, with the number of the segment's first
// chunk and the data into which the postingsPlace points. places says whether the caller needs the positions; without
// it, data from a Source has none.
func (t *Text) each(ctx context.Context, in Share, dict int, term string, places bool, visit func(s *segment, first int, w postingsPlace, data []byte)) error {
	first, end := in.of(len(t.segments))
	l := Lookup{text: t, terms: [][]postingsPlace{t.find(term)}}
	if t.remote != nil {
		if err := t.remote.fetch(ctx, &l, []string{term}, 1<<dict, places); err != nil {
			return err
		}
	}
	for _, w := range fromSegment(l.terms[0], first) {
		if int(w.segment) >= end {
			break
		}
		if int(w.dict) != dict {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		visit(t.segments[w.segment], t.firsts[w.segment], w, l.postingsOf(w))
	}
	return nil
}

// Each visits the chunks of the share that have the term, in ascending order. length is the number of terms of that
// dictionary in the chunk, divided by the mean over all chunks.
func (t *Text) Each(ctx context.Context, in Share, dict int, term string, visit func(chunk, freq int, length float64)) (err error) {
	defer guardTables(&err)()
	return t.each(ctx, in, dict, term, false, func(s *segment, first int, w postingsPlace, data []byte) { t.visit(s, first, w, data, visit) })
}

// Spans visits the chunks of the share that have the term and that among accepts, in ascending order, with the term's
// positions. spans is valid during the call.
func (t *Text) Spans(ctx context.Context, in Share, dict int, term string, among func(chunk int) bool, visit func(chunk int, spans []Span)) (err error) {
	defer guardTables(&err)()
	var found []posting
	var spans []Span
	return t.each(ctx, in, dict, term, true, func(s *segment, first int, w postingsPlace, data []byte) {
		found = found[:0]
		places := readPostings(data, w, func(p posting) { found = append(found, p) })
		r := reader{data, places}
		for _, p := range found {
			spans = spans[:0]
			from := 0
			for range p.times {
				x := r.uvarint()
				from += int(x >> 1)
				width := 1
				if x&1 == 1 {
					width = int(r.uvarint())
				}
				spans = append(spans, Span{from, from + width})
			}
			for row, end := s.rowsIn(t.dicts[dict], p.document); row < end; row++ {
				if chunk := first + row; among(chunk) {
					visit(chunk, spans)
				}
			}
		}
	})
}

// Counts returns the number of chunks with each of some different terms, by term and dictionary of the bit mask.
func (t *Text) Counts(terms []string, dicts uint64) (counts [][]int, err error) {
	defer guardTables(&err)()
	counts = make([][]int, len(terms))
	here := dicts
	if t.remote != nil {
		here &^= t.unshared(dicts)
	}
	for i, term := range terms {
		counts[i] = make([]int, len(t.dicts))
		for _, w := range t.find(term) {
			switch d := t.dicts[w.dict]; {
			case here&(1<<w.dict) == 0:
			case !d.Shared:
				counts[i][w.dict] += int(w.documents)
			default:
				s := t.segments[w.segment]
				readPostings(s.postings, w, func(p posting) {
					first, end := s.rowsIn(d, p.document)
					counts[i][w.dict] += end - first
				})
			}
		}
	}
	if here != dicts {
		err = t.remote.source.Counts(terms, dicts&^here, func(term, dict, count int) { counts[term][dict] = count })
	}
	return counts, err
}

// A Term is a term with the bit mask of the dictionaries that have it.
type Term struct {
	Text  string
	Dicts uint64
}

// Terms lists the terms with the prefix, in dictionaries of the bit mask, that satisfy match, sorted. tooMany reports
// that there are more than most (0: no bound); then the list is nil. Several goroutines call match.
func (t *Text) Terms(dicts uint64, prefix string, match func(term string) bool, most int) (terms []Term, tooMany bool, err error) {
	workers := max(1, min(runtime.GOMAXPROCS(0), len(t.segments)/segmentsShare))
	found := make([]map[string]uint64, workers)
	group, _ := parallel.NewGroup(context.Background())
	for w := range workers {
		group.Go(func() (err error) {
			defer guardTables(&err)()
			found[w] = t.termsIn(w, workers, dicts, prefix, match, most)
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, false, err
	}
	for _, part := range found[1:] {
		for term, in := range part {
			found[0][term] |= in
		}
	}
	if t.remote != nil {
		if tooMany, err = t.remote.addTerms(found[0], dicts, prefix, match, most); err != nil {
			return nil, false, err
		}
	}
	for term, in := range found[0] {
		if in != 0 {
			terms = append(terms, Term{term, in})
		}
	}
	if tooMany || most > 0 && len(terms) > most {
		return nil, true, nil
	}
	slices.SortFunc(terms, func(a, b Term) int { return strings.Compare(a.Text, b.Text) })
	return terms, false, nil
}

// segmentsShare is the number of segments for which an additional goroutine that visits terms pays.
const segmentsShare = 8

// termsIn is Terms for a share of the segments; terms that do not match have an empty bit mask.
func (t *Text) termsIn(share, shares int, dicts uint64, prefix string, match func(term string) bool, most int) map[string]uint64 {
	found := map[string]uint64{}
	matching := 0
	for i := share; i < len(t.segments); i += shares {
		t.segments[i].terms.each(dicts, prefix, func(term []byte, in uint64) bool {
			if len(term) < len(prefix) || string(term[:len(prefix)]) != prefix {
				return false
			}
			before, known := found[string(term)]
			switch {
			case known && before == 0:
				return true
			case known:
				found[string(term)] = before | in
				return true
			}
			// Terms with a prefix are few, so those that do not match are remembered; match is called once for each.
			matches := match(text(term))
			if matches {
				matching++
			} else if in = 0; prefix == "" {
				return true
			}
			found[string(term)] = in
			return most == 0 || matching <= most
		})
		if most > 0 && matching > most {
			break
		}
	}
	return found
}

// Near visits the terms that are at most edits (1 or 2) away from term, each once, in order, until visit returns false.
// A transposition of neighbours counts as one edit. Near may also visit some terms that are further away.
func (t *Text) Near(dict int, term string, edits int, visit func(term string) bool) (err error) {
	defer guardTables(&err)()
	if edits < 1 || edits >= len(t.automaton) {
		return fmt.Errorf("index: %d edits", edits)
	}
	if t.remote != nil && !t.dicts[dict].Shared {
		return t.remote.source.Near(dict, term, edits, visit)
	}
	found, err := t.nearTo(term, edits)
	if err != nil {
		return err
	}
	for _, other := range slices.Sorted(maps.Keys(found.terms)) {
		if found.terms[other]&(1<<dict) != 0 && !visit(other) {
			break
		}
	}
	return nil
}

// nearTo finds the terms near to term in all dictionaries. It keeps its last result for calls with another dictionary.
func (t *Text) nearTo(term string, edits int) (*nearby, error) {
	if last := t.last.Load(); last != nil && last.term == term && last.edits == edits {
		return last, nil
	}
	builder, err := t.automaton[edits]()
	if err != nil {
		return nil, fmt.Errorf("make automaton: %w", err)
	}
	automaton, err := builder.BuildDfa(term, uint8(edits))
	if err != nil {
		return nil, fmt.Errorf("make automaton: %w", err)
	}
	found := &nearby{term, edits, map[string]uint64{}}
	var mu sync.Mutex
	group, _ := parallel.NewGroup(context.Background())
	workers := max(1, min(runtime.GOMAXPROCS(0), len(t.segments)))
	for w := range workers {
		group.Go(func() (err error) {
			defer guardTables(&err)()
			for i := w; i < len(t.segments); i += workers {
				t.segments[i].terms.near(automaton, func(term []byte, mask uint64) {
					mu.Lock()
					defer mu.Unlock()
					found.terms[string(term)] |= mask
				})
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	t.last.Store(found)
	return found, nil
}

// A nearby has the terms near to a term, with the bit masks of the dictionaries that have them.
type nearby struct {
	term  string
	edits int
	terms map[string]uint64
}
