package exact

import (
	"cortex/lib/search/corpus"
	"cortex/lib/search/index"
)

// tally counts how often and how closely chunks have a word.
type tally struct {
	// counts are those of the shares.
	counts []count
	// weight is the sum of occurrences, each by its closeness and the length of its field.
	weight []float32
	// whole is the closeness of the closest whole word.
	whole []float32
}

// A count is a tally of a share of the chunks.
type count struct {
	*tally
	set corpus.Set
	// cased are the chunks that have the word in the case in which it was asked for.
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

// release takes the tally back, clean.
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

// matches turns the tally into scores. All variants together count as one term.
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

// partWeight is what a part of an identifier counts beside a whole word.
const partWeight = 0.4

// stemWeight is what another form of a word counts in prose.
const stemWeight = 0.3

// wholeShare is the share of a term's score that a chunk has for holding it as a whole
// word, however often, and caseShare what it has for holding it in the case in which it was asked for. Each is
// no less than the share of the number of occurrences, so that the closer match always comes first.
const wholeShare, caseShare = 0.36, 0.34
