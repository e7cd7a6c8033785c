package corpus

import (
	"math"
	"slices"

	"cortex/lib/search/index"
)

// Scored is a chunk with its score.
type Scored struct {
	Chunk int
	Score float64
}

// Rounded returns a score as hits show it: between 0 and 1, with four decimals. Hits are ordered by this score, so hits
// that show the same score are in the order of their identifiers.
func Rounded(score float64) float64 { return math.Round(min(max(score, 0), 1)*1e4) / 1e4 }

// ByScore compares chunks: the higher score first, then by identifier.
func ByScore(gen *index.Generation, a, b Scored) int {
	switch {
	case a.Score > b.Score:
		return -1
	case a.Score < b.Score:
		return 1
	}
	return gen.Compare(a.Chunk, b.Chunk)
}

// less reports whether a comes after b in the order of ByScore.
func (t *Top) less(a, b Scored) bool {
	return a.Score < b.Score || a.Score == b.Score && t.gen.Compare(a.Chunk, b.Chunk) > 0
}

// Top keeps the k best of the chunks that it is offered, in a heap whose root is the worst of them.
type Top struct {
	gen  *index.Generation
	k    int
	heap []Scored
}

// NewTop returns an empty Top for the k best of the generation's chunks.
func NewTop(gen *index.Generation, k int) *Top { return &Top{gen: gen, k: k} }

// Offer keeps s if it is among the best so far.
func (t *Top) Offer(s Scored) {
	if len(t.heap) < t.k {
		t.heap = append(t.heap, s)
		for i := len(t.heap) - 1; i > 0; {
			parent := (i - 1) / 2
			if t.less(t.heap[parent], t.heap[i]) {
				break
			}
			t.heap[parent], t.heap[i] = t.heap[i], t.heap[parent]
			i = parent
		}
		return
	}
	if t.less(s, t.heap[0]) {
		return
	}
	t.heap[0] = s
	for i := 0; ; {
		worst := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(t.heap); child++ {
			if t.less(t.heap[child], t.heap[worst]) {
				worst = child
			}
		}
		if worst == i {
			return
		}
		t.heap[i], t.heap[worst] = t.heap[worst], t.heap[i]
		i = worst
	}
}

// Least returns the score that a chunk must reach to be kept, -Inf while there is room.
func (t *Top) Least() float64 {
	if len(t.heap) < t.k {
		return math.Inf(-1)
	}
	return t.heap[0].Score
}

// Join returns the k best chunks of several Tops with that k, best first. The Tops must not be used afterwards.
func Join(tops []*Top) []Scored { return united(tops).sorted() }

// united adds the chunks of all Tops to the first one and returns it.
func united(tops []*Top) *Top {
	for _, top := range tops[1:] {
		for _, s := range top.heap {
			tops[0].Offer(s)
		}
	}
	return tops[0]
}

// sorted returns the kept chunks, best first. The Top must not be used afterwards.
func (t *Top) sorted() []Scored {
	slices.SortFunc(t.heap, func(a, b Scored) int { return ByScore(t.gen, a, b) })
	return t.heap
}
