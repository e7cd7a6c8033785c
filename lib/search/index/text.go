package index

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/blevesearch/vellum/levenshtein"
)

// A Text holds the terms of chunks: which chunks have each term, how often and where. Chunks are identified by their
// number, dictionaries by their index in Analysis.Dicts. All methods are safe for concurrent use.
type Text struct {
	segments []*segment
	// firsts has the number of the first chunk of each segment, and at its end the number of all chunks.
	firsts []int
	dicts  []Dict
	// mean is the mean number of terms in a chunk, by dictionary.
	mean      []float64
	automaton [3]func() (*levenshtein.LevenshteinAutomatonBuilder, error)

	// remote reads what the segments do not hold; nil if they hold everything.
	remote *remoteText

	mu sync.Mutex
	// known caches where terms are, for calls with another dictionary. kept is its size in terms and places.
	known map[string][]postingsPlace
	kept  int
	last  atomic.Pointer[nearby]
}

// A postingsPlace is the place of a term's postings in one dictionary of one segment: offset and number of documents.
type postingsPlace struct{ segment, dict, start, documents uint32 }

// compare orders places by segment and dictionary.
func (w postingsPlace) compare(other postingsPlace) int {
	return cmp.Or(cmp.Compare(w.segment, other.segment), cmp.Compare(w.dict, other.dict))
}

// fromSegment returns the rest of the list from a segment on.
func fromSegment(list []postingsPlace, segment int) []postingsPlace {
	at, _ := slices.BinarySearchFunc(list, postingsPlace{segment: uint32(segment)}, postingsPlace.compare)
	return list[at:]
}

const maxKept = 1 << 20

func newText(segments []*segment, firsts []int, a *Analysis) *Text {
	t := &Text{segments: segments, firsts: firsts, dicts: a.Dicts, known: map[string][]postingsPlace{}}
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

// A posting is a document that has a term, and the number of times.
type posting struct{ document, times int }

// readPostings visits the documents of a term, and returns the offset of its places in data.
func readPostings(data []byte, w postingsPlace, visit func(p posting)) (places int) {
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

// find returns the postingsPlace of the term, sorted by segment.
func (t *Text) find(term string) []postingsPlace {
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

func (t *Text) findIn(list []postingsPlace, segment int, term string) []postingsPlace {
	t.segments[segment].terms.find(term, func(e entry) {
		list = append(list, postingsPlace{uint32(segment), uint32(e.dict), uint32(e.start), uint32(e.documents)})
	})
	return list
}

// keep caches the postingsPlace of a term. The caller holds mu.
func (t *Text) keep(term string, list []postingsPlace) {
	if t.kept += 1 + len(list); t.kept > maxKept {
		clear(t.known)
		t.kept = 1 + len(list)
	}
	t.known[strings.Clone(term)] = list
}

// visit visits the chunks of the postings that w refers to in data. first is the number of the chunk in row 0.
func (t *Text) visit(s *segment, first int, w postingsPlace, data []byte, visit func(chunk, freq int, length float64)) {
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
