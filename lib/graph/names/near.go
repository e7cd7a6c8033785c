package names

import (
	"bytes"
	"cmp"
	"math/bits"
	"slices"

	"cortex/lib/hint"
)

// longestNear is the length in bytes of the longest name that a Near compares with others.
const longestNear = 60

// A Near compares names with one that may be mistyped, and keeps the nodes with similar names.
type Near struct {
	name string
	// most is the greatest edit distance that counts as similar.
	most    int
	letters uint64
	lower   []byte
	similar []similar
}

// A similar is a node whose name, of the given length, has a distance from the wanted one.
type similar struct {
	node             uint32
	distance, length int
}

// Keep keeps a node with a name that has the distance.
func (n *Near) Keep(node uint32, name string, distance int) {
	n.similar = append(n.similar, similar{node, distance, len(name)})
}

// Best returns at most most of the nodes that were kept: those with the least distances first, then short names.
func (n *Near) Best(most int) (nodes []uint32) {
	slices.SortFunc(n.similar, func(a, b similar) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.length, b.length), cmp.Compare(a.node, b.node))
	})
	for _, s := range n.similar[:min(len(n.similar), most)] {
		nodes = append(nodes, s.node)
	}
	return nodes
}

// NewNear returns a Near for a name in lower case. ok is false if the name is too short or too long.
func NewNear(name string) (near *Near, ok bool) {
	if len(name) < 2 || len(name) > longestNear {
		return nil, false
	}
	return &Near{name: name, most: min(max(1, len(name)/3), 3), letters: hint.Letters([]byte(name))}, true
}

// Distance returns the edit distance of a name, ignoring case; for a much longer name that contains the other, the
// greatest distance that counts. ok is false if the names are not similar.
func (n *Near) Distance(text string) (distance int, ok bool) {
	if len(text) < len(n.name)-n.most || len(text) > 2*longestNear {
		return 0, false
	}
	n.lower = n.lower[:0]
	for _, c := range []byte(text) {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		n.lower = append(n.lower, c)
	}
	switch {
	case len(n.lower) > len(n.name)+n.most:
		return n.most, len(n.name) >= 4 && bytes.Contains(n.lower, []byte(n.name))
	case bits.OnesCount64(hint.Letters(n.lower)^n.letters) > 2*n.most:
		return 0, false
	}
	distance = hint.Distance(n.name, n.lower, n.most)
	return distance, distance <= n.most
}
