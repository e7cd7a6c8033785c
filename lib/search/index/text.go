package index

import (
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/blevesearch/vellum/levenshtein"
	"golang.org/x/sync/errgroup"
)

// A Text holds the terms of chunks: in which chunks each one is, how often and where. Chunks go by their
// number, dictionaries by their place in Analysis.Dicts. All methods may be called at once.
type Text struct {
	segments []*segment
	// firsts has the first chunk of each segment, and the number of all.
	firsts []int
	dicts  []Dict
	// mean is the number of terms in a chunk, by dictionary.
	mean      []float64
	automaton [3]func() (*levenshtein.LevenshteinAutomatonBuilder, error)

	// remote reads what the segments do not hold; nil where they hold all.
	remote *remoteText

	mu sync.Mutex
	// known is where terms are that were asked for: who asks for a term in one dictionary asks for it in others. kept counts their places.
	known map[string][]whereabouts
	kept  int
	last  atomic.Pointer[nearby]
}

// A whereabouts is a term in one dictionary of one segment.
type whereabouts struct{ segment, dict, start, documents uint32 }

// maxKept bounds Text.kept.
const maxKept = 1 << 20

// A Span is an interval of positions.
type Span struct{ From, To int }

func newText(segments []*segment, firsts []int, a *Analysis) *Text {
	t := &Text{segments: segments, firsts: firsts, dicts: a.Dicts, known: map[string][]whereabouts{}}
	for dict := range a.Dicts {
		sum := uint64(0)
		for _, s := range segments {
			sum += s.sums[dict]
		}
		t.mean = append(t.mean, float64(sum)/float64(max(firsts[len(segments)], 1)))
	}
	for edits := range t.automaton {
		t.automaton[edits] = sync.OnceValues(func() (*levenshtein.LevenshteinAutomatonBuilder, error) {
			return levenshtein.NewLevenshteinAutomatonBuilder(uint8(edits), true)
		})
	}
	return t
}

// A posting is one document that has a term, and how often.
type posting struct{ document, times int }

// readPostings reads the documents of a term, and returns where its places begin.
func readPostings(data []byte, w whereabouts, visit func(p posting)) (places int) {
	r, document := reader{data, int(w.start)}, 0
	for range w.documents {
		x := r.uvarint()
		document += int(x >> 1)
		times := 1
		if x&1 == 1 {
			times = int(r.uvarint()) + 2
		}
		visit(posting{document, times})
	}
	return r.at
}

// find is where the term is, by segment.
func (t *Text) find(term string) []whereabouts {
	t.mu.Lock()
	list, known := t.known[term]
	t.mu.Unlock()
	if known {
		return list
	}
	for i := range t.segments {
		list = t.findIn(list, i, term)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.keep(term, list)
	return list
}

// findIn appends where the term is in a segment.
func (t *Text) findIn(list []whereabouts, segment int, term string) []whereabouts {
	t.segments[segment].terms.find(term, func(e entry) {
		list = append(list, whereabouts{uint32(segment), uint32(e.dict), uint32(e.start), uint32(e.documents)})
	})
	return list
}

// keep keeps where a term is. mu is held.
func (t *Text) keep(term string, list []whereabouts) {
	if t.kept += 1 + len(list); t.kept > maxKept {
		clear(t.known)
		t.kept = 1 + len(list)
	}
	t.known[strings.Clone(term)] = list
}

// A Share is a part of the segments, that of a number of so many; all of them if it is empty.
type Share struct{ Number, Of int }

// of are the first of n segments and the one after the last.
func (s Share) of(n int) (first, end int) {
	if s.Of == 0 {
		return 0, n
	}
	return n * s.Number / s.Of, n * (s.Number + 1) / s.Of
}

// each visits the postings of the term in the dictionary, segment by segment, with the segment's first chunk and the memory that the whereabouts points into. Where this
// has places only if they are asked for, places tells.
func (t *Text) each(ctx context.Context, in Share, dict int, term string, places bool, visit func(s *segment, first int, w whereabouts, data []byte)) error {
	first, end := in.of(len(t.segments))
	l := Lookup{text: t, terms: [][]whereabouts{t.find(term)}}
	if t.remote != nil {
		if err := t.remote.fetch(ctx, &l, []string{term}, 1<<dict, places); err != nil {
			return err
		}
	}
	list := l.terms[0]
	at, _ := slices.BinarySearchFunc(list, uint32(first), func(w whereabouts, segment uint32) int { return int(w.segment) - int(segment) })
	for _, w := range list[at:] {
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

// rowsIn are the rows of a document.
func (s *segment) rowsIn(d Dict, document int) (first, end int) {
	if d.Shared {
		return s.runs[runFirst].at(document), s.runEnd(document)
	}
	return document, document + 1
}

// Each visits the chunks of the share that have the term, in ascending order. length is the number of terms of that dictionary in
// the chunk over their mean.
func (t *Text) Each(ctx context.Context, in Share, dict int, term string, visit func(chunk, freq int, length float64)) (err error) {
	defer guardTables(&err)()
	return t.each(ctx, in, dict, term, false, func(s *segment, first int, w whereabouts, data []byte) { t.visit(s, first, w, data, visit) })
}

// visit visits the chunks of a list of postings in data. That of row 0 is first.
func (t *Text) visit(s *segment, first int, w whereabouts, data []byte, visit func(chunk, freq int, length float64)) {
	d := t.dicts[w.dict]
	lengths, mean := s.lengths[d.Length], t.mean[d.Length]
	at, document := int(w.start), 0
	for range w.documents {
		x := uint64(data[at])
		if at++; x >= 0x80 {
			r := reader{data, at - 1}
			x = r.uvarint()
			at = r.at
		}
		document += int(x >> 1)
		freq := 1
		if x&1 == 1 {
			r := reader{data, at}
			freq = int(r.uvarint()) + 2
			at = r.at
		}
		length := float64(lengths.at(document)) / mean
		if !d.Shared {
			visit(first+document, freq, length)
			continue
		}
		for row, end := s.rowsIn(d, document); row < end; row++ {
			visit(first+row, freq, length)
		}
	}
}

// Spans visits those of the chunks that have the term, in ascending order, with the places where: it asks among which. spans is valid during the call.
func (t *Text) Spans(ctx context.Context, in Share, dict int, term string, among func(chunk int) bool, visit func(chunk int, spans []Span)) (err error) {
	defer guardTables(&err)()
	var found []posting
	var spans []Span
	return t.each(ctx, in, dict, term, true, func(s *segment, first int, w whereabouts, data []byte) {
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

// Count is the number of chunks that have the term.
func (t *Text) Count(dict int, term string) (count int, err error) {
	defer guardTables(&err)()
	if t.remote != nil && !t.dicts[dict].Shared {
		err = t.remote.source.Counts([]string{term}, 1<<dict, func(_, _, n int) { count = n })
		return count, err
	}
	err = t.each(context.Background(), Share{}, dict, term, false, func(s *segment, _ int, w whereabouts, data []byte) {
		if !t.dicts[dict].Shared {
			count += int(w.documents)
			return
		}
		readPostings(data, w, func(p posting) {
			first, end := s.rowsIn(t.dicts[dict], p.document)
			count += end - first
		})
	})
	return count, err
}

// A Term is one of some dictionaries, which are given as bits.
type Term struct {
	Text  string
	Dicts uint64
}

// Terms lists the terms of some dictionaries that begin with the prefix and satisfy match, in order. Match is called by several goroutines. It gives up where
// more than most satisfy it, 0 for any number, and tells.
func (t *Text) Terms(dicts uint64, prefix string, match func(term string) bool, most int) (terms []Term, tooMany bool, err error) {
	workers := max(1, min(runtime.GOMAXPROCS(0), len(t.segments)/segmentsShare))
	found := make([]map[string]uint64, workers)
	var group errgroup.Group
	for w := range workers {
		group.Go(func() (err error) {
			defer guardTables(&err)()
			found[w], err = t.termsIn(w, workers, dicts, prefix, match, most)
			return err
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

// segmentsShare is the least number of segments for which another goroutine pays that goes over terms.
const segmentsShare = 8

// termsIn is Terms of a share of the segments, of which it stops after more than most. Terms that do not match have no dictionaries.
func (t *Text) termsIn(share, shares int, dicts uint64, prefix string, match func(term string) bool, most int) (map[string]uint64, error) {
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
			// Of terms with a prefix, which are few, each is matched once.
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
	return found, nil
}

// Near visits the terms that are at most edits (1 or 2) away from term, an exchange of neighbours being one
// edit, and perhaps some that are further, each once, in order, until visit returns false.
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

// A nearby has the terms near to another, with the dictionaries that have them as bits.
type nearby struct {
	term  string
	edits int
	terms map[string]uint64
}

// nearTo goes over all dictionaries at once. A word is looked for in one after the other, so the last one is kept.
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
	var group errgroup.Group
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
