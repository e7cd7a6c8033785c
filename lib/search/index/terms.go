package index

import (
	"github.com/blevesearch/vellum/levenshtein"
)

// A dictionary is one dictionary of a segment as inverter writes it. Numbers that point nowhere end in a runtime error, which guardTables takes.
type dictionary struct {
	blocks []uint32 // where each begins in terms, and its postings
	terms  []byte
	// shared and places are those of Dict.
	shared, places bool
}

func (d *dictionary) count() int { return len(d.blocks) / 2 }

// first is the first term of a block.
func (d *dictionary) first(block int) string {
	r := reader{d.terms, int(d.blocks[2*block])}
	r.uvarint()
	return text(r.bytes(int(r.uvarint())))
}

// block is the last one whose first term is not greater than the term, or the first.
func (d *dictionary) block(term string) int {
	low, high := 0, d.count()
	for low < high {
		middle := int(uint(low+high) / 2)
		if d.first(middle) <= term {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return max(low-1, 0)
}

// find gives where the postings of a term begin and the number of its documents, 0 if it isn't there.
func (d *dictionary) find(term string) (start, documents int) {
	if d.count() == 0 {
		return 0, 0
	}
	block := d.block(term)
	at, r, end := int(d.blocks[2*block+1]), reader{d.terms, int(d.blocks[2*block])}, d.end(block)
	// The term so far has this many letters in common with what is sought, and comes before it.
	common := 0
	for r.at < end {
		shared := int(r.uvarint())
		letters := r.bytes(int(r.uvarint()))
		documents, size := int(r.uvarint()), int(r.uvarint())
		switch {
		case shared < common:
			return 0, 0 // all further terms come after it
		case shared == common:
			rest := term[common:]
			n := sharedLetters(text(letters), rest)
			switch {
			case n == len(letters) && n == len(rest):
				return at, documents
			case n == len(rest) || n < len(letters) && letters[n] > rest[n]:
				return 0, 0
			}
			common += n
		}
		at += size
	}
	return 0, 0
}

// end is the end of a block in terms.
func (d *dictionary) end(block int) int {
	if block+1 < d.count() {
		return int(d.blocks[2*block+2])
	}
	return len(d.terms)
}

// each visits the terms from the first with the prefix on, until visit returns false. What it gives is valid during the call; shared is how many letters are those of the
// one before.
func (d *dictionary) each(prefix string, visit func(term []byte, shared int) bool) {
	if d.count() == 0 {
		return
	}
	r := reader{d.terms, int(d.blocks[2*d.block(prefix)])}
	var term []byte
	for r.at < len(d.terms) {
		shared := int(r.uvarint())
		term = append(term[:shared], r.bytes(int(r.uvarint()))...)
		r.uvarint()
		r.uvarint()
		if string(term) < prefix {
			continue
		}
		if !visit(term, shared) {
			return
		}
	}
}

// near visits the terms that the automaton accepts.
func (d *dictionary) near(automaton *levenshtein.DFA, visit func(term []byte)) {
	states := []int{automaton.Start()}
	// Terms that begin with this many letters of the last one are not accepted; 0 stands for none.
	dead := 0
	d.each("", func(term []byte, shared int) bool {
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
