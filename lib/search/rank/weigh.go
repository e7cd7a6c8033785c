package rank

import (
	"math"
	"slices"

	"cortex/lib/record"
	"cortex/lib/search/corpus"
	"cortex/lib/search/index"
)

// FavourLocal lowers the scores of candidates in other trees than the store's own, and keeps the scores before in base.
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

func (x *Ranker) treeWeight(chunk int) float64 {
	if x.Generation.Tree(chunk) == "" {
		return min(x.merging.LocalBoost, 1)
	}
	return 1 / max(x.merging.LocalBoost, 1)
}

// testWeight is the factor for a match of exact search in test code or a fixture. The frequency of a word changes the
// score of a chunk of ordinary length by a factor of 0.83 at the least, so equal uses come first in code. A
// declaration, or a whole word compared with a part of a word, makes a greater difference and stays in front.
const testWeight = 0.8

// WeighPlaces lowers the scores of exact matches in tests, fixtures and translations, and of those in other trees than
// the store's own. If no match has a score, each gets the score 1 first; otherwise few texts stay before uses in code.
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
	err = corpus.InShares(x.Generation, func(_ index.Share, first, end int) error {
		isTest := x.testIn()
		if tests != nil {
			isTest = tests.Has
		}
		m.Set.EachIn(first, end, func(i int) {
			if !ranked {
				m.Score[i] = 1 // all match equally well
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
	if ranked && err == nil {
		x.favourUse(m)
	}
	return err
}

const (
	// firstTexts is the number of texts that may come before the best use in code: every page about a setting declares
	// it, and every file of settings, and the code that reads it stands behind all of them.
	firstTexts = 2
	// leastUse is the least score of that use as a share of the best text's. A match with a part of a word has less.
	leastUse = 0.1
)

// favourUse lowers the scores of all texts but the best ones below that of the best match in code other than tests.
func (x *Ranker) favourUse(m *corpus.Matches) {
	var texts []corpus.Scored // best first, one more than may come first
	use := 0.0
	m.Set.Each(func(i int) {
		score := float64(m.Score[i])
		if !x.isText(i) {
			if score > use && !corpus.IsTest(x.Generation, i) {
				use = score
			}
			return
		}
		one := corpus.Scored{Chunk: i, Score: score}
		at, _ := slices.BinarySearchFunc(texts, one, func(a, b corpus.Scored) int { return corpus.ByScore(x.Generation, a, b) })
		if at <= firstTexts {
			texts = slices.Insert(texts, at, one)
			texts = texts[:min(len(texts), firstTexts+1)]
		}
	})
	if len(texts) <= firstTexts || texts[firstTexts].Score <= use || use < leastUse*texts[0].Score {
		return
	}
	const behind = 0.999
	factor := float32(behind * use / texts[firstTexts].Score)
	m.Set.Each(func(i int) {
		if x.isText(i) && i != texts[0].Chunk && i != texts[1].Chunk {
			m.Score[i] *= factor
		}
	})
}

// isText reports whether the chunk is of a document or of a file of settings.
func (x *Ranker) isText(chunk int) bool {
	if x.Generation.ChunkType(chunk) == record.Documentation {
		return true
	}
	switch x.Generation.Language(chunk) {
	case "config", "dotenv", "ini", "json", "properties", "toml", "yaml":
		return true
	}
	return false
}

// Decay lowers the scores of further hits of a file, and returns the candidates in descending order.
func (x *Ranker) Decay(list []Candidate) []Candidate {
	order := make([]corpus.Scored, len(list)) // Chunk is an index in list: a Scored is smaller to sort than a Candidate
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

// repeated is the factor for the second hit of a file. It is squared for the third hit, and so on.
const repeated = 0.93

// maxDecays is the greatest power of repeated.
const maxDecays = 4
