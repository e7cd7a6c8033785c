package index

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"sync"

	scorch "github.com/blevesearch/scorch_segment_api/v2"
)

// An inverted file is postings as sorted arrays (Zobel and Moffat 2006, section 3): several times quicker to make than those of zap and several times as large, so it
// is for the few documents that have changed.
type inverted struct {
	// firstTerm has for each dictionary its first term, and the number of terms at its end.
	firstTerm []uint32
	letters   []byte
	ends      []uint32 // of each term in letters
	// firstPosting has for each term its first posting, firstPlace for each posting its first place; each has one more.
	firstPosting, docs      []uint32
	firstPlace, from, width []uint32
	// lengths are the numbers of terms of each document, by dictionary; nil for a dictionary that is empty.
	lengths [][]uint32
	size    int // documents

	once   sync.Once
	vocabs []*vocabulary
}

const invertedSections = 9

func (v *inverted) encode() []byte {
	return joinSections(invertedFile, [][]byte{bytesOf(v.firstTerm), v.letters, bytesOf(v.ends), bytesOf(v.firstPosting), bytesOf(v.docs),
		bytesOf(v.firstPlace), bytesOf(v.from), bytesOf(v.width), bytesOf([]uint32{uint32(v.size)})})
}

// decodeInverted refers to data, whose checksum was compared. The lengths of its documents are those of the catalog.
func decodeInverted(data []byte, dicts int) (*inverted, error) {
	sections, err := splitSections(invertedFile, data, true)
	if err != nil {
		return nil, err
	}
	if len(sections) != invertedSections {
		return nil, fmt.Errorf("%w: %d sections", ErrDamaged, len(sections))
	}
	v := &inverted{letters: sections[1]}
	var size []uint32
	for i, list := range map[int]*[]uint32{0: &v.firstTerm, 2: &v.ends, 3: &v.firstPosting, 4: &v.docs, 5: &v.firstPlace, 6: &v.from, 7: &v.width, 8: &size} {
		*list = numbers[uint32](sections[i])
	}
	if len(size) != 1 {
		return nil, fmt.Errorf("%w: size", ErrDamaged)
	}
	v.size = int(size[0])
	if len(v.firstTerm) != dicts+1 || !isRising(v.firstTerm, len(v.ends)) || !isRising(v.firstPosting, len(v.docs)) || !isRising(v.firstPlace, len(v.from)) ||
		len(v.firstPosting) != len(v.ends)+1 || len(v.firstPlace) != len(v.docs)+1 || len(v.width) != len(v.from) || !slices.IsSorted(v.ends) ||
		len(v.ends) > 0 && int(v.ends[len(v.ends)-1]) != len(v.letters) || slices.ContainsFunc(v.docs, func(d uint32) bool { return int(d) >= v.size }) {
		return nil, fmt.Errorf("%w: lists", ErrDamaged)
	}
	return v, nil
}

// isRising reports whether the numbers go from 0 to end without falling.
func isRising(list []uint32, end int) bool {
	return len(list) > 0 && list[0] == 0 && int(list[len(list)-1]) == end && slices.IsSorted(list)
}

func (v *inverted) documents() int { return v.size }

func (v *inverted) close() error { return nil }

func (v *inverted) term(number int) []byte {
	start := uint32(0)
	if number > 0 {
		start = v.ends[number-1]
	}
	return v.letters[start:v.ends[number]]
}

// seek is the first term of the dictionary that is not less than the key, perhaps its end.
func (v *inverted) seek(dict int, key []byte) (number int, found bool) {
	low, high := int(v.firstTerm[dict]), int(v.firstTerm[dict+1])
	for low < high {
		middle := int(uint(low+high) / 2)
		if string(v.term(middle)) < string(key) {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low, low < int(v.firstTerm[dict+1]) && string(v.term(low)) == string(key)
}

// find is the range of postings of a term, empty if it isn't there.
func (v *inverted) find(dict int, term string) (start, end int) {
	number, found := v.seek(dict, []byte(term))
	if !found {
		return 0, 0
	}
	return int(v.firstPosting[number]), int(v.firstPosting[number+1])
}

func (v *inverted) each(_ *lists, dict int, term string, visit func(document uint64, freq, length int) bool) error {
	for i, end := v.find(dict, term); i < end; i++ {
		document := v.docs[i]
		if !visit(uint64(document), int(v.firstPlace[i+1]-v.firstPlace[i]), int(v.lengths[dict][document])) {
			break
		}
	}
	return nil
}

func (v *inverted) spans(l *lists, dict int, term string, among []uint64, visit func(document uint64, spans []Span) bool) error {
	for i, end := v.find(dict, term); i < end && len(among) > 0; i++ {
		document := uint64(v.docs[i])
		skip, found := slices.BinarySearch(among, document)
		if among = among[skip:]; !found {
			continue
		}
		l.spans = l.spans[:0]
		for place := v.firstPlace[i]; place < v.firstPlace[i+1]; place++ {
			l.spans = append(l.spans, Span{int(v.from[place]), int(v.from[place] + v.width[place])})
		}
		if !visit(document, l.spans) {
			break
		}
	}
	return nil
}

func (v *inverted) holders(_ *lists, dict int, term string, visit func(document uint64) bool) error {
	for i, end := v.find(dict, term); i < end && visit(uint64(v.docs[i])); i++ {
	}
	return nil
}

func (v *inverted) count(_ *lists, dict int, term string) (int, error) {
	start, end := v.find(dict, term)
	return end - start, nil
}

func (v *inverted) terms(dict int, automaton scorch.Automaton, from, to []byte) (termList, error) {
	t := &invertedTerms{v: v, automaton: automaton, at: int(v.firstTerm[dict]), end: int(v.firstTerm[dict+1])}
	if from != nil {
		t.at, _ = v.seek(dict, from)
	}
	if to != nil {
		t.end, _ = v.seek(dict, to)
	}
	return t, nil
}

type invertedTerms struct {
	v         *inverted
	automaton scorch.Automaton
	at, end   int
	// dead is a prefix with which the automaton accepts nothing.
	dead []byte
}

func (t *invertedTerms) next() (string, bool, error) {
	for t.at < t.end {
		term := t.v.term(t.at)
		t.at++
		if t.accepts(term) {
			return string(term), true, nil
		}
	}
	return "", false, nil
}

func (t *invertedTerms) accepts(term []byte) bool {
	if t.automaton == nil {
		return true
	}
	if t.dead != nil && len(term) >= len(t.dead) && string(term[:len(t.dead)]) == string(t.dead) {
		return false
	}
	state := t.automaton.Start()
	for i, letter := range term {
		if state = t.automaton.Accept(state, letter); !t.automaton.CanMatch(state) {
			t.dead = term[:i+1]
			return false
		}
	}
	return t.automaton.IsMatch(state)
}

func (v *inverted) vocabulary(dict int) (*vocabulary, error) {
	v.once.Do(func() {
		all := string(v.letters)
		for d := range len(v.firstTerm) - 1 {
			first, end := v.firstTerm[d], v.firstTerm[d+1]
			start := uint32(0)
			if first > 0 {
				start = v.ends[first-1]
			}
			v.vocabs = append(v.vocabs, &vocabulary{all: all, start: start, ends: v.ends[first:end]})
		}
	})
	return v.vocabs[dict], nil
}

// An inverter makes an inverted file of the terms of one document after the other.
type inverter struct {
	numbers []map[string]uint32 // of the terms, by dictionary
	terms   []string
	found   []occurrenceIn
	lengths [][]uint32 // of each document, by dictionary
}

// An occurrenceIn is one place of a term in a document.
type occurrenceIn struct{ term, document, from, width uint32 }

func newInverter(dicts int) *inverter {
	v := &inverter{numbers: make([]map[string]uint32, dicts)}
	for i := range v.numbers {
		v.numbers[i] = map[string]uint32{}
	}
	return v
}

// next begins another document and returns what takes its terms.
func (v *inverter) next() func(dict int, term string, from, to int) {
	document := uint32(len(v.lengths))
	lengths := make([]uint32, len(v.numbers))
	v.lengths = append(v.lengths, lengths)
	return func(dict int, term string, from, to int) {
		number, known := v.numbers[dict][term]
		if !known {
			number = uint32(len(v.terms))
			term = strings.Clone(term)
			v.terms = append(v.terms, term)
			v.numbers[dict][term] = number
		}
		v.found = append(v.found, occurrenceIn{number, document, uint32(from), uint32(to - from)})
		lengths[dict]++
	}
}

// finish sorts what was found by term; occurrences of one stay in their order.
func (v *inverter) finish() *inverted {
	out := &inverted{firstTerm: make([]uint32, 1, len(v.numbers)+1), size: len(v.lengths), lengths: make([][]uint32, len(v.numbers))}
	// The first letters, as a number, settle most comparisons.
	type entry struct {
		head   uint64
		number uint32
	}
	entries := make([]entry, 0, len(v.terms))
	for _, dict := range v.numbers {
		first := len(entries)
		for term, number := range dict {
			var head [8]byte
			copy(head[:], term)
			entries = append(entries, entry{binary.BigEndian.Uint64(head[:]), number})
		}
		slices.SortFunc(entries[first:], func(a, b entry) int {
			if a.head != b.head {
				return cmp.Compare(a.head, b.head)
			}
			return strings.Compare(v.terms[a.number], v.terms[b.number])
		})
		out.firstTerm = append(out.firstTerm, uint32(len(entries)))
	}
	// A counting sort: next has where the next occurrence of each term goes.
	counts := make([]uint32, len(v.terms))
	for i := range v.found {
		counts[v.found[i].term]++
	}
	next := make([]uint32, len(v.terms))
	out.ends = make([]uint32, len(entries))
	at := uint32(0)
	for rank, e := range entries {
		out.letters = append(out.letters, v.terms[e.number]...)
		out.ends[rank] = uint32(len(out.letters))
		next[e.number] = at
		at += counts[e.number]
	}
	sorted := make([]occurrenceIn, len(v.found))
	for _, o := range v.found {
		sorted[next[o.term]] = o
		next[o.term]++
	}
	out.from, out.width = make([]uint32, len(sorted)), make([]uint32, len(sorted))
	out.firstPosting = make([]uint32, 0, len(entries)+1)
	place := 0
	for _, e := range entries {
		out.firstPosting = append(out.firstPosting, uint32(len(out.docs)))
		for end := place + int(counts[e.number]); place < end; place++ {
			o := &sorted[place]
			if len(out.docs) == int(out.firstPosting[len(out.firstPosting)-1]) || out.docs[len(out.docs)-1] != o.document {
				out.docs = append(out.docs, o.document)
				out.firstPlace = append(out.firstPlace, uint32(place))
			}
			out.from[place], out.width[place] = o.from, o.width
		}
	}
	out.firstPosting = append(out.firstPosting, uint32(len(out.docs)))
	out.firstPlace = append(out.firstPlace, uint32(place))
	for dict := range out.lengths {
		for document, lengths := range v.lengths {
			if lengths[dict] > 0 && out.lengths[dict] == nil {
				out.lengths[dict] = make([]uint32, len(v.lengths))
			}
			if lengths[dict] > 0 {
				out.lengths[dict][document] = lengths[dict]
			}
		}
	}
	return out
}
