package index

import (
	"cmp"
	"encoding/binary"
	"errors"
	"slices"
	"strings"
)

// An inverter turns the terms of one document after the other into postings: for each term the documents that have it, how often and where.
//
// Terms of a dictionary stand in order, in blocks of which the first term is whole and each of the others tells how many letters it shares with the one before:
//
//	shared letters, other letters: their number, then they; number of documents, bytes of postings
//
// The postings of a term are, for each document, the distance from the one before, doubled and 1 more if the term is there several times, in which case
// follows how often but for two; then, in dictionaries with places, for each document and place the distance from the one before, doubled and 1 more if the place is not
// 1 wide, in which case follows its width. All numbers are uvarints.
type inverter struct {
	dicts   []Dict
	numbers []map[string]uint32 // of the terms, by dictionary
	terms   []invertedTerm
	found   []place
	// lengths are the numbers of terms of each document, by dictionary.
	lengths  [][]uint32
	document uint32
	letters  []byte // the memory of terms
	fault    error
}

// An invertedTerm is a term of one dictionary, with the number of its places.
type invertedTerm struct {
	text   string
	places uint32
}

// A place is one occurrence of a term.
type place struct{ term, document, from, width uint32 }

// termsInBlock is the number of terms in a block.
const termsInBlock = 16

func newInverter(dicts []Dict) *inverter {
	v := &inverter{dicts: dicts, numbers: make([]map[string]uint32, len(dicts)), lengths: make([][]uint32, len(dicts))}
	for i := range v.numbers {
		v.numbers[i] = map[string]uint32{}
	}
	return v
}

// next begins another document.
func (v *inverter) next() {
	for i := range v.lengths {
		v.lengths[i] = append(v.lengths[i], 0)
	}
	v.document = uint32(len(v.lengths[0])) - 1
}

// add takes a term of the document.
func (v *inverter) add(dict int, term string, from, to int) {
	number, known := v.numbers[dict][term]
	if !known {
		number = uint32(len(v.terms))
		term = v.keep(term)
		v.terms = append(v.terms, invertedTerm{text: term})
		v.numbers[dict][term] = number
	}
	v.terms[number].places++
	v.found = append(v.found, place{number, v.document, uint32(from), uint32(to - from)})
	v.lengths[v.dicts[dict].Length][v.document]++
}

// keep copies the term, whose memory may be used again.
func (v *inverter) keep(term string) string {
	if cap(v.letters)-len(v.letters) < len(term) {
		v.letters = make([]byte, 0, max(64<<10, len(term)))
	}
	start := len(v.letters)
	v.letters = append(v.letters, term...)
	return text(v.letters[start:len(v.letters):len(v.letters)])
}

// finish gives the postings. Each dictionary has two sections: for each block where it begins among the terms, and where its postings begin; and the
// terms.
func (v *inverter) finish(postings []byte) (sections [][]byte, all []byte, err error) {
	// Places are sorted by term by counting; those of one stay in their order.
	next := make([]uint32, len(v.terms))
	at := uint32(0)
	for i, t := range v.terms {
		next[i] = at
		at += t.places
	}
	sorted := make([]place, len(v.found))
	for _, p := range v.found {
		sorted[next[p.term]] = p
		next[p.term]++
	}
	for dict, of := range v.numbers {
		var blocks []uint32
		var terms []byte
		last := ""
		for i, e := range v.order(of) {
			t := v.terms[e]
			shared := 0
			if i%termsInBlock == 0 {
				blocks = append(blocks, uint32(len(terms)), uint32(len(postings)))
			} else {
				shared = sharedLetters(last, t.text)
			}
			last = t.text
			start := len(postings)
			var documents int
			postings, documents = v.encode(postings, sorted[next[e]-t.places:next[e]], v.dicts[dict].Places)
			terms = binary.AppendUvarint(terms, uint64(shared))
			terms = binary.AppendUvarint(terms, uint64(len(t.text)-shared))
			terms = append(terms, t.text[shared:]...)
			terms = binary.AppendUvarint(terms, uint64(documents))
			terms = binary.AppendUvarint(terms, uint64(len(postings)-start))
		}
		if max(len(terms), len(postings)) > maxSection {
			return nil, nil, errTooLarge
		}
		sections = append(sections, bytesOf(blocks), terms)
	}
	return sections, postings, v.fault
}

// maxSection bounds a section, in bytes.
const maxSection = 1<<32 - 1

var errTooLarge = errors.New("make index: a shard has more than 4 GB of words")

// order are the terms of a dictionary, sorted.
func (v *inverter) order(of map[string]uint32) []uint32 {
	// The first letters, as a number, settle most comparisons.
	type entry struct {
		head   uint64
		number uint32
	}
	entries := make([]entry, 0, len(of))
	for term, number := range of {
		var head [8]byte
		copy(head[:], term)
		entries = append(entries, entry{binary.BigEndian.Uint64(head[:]), number})
	}
	slices.SortFunc(entries, func(a, b entry) int {
		if a.head != b.head {
			return cmp.Compare(a.head, b.head)
		}
		return strings.Compare(v.terms[a.number].text, v.terms[b.number].text)
	})
	numbers := make([]uint32, len(entries))
	for i, e := range entries {
		numbers[i] = e.number
	}
	return numbers
}

// encode appends the postings of one term.
func (v *inverter) encode(to []byte, places []place, withPlaces bool) (postings []byte, documents int) {
	last := uint32(0)
	for i := 0; i < len(places); {
		document, times := places[i].document, 1
		for i++; i < len(places) && places[i].document == document; i++ {
			times++
		}
		several := uint64(0)
		if times > 1 {
			several = 1
		}
		to = binary.AppendUvarint(to, uint64(document-last)<<1|several)
		if times > 1 {
			to = binary.AppendUvarint(to, uint64(times-2))
		}
		last = document
		documents++
	}
	if !withPlaces {
		return to, documents
	}
	from, of := uint32(0), ^uint32(0)
	for _, p := range places {
		if p.document != of {
			from, of = 0, p.document
		}
		if p.from < from {
			v.fault = errors.New("make index: the places of a term are not in order")
			return to, documents
		}
		wide := uint64(0)
		if p.width != 1 {
			wide = 1
		}
		to = binary.AppendUvarint(to, uint64(p.from-from)<<1|wide)
		if wide == 1 {
			to = binary.AppendUvarint(to, uint64(p.width))
		}
		from = p.from
	}
	return to, documents
}

func sharedLetters(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
