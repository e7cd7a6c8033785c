package index

import (
	"math/bits"

	"github.com/blevesearch/vellum/levenshtein"
)

// A dictionary reads the terms of a segment in the format of inverter. Numbers out of range cause a runtime error.
type dictionary struct {
	heads        []uint64
	blocks       []uint32 // three for each block: its offsets in terms, lists and postings
	terms, lists []byte
}

// An entry describes a term in one dictionary: the offset of its postings, and the number of its documents.
type entry struct {
	dict             int
	start, documents int
}

func (d *dictionary) first(block int) string {
	r := d.block(block)
	_, letters := r.term()
	return text(letters)
}

// block returns a reader at the first term of a block.
func (d *dictionary) block(block int) reader { return reader{d.terms, int(d.blocks[3*block])} }

// seek returns the last block whose first term is not greater than the term, or block 0.
func (d *dictionary) seek(term string) int {
	head := headOf(term)
	low, high := 0, len(d.heads)
	for low < high {
		middle := int(uint(low+high) / 2)
		if d.heads[middle] < head || d.heads[middle] == head && d.first(middle) <= term {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return max(low-1, 0)
}

// find visits the term in all dictionaries that have it.
func (d *dictionary) find(term string, visit func(e entry)) {
	if len(d.heads) == 0 {
		return
	}
	block := d.seek(term)
	r := d.block(block)
	lists := 0 // number of lists of the terms before this one
	// The last term sorts before the sought one and shares this many leading letters with it.
	common := 0
	for i := 0; i < termsInBlock && r.at < len(d.terms); i++ {
		shared, letters := r.term()
		mask := r.uvarint()
		if shared < common {
			return // all further terms sort after the sought one
		}
		if shared == common {
			rest := term[common:]
			n := sharedLetters(text(letters), rest)
			switch {
			case n == len(letters) && n == len(rest):
				d.entries(block, lists, mask, visit)
				return
			case n == len(rest) || n < len(letters) && letters[n] > rest[n]:
				return
			}
			common += n
		}
		lists += bits.OnesCount64(mask)
	}
}

// entries visits the dictionaries that have a term; before is the number of lists that precede the term's in the block.
func (d *dictionary) entries(block, before int, mask uint64, visit func(e entry)) {
	r, at := reader{d.lists, int(d.blocks[3*block+1])}, int(d.blocks[3*block+2])
	for range before {
		_, size := r.list()
		at += size
	}
	for ; mask != 0; mask &= mask - 1 {
		documents, size := r.list()
		visit(entry{bits.TrailingZeros64(mask), at, documents})
		at += size
	}
}

// each visits the terms of the dictionaries in the bit mask, beginning with the first term not less than prefix, until
// visit returns false. in are those of the dictionaries that have the term. term is valid during the call.
func (d *dictionary) each(dicts uint64, prefix string, visit func(term []byte, in uint64) bool) {
	if len(d.heads) == 0 {
		return
	}
	r := d.block(d.seek(prefix))
	var term []byte
	for r.at < len(d.terms) {
		shared, letters := r.term()
		term = append(term[:shared], letters...)
		in := r.uvarint() & dicts
		if in == 0 || string(term) < prefix {
			continue
		}
		if !visit(term, in) {
			return
		}
	}
}

// near visits the terms that the automaton accepts, with their dictionaries as a bit mask; term is reused.
func (d *dictionary) near(automaton *levenshtein.DFA, visit func(term []byte, mask uint64)) {
	states := []int{automaton.Start()} // the state after each letter of term
	var term []byte
	// If not 0, no term that shares its first dead letters with the last one is accepted.
	dead := 0
	for r := (reader{d.terms, 0}); r.at < len(d.terms); {
		shared, letters := r.term()
		mask := r.uvarint()
		if dead > 0 && shared >= dead {
			continue
		}
		dead = 0
		term = append(term[:shared], letters...)
		states = states[:min(shared, len(states)-1)+1]
		for i := len(states) - 1; i < len(term) && dead == 0; i++ {
			next := automaton.Accept(states[i], term[i])
			if !automaton.CanMatch(next) {
				dead = i + 1
			}
			states = append(states, next)
		}
		if dead == 0 && automaton.IsMatch(states[len(states)-1]) {
			visit(term, mask)
		}
	}
}

// A reader decodes numbers and letters from data, beginning at at.
type reader struct {
	data []byte
	at   int
}

func (r *reader) uvarint() uint64 {
	b := r.data[r.at]
	r.at++
	if b < 0x80 {
		return uint64(b)
	}
	x := uint64(b & 0x7f)
	for shift := 7; ; shift += 7 {
		b = r.data[r.at]
		r.at++
		x |= uint64(b&0x7f) << shift
		if b < 0x80 || shift > 63 {
			return x
		}
	}
}

func (r *reader) bytes(n int) []byte {
	b := r.data[r.at : r.at+n : r.at+n]
	r.at += n
	return b
}

// term reads what appendTerm wrote.
func (r *reader) term() (shared int, letters []byte) {
	b := r.data[r.at]
	r.at++
	if b >= longTerm {
		shared = int(r.uvarint())
		return shared, r.bytes(int(r.uvarint()))
	}
	return int(b >> 4), r.bytes(int(b & 15))
}

// list reads what appendList wrote.
func (r *reader) list() (documents, size int) {
	x := r.uvarint()
	if documents = 1; x&1 == 0 {
		documents = int(r.uvarint())
	}
	return documents, int(x >> 1)
}
