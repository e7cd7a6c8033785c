package corpus

import (
	"math"

	"cortex/lib/search/index"
)

// Matches are chunks with their scores. Scores of others mean nothing.
type Matches struct {
	Set Set
	// Score is nil where nobody asks for it.
	Score []float32
	// Coverage is the share of a question's words, by their rarity, that a chunk has; nil for other matches.
	Coverage []float32
	// Whole are those that have a word by itself, not only as a part of others; nil where it does not apply.
	Whole Set
}

// Best are the k matches with the highest scores.
func (m *Matches) Best(gen *index.Generation, k int) []Scored {
	top := NewTop(gen, k)
	m.Set.Each(func(i int) { top.Offer(Scored{i, float64(m.Score[i])}) })
	return top.Sorted()
}

// Ranked lists the best k matches, the best first, with scores over the greatest one.
func (m *Matches) Ranked(gen *index.Generation, k int) []Scored {
	best := float32(0)
	m.Set.Each(func(i int) { best = max(best, m.Score[i]) })
	kept := NewTop(gen, k)
	m.Set.Each(func(i int) {
		// Where nothing in the query ranks, all are as good as can be.
		s := Scored{i, 1}
		if best > 0 {
			s.Score = Rounded(float64(m.Score[i]) / float64(best))
		}
		kept.Offer(s)
	})
	return kept.Sorted()
}

// BM25K1 and BM25B are the usual constants of BM25.
const BM25K1, BM25B = 1.2, 0.75

// IDF is the weight of a term that df of n chunks have, as in BM25 (Robertson and
// Zaragoza 2009), and never negative.
func IDF(n, df int) float64 {
	return math.Log(1 + (float64(n)-float64(df)+0.5)/(float64(df)+0.5))
}
