package corpus

import "math/bits"

// A Set is a set of chunks as a bit set of their numbers. All sets of one corpus have the same length.
type Set []uint64

// NewSet returns an empty set with room for the chunks below n.
func NewSet(n int) Set { return make(Set, (n+63)/64) }

// Add adds a chunk.
func (b Set) Add(i int) { b[i/64] |= 1 << (i % 64) }

// AddAll adds the chunks [first, end).
func (b Set) AddAll(first, end int) {
	for i := first; i < end; i++ {
		b.Add(i)
	}
}

// Remove removes a chunk.
func (b Set) Remove(i int) { b[i/64] &^= 1 << (i % 64) }

// Has reports whether the set has the chunk.
func (b Set) Has(i int) bool { return b[i/64]&(1<<(i%64)) != 0 }

// Intersect removes the chunks that other does not have.
func (b Set) Intersect(other Set) {
	for i := range b {
		b[i] &= other[i]
	}
}

// Union adds the chunks of other.
func (b Set) Union(other Set) {
	for i := range b {
		b[i] |= other[i]
	}
}

// Subtract removes the chunks of other.
func (b Set) Subtract(other Set) {
	for i := range b {
		b[i] &^= other[i]
	}
}

// Fill makes the set contain all chunks below n. The set must come from NewSet(n).
func (b Set) Fill(n int) {
	for i := range b {
		b[i] = ^uint64(0)
	}
	if rest := n % 64; rest != 0 {
		b[len(b)-1] = 1<<rest - 1
	}
}

// Meets reports whether a chunk is in both sets, which are of the same size.
func (b Set) Meets(other Set) bool {
	for i, word := range b {
		if word&other[i] != 0 {
			return true
		}
	}
	return false
}

// Count returns the number of members.
func (b Set) Count() int {
	n := 0
	for _, word := range b {
		n += bits.OnesCount64(word)
	}
	return n
}

// Each calls visit for all members in ascending order.
func (b Set) Each(visit func(i int)) { b.EachIn(0, 64*len(b), visit) }

// EachIn calls visit for the members in [first, end) in ascending order.
func (b Set) EachIn(first, end int, visit func(i int)) {
	for w := first / 64; w*64 < end; w++ {
		word := b[w]
		if w == first/64 {
			word &= ^uint64(0) << (first % 64)
		}
		if rest := end - w*64; rest < 64 {
			word &= 1<<rest - 1
		}
		for ; word != 0; word &= word - 1 {
			visit(w*64 + bits.TrailingZeros64(word))
		}
	}
}
