package links

import "math/bits"

// A Set is a set of nodes, as a bitmap.
type Set []uint64

// NewSet returns an empty set for the nodes below n.
func NewSet(n int) Set { return make(Set, (n+63)/64) }

// Has reports whether a node is in the set.
func (s Set) Has(n uint32) bool { return s[n/64]>>(n%64)&1 != 0 }

// Add adds a node.
func (s Set) Add(n uint32) { s[n/64] |= 1 << (n % 64) }

// CountWithout returns the number of nodes that are in s and not in other, a set of the same size.
func (s Set) CountWithout(other Set) int {
	n := 0
	for i, word := range s {
		n += bits.OnesCount64(word &^ other[i])
	}
	return n
}
