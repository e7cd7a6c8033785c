package corpus

import (
	"math"
	"slices"

	"cortex/lib/search/index"
)

// Matches is a set of chunks with their scores. The scores of chunks outside the set have no meaning.
type Matches struct {
	Set Set
	// Score has the score of each chunk by its number; it is nil if no caller needs scores.
	Score []float32
	// Coverage is the share of a question's words, weighted by rarity, that a chunk has; nil if the matches are not of
	// a question. BestCoverage is the greatest.
	Coverage     []float32
	BestCoverage float32
	// Whole has the matches that contain a word of the query as a whole word, not only as part of another word; nil if
	// this does not apply.
	Whole Set
}

// Best returns the k matches with the highest scores, best first.
func (m *Matches) Best(gen *index.Generation, k int) ([]Scored, error) {
	top, err := m.best(gen, k, func(i int) float64 { return float64(m.Score[i]) })
	if err != nil {
		return nil, err
	}
	return top.sorted(), nil
}

// Choose returns the same matches as Best, in any order.
func (m *Matches) Choose(gen *index.Generation, k int) ([]Scored, error) {
	top, err := m.best(gen, k, func(i int) float64 { return float64(m.Score[i]) })
	if err != nil {
		return nil, err
	}
	return top.heap, nil
}

func (m *Matches) best(gen *index.Generation, k int, score func(i int) float64) (*Top, error) {
	tops := make([]*Top, gen.Shares())
	err := InShares(gen, func(share index.Share, first, end int) error {
		top := NewTop(gen, k)
		tops[share.Number] = top
		least := math.Inf(-1)
		m.Set.EachIn(first, end, func(i int) {
			if score := score(i); score >= least {
				top.Offer(Scored{i, score})
				least = top.Least()
			}
		})
		return nil
	})
	if err != nil {
		return nil, err
	}
	return united(tops), nil
}

// Ranked returns the best k matches, best first, with scores divided by the highest score.
func (m *Matches) Ranked(gen *index.Generation, k int) ([]Scored, error) {
	bests := make([]float32, gen.Shares())
	err := InShares(gen, func(share index.Share, first, end int) error {
		best := float32(0)
		m.Set.EachIn(first, end, func(i int) {
			if score := m.Score[i]; score > best {
				best = score
			}
		})
		bests[share.Number] = best
		return nil
	})
	if err != nil {
		return nil, err
	}
	best := slices.Max(bests)
	top, err := m.best(gen, k, func(i int) float64 {
		// If the query has no scored part, all matches are equally good.
		if best == 0 {
			return 1
		}
		return Rounded(float64(m.Score[i]) / float64(best))
	})
	if err != nil {
		return nil, err
	}
	return top.sorted(), nil
}

// BM25K1 and BM25B are the usual constants of BM25.
const BM25K1, BM25B = 1.2, 0.75

// IDF returns the inverse document frequency of a term that df of n chunks have, as in BM25 (Robertson and Zaragoza
// 2009); it is never negative.
func IDF(n, df int) float64 {
	return math.Log(1 + (float64(n)-float64(df)+0.5)/(float64(df)+0.5))
}
