package index

import (
	"strings"
	"sync"
	"sync/atomic"

	"github.com/blevesearch/vellum/levenshtein"
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

// A nearby has the terms near to another, with the dictionaries that have them as bits.
type nearby struct {
	term  string
	edits int
	terms map[string]uint64
}

// A Lookup is where several terms are.
type Lookup struct {
	text  *Text
	terms [][]whereabouts
	// fetched are postings that were read for it, of dictionaries that are not Shared; nil where the segments hold them.
	fetched []byte
}

// postingsOf is the memory into which the whereabouts points.
func (l *Lookup) postingsOf(w whereabouts) []byte {
	if l.fetched == nil || l.text.dicts[w.dict].Shared {
		return l.text.segments[w.segment].postings
	}
	return l.fetched
}

// remoteText is what a Text reads from a Source.
type remoteText struct {
	source  Source
	fetched *fetched
	mu      sync.Mutex // held while anything is fetched
}

// A fetched keeps postings that were read, for all requests to one generation.
type fetched struct {
	mu sync.Mutex
	// terms has what was asked for.
	terms map[string]*fetchedTerm
	data  []byte
}

// A fetchedTerm is where the postings of a term are, by segment, of the dictionaries that were asked for.
type fetchedTerm struct {
	asked uint64
	list  []whereabouts
}

func newFetched() *fetched { return &fetched{terms: map[string]*fetchedTerm{}} }
