package index

import (
	"cmp"
	"encoding/binary"
	"errors"
	"slices"
	"strings"

	"cortex/lib/search/postings"
)

// An inverter turns the terms of successive documents into postings: for each term the documents that have it, how
// often and where. A document is a row, or a run for the dictionaries that are Shared.
//
// Terms are sorted and stored in blocks. The first term of a block is stored in full, the others as the number of
// letters shared with the term before and the other letters (appendTerm). A bit mask of dictionaries follows each term.
//
// For each term and dictionary, the section of lists has the number of bytes of postings, doubled, plus 1 if they are
// of one document; otherwise the number of documents follows. The postings are in the encoding of package postings: the
// documents, then, in dictionaries with places, the places in each document.
type inverter struct {
	dicts   []Dict
	numbers map[string]uint32 // of the terms, in the order of terms
	terms   []string
	// slots has a slot number, from 1, for each term and dictionary; counts has the number of occurrences by slot.
	slots  []uint32
	counts []uint32
	found  []occurrence
	// lengths are the numbers of terms of the documents, by dictionary and document.
	lengths  [][]uint32
	row, run uint32
	letters  []byte // holds the bytes of terms
	fault    error
}

// An occurrence is one place where a document has a term.
type occurrence struct{ slot, document, from, width uint32 }

const termsInBlock = 16

func newInverter(dicts []Dict) *inverter {
	return &inverter{dicts: dicts, numbers: map[string]uint32{}, lengths: make([][]uint32, len(dicts))}
}

// next begins a new run, or a new row.
func (v *inverter) next(run bool) {
	for i := range v.lengths {
		if v.dicts[i].Shared == run {
			v.lengths[i] = append(v.lengths[i], 0)
			if run {
				v.run = uint32(len(v.lengths[i])) - 1
			} else {
				v.row = uint32(len(v.lengths[i])) - 1
			}
		}
	}
}

// add adds an occurrence of a term in the current row, or run.
func (v *inverter) add(dict int, term string, from, to int) {
	number, known := v.numbers[term]
	if !known {
		number = uint32(len(v.terms))
		term = v.keep(term)
		v.terms = append(v.terms, term)
		v.numbers[term] = number
		v.slots = append(v.slots, make([]uint32, len(v.dicts))...)
	}
	slot := &v.slots[int(number)*len(v.dicts)+dict]
	if *slot == 0 {
		v.counts = append(v.counts, 0)
		*slot = uint32(len(v.counts))
	}
	v.counts[*slot-1]++
	document := v.row
	if v.dicts[dict].Shared {
		document = v.run
	}
	v.found = append(v.found, occurrence{*slot - 1, document, uint32(from), uint32(to - from)})
	v.lengths[v.dicts[dict].Length][document]++
}

// keep copies the term, since the caller may reuse its memory.
func (v *inverter) keep(term string) string {
	if cap(v.letters)-len(v.letters) < len(term) {
		v.letters = make([]byte, 0, max(64<<10, len(term)))
	}
	start := len(v.letters)
	v.letters = append(v.letters, term...)
	return text(v.letters[start:len(v.letters):len(v.letters)])
}

// finish returns the sections of a segment from headsSection on: the head of each block, which is the first letters of
// its first term; where each block begins in the next three sections; the terms; their lists; the postings.
func (v *inverter) finish() (sections [][]byte, err error) {
	var heads []uint64
	var blocks []uint32
	terms, lists, postings := make([]byte, 0, 8*len(v.terms)), make([]byte, 0, 4*len(v.terms)), make([]byte, 0, 2*len(v.found))
	// A counting sort orders the occurrences by slot; those of one slot keep their order.
	next := make([]uint32, len(v.counts))
	at := uint32(0)
	for i, n := range v.counts {
		next[i] = at
		at += n
	}
	sorted := make([]occurrence, len(v.found))
	for _, p := range v.found {
		sorted[next[p.slot]] = p
		next[p.slot]++
	}
	last := ""
	for i, number := range v.order() {
		term := v.terms[number]
		shared := 0
		if i%termsInBlock == 0 {
			heads = append(heads, headOf(term))
			blocks = append(blocks, uint32(len(terms)), uint32(len(lists)), uint32(len(postings)))
		} else {
			shared = sharedLetters(last, term)
		}
		last = term
		mask := uint64(0)
		for dict, slot := range v.slots[int(number)*len(v.dicts):][:len(v.dicts)] {
			if slot == 0 {
				continue
			}
			mask |= 1 << dict
			end := next[slot-1]
			start, documents := len(postings), 0
			postings, documents = v.encode(postings, sorted[end-v.counts[slot-1]:end], v.dicts[dict].Places)
			lists = appendList(lists, documents, len(postings)-start)
		}
		terms = binary.AppendUvarint(appendTerm(terms, shared, term[shared:]), mask)
		if max(len(terms), len(lists), len(postings)) > maxSection {
			return nil, errTooLarge
		}
	}
	return [][]byte{bytesOf(heads), bytesOf(blocks), terms, lists, postings}, v.fault
}

// appendTerm appends the number of letters shared with the term before it, the number of other letters, and these. Both
// numbers take one byte together or, if they do not fit, the byte longTerm and two uvarints.
func appendTerm(to []byte, shared int, rest string) []byte {
	if shared < 15 && len(rest) < 16 {
		to = append(to, byte(shared<<4|len(rest)))
	} else {
		to = binary.AppendUvarint(binary.AppendUvarint(append(to, longTerm), uint64(shared)), uint64(len(rest)))
	}
	return append(to, rest...)
}

// longTerm is the byte before lengths that do not fit into one byte.
const longTerm = 15 << 4

// appendList appends the number of documents and the size in bytes of a list of postings.
func appendList(to []byte, documents, size int) []byte {
	if documents == 1 {
		return binary.AppendUvarint(to, uint64(size)<<1|1)
	}
	return binary.AppendUvarint(binary.AppendUvarint(to, uint64(size)<<1), uint64(documents))
}

// maxSection is the greatest size of a section, in bytes.
const maxSection = 1<<32 - 1

var errTooLarge = errors.New("make index: a shard has more than 4 GB of words")

// headOf returns the first letters of a term as a number; comparing these numbers settles most comparisons of terms.
func headOf(term string) uint64 {
	var head [8]byte
	copy(head[:], term)
	return binary.BigEndian.Uint64(head[:])
}

// order returns the numbers of the terms, sorted by term.
func (v *inverter) order() []uint32 {
	type entry struct {
		head   uint64
		number uint32
	}
	entries := make([]entry, len(v.terms))
	for number, term := range v.terms {
		entries[number] = entry{headOf(term), uint32(number)}
	}
	slices.SortFunc(entries, func(a, b entry) int {
		if a.head != b.head {
			return cmp.Compare(a.head, b.head)
		}
		return strings.Compare(v.terms[a.number], v.terms[b.number])
	})
	numbers := make([]uint32, len(entries))
	for i, e := range entries {
		numbers[i] = e.number
	}
	return numbers
}

func (v *inverter) encode(to []byte, places []occurrence, withPlaces bool) (encoded []byte, documents int) {
	last := uint32(0)
	for i := 0; i < len(places); {
		document, times := places[i].document, 1
		for i++; i < len(places) && places[i].document == document; i++ {
			times++
		}
		to = postings.AppendTimes(to, uint64(document-last), times)
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
		to = postings.AppendPlace(to, uint64(p.from-from), uint64(p.width))
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
