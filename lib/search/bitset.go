package search

import "math/bits"

// A bitset is a set of chunks by their number in the snapshot. All sets of one index
// have the same length.
type bitset []uint64

func newBitset(n int) bitset { return make(bitset, (n+63)/64) }

func (b bitset) add(i int) { b[i/64] |= 1 << (i % 64) }
func (b bitset) addAll(first, end int) {
	for i := first; i < end; i++ {
		b.add(i)
	}
}
func (b bitset) remove(i int)   { b[i/64] &^= 1 << (i % 64) }
func (b bitset) has(i int) bool { return b[i/64]&(1<<(i%64)) != 0 }

func (b bitset) intersect(other bitset) {
	for i := range b {
		b[i] &= other[i]
	}
}

func (b bitset) union(other bitset) {
	for i := range b {
		b[i] |= other[i]
	}
}

func (b bitset) subtract(other bitset) {
	for i := range b {
		b[i] &^= other[i]
	}
}

// fill adds the first n numbers.
func (b bitset) fill(n int) {
	for i := range b {
		b[i] = ^uint64(0)
	}
	if rest := n % 64; rest != 0 {
		b[len(b)-1] = 1<<rest - 1
	}
}

func (b bitset) count() int {
	n := 0
	for _, word := range b {
		n += bits.OnesCount64(word)
	}
	return n
}

// each calls visit for all members in ascending order.
func (b bitset) each(visit func(i int)) {
	for w, word := range b {
		for word != 0 {
			visit(w*64 + bits.TrailingZeros64(word))
			word &= word - 1
		}
	}
}
