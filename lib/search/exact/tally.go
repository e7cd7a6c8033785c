package exact

import (
	"cortex/lib/search/corpus"
)

// tally counts how often and how closely chunks have a word.
type tally struct {
	set corpus.Set
	// weight is the sum of occurrences, each by its closeness and the length of its field.
	weight []float32
	// whole is the closeness of the closest whole word.
	whole []float32
	// cased are the chunks that have the word in the case in which it was asked for.
	cased corpus.Set
}

func (x *Searcher) newTally() *tally {
	if t, ok := x.tallies.Get().(*tally); ok {
		return t
	}
	n := x.Generation.Len()
	return &tally{set: corpus.NewSet(n), weight: make([]float32, n), whole: make([]float32, n), cased: corpus.NewSet(n)}
}

// release takes the tally back, clean.
func (x *Searcher) release(t *tally) {
	if t.set.Count() < len(t.weight)/8 {
		t.set.Each(func(i int) { t.weight[i], t.whole[i] = 0, 0 })
	} else {
		clear(t.weight)
		clear(t.whole)
	}
	clear(t.set)
	clear(t.cased)
	x.tallies.Put(t)
}

func (t *tally) add(chunk int, v variant, times float32, length float64) {
	weight := times * v.closeness / float32(1-corpus.BM25B+corpus.BM25B*length)
	switch v.Dict.Kind {
	case corpus.PartTerms:
		weight *= partWeight
	case corpus.StemTerms:
		weight *= stemWeight
	default:
		t.whole[chunk] = max(t.whole[chunk], v.closeness)
	}
	t.set.Add(chunk)
	t.weight[chunk] += weight
}

// matches turns the tally into scores. All variants together count as one term.
func (t *tally) matches(x *Searcher) *corpus.Matches {
	m := x.NewMatches()
	m.Whole = corpus.NewSet(x.Generation.Len())
	copy(m.Set, t.set)
	rarity := float32(corpus.IDF(x.Generation.Len(), t.set.Count()))
	t.set.Each(func(i int) {
		w := t.weight[i]
		if t.whole[i] > 0 {
			m.Whole.Add(i)
		}
		score := wholeShare*t.whole[i] + (1-wholeShare-caseShare)*w/(w+corpus.BM25K1)
		if t.cased.Has(i) {
			score += caseShare
		}
		m.Score[i] = rarity * score
	})
	return m
}

// partWeight is what a part of an identifier counts beside a whole word.
const partWeight = 0.4

// stemWeight is what another form of a word counts in prose.
const stemWeight = 0.3

// wholeShare is the share of a term's score that a chunk has for holding it as a whole
// word, however often, and caseShare what it has for holding it in the case in which it was asked for. Each is
// no less than the share of the number of occurrences, so that the closer match always comes first.
const wholeShare, caseShare = 0.36, 0.34
