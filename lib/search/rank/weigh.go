package rank

import (
	"math"
	"slices"

	"cortex/lib/search/corpus"
	"cortex/lib/search/index"
)

// FavourLocal weighs candidates in the store's own tree against those of other trees. Their scores so far are kept.
func (x *Ranker) FavourLocal(list []Candidate) {
	for i := range list {
		list[i].base = list[i].Score
	}
	if !x.ofSeveral() {
		return
	}
	for i := range list {
		list[i].Score *= x.treeWeight(list[i].Chunk)
	}
}

// treeWeight is what a hit in the chunk's tree counts.
func (x *Ranker) treeWeight(chunk int) float64 {
	if x.Generation.Tree(chunk) == "" {
		return min(x.merging.LocalBoost, 1)
	}
	return 1 / max(x.merging.LocalBoost, 1)
}

// testWeight is what a hit of exact search in test code or a fixture counts. How often a word is used changes the score of a chunk of
// ordinary length by a factor of 0.83 at most, so the same use comes first in code; a declaration, or the whole word beside a
// part of another, makes a greater difference and stays in front wherever it is.
const testWeight = 0.8

// WeighPlaces weighs matches of exact search by where they are: in the store's own tree or another, in code or in its tests.
func (x *Ranker) WeighPlaces(m *corpus.Matches) error {
	ranks := make([]bool, x.Generation.Shares())
	err := corpus.InShares(x.Generation, func(share index.Share, first, end int) error {
		m.Set.EachIn(first, end, func(i int) { ranks[share.Number] = ranks[share.Number] || m.Score[i] > 0 })
		return nil
	})
	if err != nil {
		return err
	}
	ranked := slices.Contains(ranks, true)
	several := x.ofSeveral()
	tests := x.tests.Load()
	return corpus.InShares(x.Generation, func(_ index.Share, first, end int) error {
		isTest := x.testIn()
		if tests != nil {
			isTest = tests.Has
		}
		m.Set.EachIn(first, end, func(i int) {
			if !ranked {
				m.Score[i] = 1 // all are as good as can be
			}
			if isTest(i) {
				m.Score[i] *= testWeight
			}
			if several {
				m.Score[i] *= float32(x.treeWeight(i))
			}
		})
		return nil
	})
}

// Decay gives the candidates the best first, and multiplies the score of a file's further hits. What it sorts are scores, which are smaller.
func (x *Ranker) Decay(list []Candidate) []Candidate {
	order := make([]corpus.Scored, len(list)) // with places in list
	for i := range list {
		order[i] = corpus.Scored{Chunk: i, Score: list[i].Score}
	}
	best := func(a, b corpus.Scored) int {
		switch {
		case a.Score > b.Score:
			return -1
		case a.Score < b.Score:
			return 1
		}
		return x.Generation.Compare(list[a.Chunk].Chunk, list[b.Chunk].Chunk)
	}
	slices.SortFunc(order, best)
	var decays [maxDecays + 1]float64
	for n := range decays {
		decays[n] = math.Pow(repeated, float64(n))
	}
	seen := make([]uint8, x.Generation.Files()) // up to maxDecays
	for i := range order {
		s := &order[i]
		n := &seen[x.Generation.File(list[s.Chunk].Chunk)]
		s.Score = corpus.Rounded(s.Score * decays[*n])
		*n = min(*n+1, maxDecays)
	}
	slices.SortFunc(order, best)
	sorted := make([]Candidate, len(list))
	for i, s := range order {
		sorted[i] = list[s.Chunk]
		sorted[i].Score = s.Score
	}
	return sorted
}

// repeated is by what the second hit of one file is multiplied; the third twice, and so on.
const repeated = 0.93

// maxDecays is the hit of a file from which on nothing more is taken away.
const maxDecays = 4
