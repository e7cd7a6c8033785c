package index

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"sync"

	scorch "github.com/blevesearch/scorch_segment_api/v2"

	"cortex/lib/parallel"
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

func (v *inverted) encode() sections {
	return newSections(invertedFile, [][]byte{bytesOf(v.firstTerm), v.letters, bytesOf(v.ends), bytesOf(v.firstPosting), bytesOf(v.docs),
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
	terms   []invertedTerm
	found   []place    // in the order of documents, in blocks that are full but for the last
	blocks  [][]place  // those before
	lengths [][]uint32 // of each document, by dictionary
	letters int        // of all terms
}

// An invertedTerm is a term of one dictionary, with the numbers of its places and of the documents that it is in; last is the last of these, counted from 1.
type invertedTerm struct {
	text                    string
	places, documents, last uint32
}

// A place is one occurrence of a term.
type place struct{ term, from, width uint32 }

// placesInBlock is the size of a block: a list that grows would be copied again and again.
const placesInBlock = 4096

func newInverter(dicts int) *inverter {
	v := &inverter{numbers: make([]map[string]uint32, dicts)}
	for i := range v.numbers {
		v.numbers[i] = map[string]uint32{}
	}
	return v
}

// next begins another document and returns what takes its terms.
func (v *inverter) next() func(dict int, term string, from, to int) {
	lengths := make([]uint32, len(v.numbers))
	v.lengths = append(v.lengths, lengths)
	document := uint32(len(v.lengths))
	return func(dict int, term string, from, to int) {
		number, known := v.numbers[dict][term]
		if !known {
			number = uint32(len(v.terms))
			if len(v.terms) == cap(v.terms) {
				v.terms = slices.Grow(v.terms, max(len(v.terms), 256))
			}
			v.terms = append(v.terms, invertedTerm{text: term})
			v.numbers[dict][term] = number
			v.letters += len(term)
		}
		t := &v.terms[number]
		t.places++
		if t.last != document {
			t.last = document
			t.documents++
		}
		if len(v.found) == cap(v.found) {
			if len(v.found) > 0 {
				v.blocks = append(v.blocks, v.found)
			}
			v.found = make([]place, 0, placesInBlock)
		}
		v.found = append(v.found, place{number, uint32(from), uint32(to - from)})
		lengths[dict]++
	}
}

// termsAtOnce is after how many terms others may go first.
const termsAtOnce = 1024

// finish sorts what was found by term; places of one stay in their order.
func (v *inverter) finish(ctx context.Context) *inverted {
	out := &inverted{firstTerm: make([]uint32, 1, len(v.numbers)+1), size: len(v.lengths)}
	out.letters, out.ends = make([]byte, 0, v.letters), make([]uint32, len(v.terms))
	order := v.order(ctx, out)
	next := make([]uint32, len(v.terms)) // where the next place of each term goes
	places, documents := uint32(0), uint32(0)
	for rank, number := range order {
		if rank%termsAtOnce == 0 {
			parallel.Yield(ctx)
		}
		t := &v.terms[number]
		out.letters = append(out.letters, t.text...)
		out.ends[rank] = uint32(len(out.letters))
		next[number] = places
		places += t.places
		documents += t.documents
	}
	of := v.spread(ctx, out, next, places)
	out.docs = make([]uint32, 0, documents)
	out.firstPlace = make([]uint32, 0, documents+1)
	out.firstPosting = make([]uint32, 0, len(order)+1)
	at := 0
	for rank, number := range order {
		if rank%termsAtOnce == 0 {
			parallel.Yield(ctx)
		}
		first := len(out.docs)
		out.firstPosting = append(out.firstPosting, uint32(first))
		for end := at + int(v.terms[number].places); at < end; at++ {
			if len(out.docs) == first || out.docs[len(out.docs)-1] != of[at] {
				out.docs = append(out.docs, of[at])
				out.firstPlace = append(out.firstPlace, uint32(at))
			}
		}
	}
	out.firstPosting = append(out.firstPosting, documents)
	out.firstPlace = append(out.firstPlace, places)
	out.lengths = columnsOf(v.lengths, len(v.numbers))
	return out
}

// order returns the terms of one dictionary after the other, sorted, and tells where each begins.
func (v *inverter) order(ctx context.Context, out *inverted) []uint32 {
	// The first letters, as a number, settle most comparisons.
	type entry struct {
		head   uint64
		number uint32
	}
	entries := make([]entry, 0, len(v.terms))
	for _, dict := range v.numbers {
		parallel.Yield(ctx)
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
			return strings.Compare(v.terms[a.number].text, v.terms[b.number].text)
		})
		out.firstTerm = append(out.firstTerm, uint32(len(entries)))
	}
	order := make([]uint32, len(entries))
	for rank, e := range entries {
		order[rank] = e.number
	}
	return order
}

// spread puts each place where next says, and returns the documents of all.
func (v *inverter) spread(ctx context.Context, out *inverted, next []uint32, places uint32) (of []uint32) {
	out.from, out.width, of = make([]uint32, places), make([]uint32, places), make([]uint32, places)
	document, rest := -1, uint32(0) // rest are the places of the document that are still to come
	for _, block := range append(v.blocks, v.found) {
		parallel.Yield(ctx)
		for _, p := range block {
			for rest == 0 {
				document++
				for _, n := range v.lengths[document] {
					rest += n
				}
			}
			rest--
			at := next[p.term]
			next[p.term]++
			out.from[at], out.width[at], of[at] = p.from, p.width, uint32(document)
		}
	}
	return of
}

// columnsOf are the lengths of all documents by dictionary; nil for a dictionary that is empty.
func columnsOf(lengths [][]uint32, dicts int) [][]uint32 {
	columns := make([][]uint32, dicts)
	for document, row := range lengths {
		for dict, n := range row {
			if n > 0 && columns[dict] == nil {
				columns[dict] = make([]uint32, len(lengths))
			}
			if n > 0 {
				columns[dict][document] = n
			}
		}
	}
	return columns
}
