package rank

import (
	"cmp"
	"slices"

	"cortex/lib/search/answer"
	"cortex/lib/search/corpus"
)

// A Result is a candidate, possibly joined from several, that will be shown as a hit.
type Result struct {
	Candidate
	// Parts are the chunks that the result shows, in the order of their lines; nil if it shows Chunk alone.
	Parts []int
	// Base is the score before FavourLocal and Decay; for a merged result, that of its best section.
	Base float64
	// Chance is the probability that the result answers the question, or the score if the probability is not known.
	Chance float64
	// Twins are places in other files that say nearly the same, ordered by path and line.
	Twins []answer.Twin
}

func (r *Result) chunks() []int {
	if r.Parts == nil {
		return []int{r.Chunk}
	}
	return r.Parts
}

func (x *Ranker) bestFirst(a, b Result) int { return corpus.ByScore(x.Generation, a.Scored, b.Scored) }

func (x *Ranker) sortByLines(chunks []int) {
	slices.SortFunc(chunks, func(a, b int) int {
		from, _ := x.Generation.Lines(a)
		other, _ := x.Generation.Lines(b)
		return cmp.Or(cmp.Compare(from, other), x.Generation.Compare(a, b))
	})
}

// leastStep is the smallest difference between two scores.
const leastStep = 1e-4
