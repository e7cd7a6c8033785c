package index

import (
	"math/bits"

	"github.com/blevesearch/vellum/levenshtein"
)

// A dictionary has the terms of all dictionaries of a segment as inverter writes them. Numbers that point nowhere end in a runtime error, which guardTables takes.
type dictionary struct {
	heads  []uint64
	blocks []uint32 // where each begins in terms, and its postings
	terms  []byte
}

// An entry is a term in one dictionary: where its postings begin, and the number of its documents.
type entry struct {
	dict             int
	start, documents int
}

// first is the first term of a block.
func (d *dictionary) first(block int) string {
	r := reader{d.terms, int(d.blocks[2*block])}
	r.uvarint()
	return text(r.bytes(int(r.uvarint())))
}

// block is the last one whose first term is not greater than the term, or the first.
func (d *dictionary) block(term string) int {
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

// end is the end of a block in terms.
func (d *dictionary) end(block int) int {
	if block+1 < len(d.heads) {
		return int(d.blocks[2*block+2])
	}
	return len(d.terms)
}

// find visits the term in all dictionaries that have it.
func (d *dictionary) find(term string, visit func(e entry)) {
	if len(d.heads) == 0 {
		return
	}
	block := d.block(term)
	at, r, end := int(d.blocks[2*block+1]), reader{d.terms, int(d.blocks[2*block])}, d.end(block)
	// The term so far has this many letters in common with what is sought, and comes before it.
	common := 0
	for r.at < end {
		shared := int(r.uvarint())
		letters := r.bytes(int(r.uvarint()))
		if shared < common {
			return // all further terms come after it
		}
		found := false
		if shared == common {
			rest := term[common:]
			n := sharedLetters(text(letters), rest)
			switch {
			case n == len(letters) && n == len(rest):
				found = true
			case n == len(rest) || n < len(letters) && letters[n] > rest[n]:
				return
			}
			common += n
		}
		for mask := r.uvarint(); mask != 0; mask &= mask - 1 {
			documents, size := int(r.uvarint()), int(r.uvarint())
			if found {
				visit(entry{bits.TrailingZeros64(mask), at, documents})
			}
			at += size
		}
		if found {
			return
		}
	}
}

// each visits the terms of a dictionary from the first with the prefix on, until visit returns false. What it gives is valid during the call; shared is how many letters
// are those of the one that was visited before, or fewer.
func (d *dictionary) each(dict int, prefix string, visit func(term []byte, shared int) bool) {
	if len(d.heads) == 0 {
		return
	}
	r := reader{d.terms, int(d.blocks[2*d.block(prefix)])}
	var term []byte
	common := 0
	for r.at < len(d.terms) {
		shared := int(r.uvarint())
		term = append(term[:shared], r.bytes(int(r.uvarint()))...)
		mask := r.uvarint()
		for rest := mask; rest != 0; rest &= rest - 1 {
			r.uvarint()
			r.uvarint()
		}
		common = min(common, shared)
		if mask&(1<<dict) == 0 || string(term) < prefix {
			continue
		}
		if !visit(term, common) {
			return
		}
		common = len(term)
	}
}

// near visits the terms of a dictionary that the automaton accepts.
func (d *dictionary) near(dict int, automaton *levenshtein.DFA, visit func(term []byte)) {
	states := []int{automaton.Start()}
	// Terms that begin with this many letters of the last one are not accepted; 0 stands for none.
	dead := 0
	d.each(dict, "", func(term []byte, shared int) bool {
		if dead > 0 && shared >= dead {
			return true
		}
		dead = 0
		states = states[:min(shared, len(states)-1)+1]
		for i := len(states) - 1; i < len(term); i++ {
			next := automaton.Accept(states[i], term[i])
			if !automaton.CanMatch(next) {
				dead = i + 1
				return true
			}
			states = append(states, next)
		}
		if automaton.IsMatch(states[len(states)-1]) {
			visit(term)
		}
		return true
	})
}

// A reader reads numbers and letters.
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
