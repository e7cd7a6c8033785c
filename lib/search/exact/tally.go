package exact

import (
	"cortex/lib/search/corpus"
	"cortex/lib/search/index"
)

// tally counts how often and how closely chunks match a word.
type tally struct {
	// counts has a count for each share.
	counts []count
	// weight has for each chunk the sum of its occurrences, each weighted by closeness and by the length of its field.
	weight []float32
	// whole has for each chunk the greatest closeness of a whole word.
	whole []float32
}

// A count is a tally for one share of the chunks.
type count struct {
	*tally
	set corpus.Set
	// cased has the chunks with the word in the case of the query.
	cased corpus.Set
}

func (x *Searcher) newTally() *tally {
	if t, ok := x.tallies.Get().(*tally); ok {
		return t
	}
	n := x.Generation.Len()
	t := &tally{weight: make([]float32, n), whole: make([]float32, n)}
	for range x.Generation.Shares() {
		t.counts = append(t.counts, count{t, corpus.NewSet(n), corpus.NewSet(n)})
	}
	return t
}

// release clears the tally and returns it to the pool.
func (x *Searcher) release(t *tally) {
	counted := 0
	for _, c := range t.counts {
		counted += c.set.Count()
	}
	few := counted < len(t.weight)/8
	if !few {
		clear(t.weight)
		clear(t.whole)
	}
	for _, c := range t.counts {
		if few {
			c.set.Each(func(i int) { t.weight[i], t.whole[i] = 0, 0 })
		}
		clear(c.set)
		clear(c.cased)
	}
	x.tallies.Put(t)
}

func (c *count) add(chunk int, v variant, times float32, length float64) {
	weight := times * v.closeness / float32(1-corpus.BM25B+corpus.BM25B*length)
	switch v.Dict.Kind {
	case corpus.PartTerms:
		weight *= partWeight
	case corpus.StemTerms:
		weight *= stemWeight
	default:
		c.whole[chunk] = max(c.whole[chunk], v.closeness)
	}
	c.set.Add(chunk)
	c.weight[chunk] += weight
}

// matches returns the tally as scores. All variants together count as one term.
func (t *tally) matches(x *Searcher) (*corpus.Matches, error) {
	m := x.newMatches()
	m.Whole = corpus.NewSet(x.Generation.Len())
	for _, c := range t.counts {
		m.Set.Union(c.set)
	}
	rarity := float32(corpus.IDF(x.Generation.Len(), m.Set.Count()))
	wholes := make([]corpus.Set, len(t.counts))
	err := corpus.InShares(x.Generation, func(share index.Share, _, _ int) error {
		c, whole := &t.counts[share.Number], corpus.NewSet(x.Generation.Len())
		c.set.Each(func(i int) {
			w := t.weight[i]
			if t.whole[i] > 0 {
				whole.Add(i)
			}
			score := wholeShare*t.whole[i] + (1-wholeShare-caseShare)*w/(w+corpus.BM25K1)
			if c.cased.Has(i) {
				score += caseShare
			}
			m.Score[i] = rarity * score
		})
		wholes[share.Number] = whole
		return nil
	})
	for _, whole := range wholes {
		m.Whole.Union(whole)
	}
	return m, err
}

// partWeight is the weight of a part of an identifier, relative to a whole word.
const partWeight = 0.4

// stemWeight is the weight of another form of a word in prose.
const stemWeight = 0.3

// wholeShare is the share of a term's score for the term as a whole word, caseShare the share for the case of the
// query. The rest is for the number of occurrences. Neither share is less than the rest, so the closer match always
// comes first.
const wholeShare, caseShare = 0.36, 0.34
