package rank

import (
	"cmp"
	"slices"

	"cortex/lib/search/answer"
	"cortex/lib/search/corpus"
)

// A Result is a candidate that will be a hit.
type Result struct {
	Candidate
	// Parts are the chunks that it shows, in the order of their lines; nil for a result that is just its chunk.
	Parts []int
	// Base is the score before it was compared with others; of a merged one that of its best section.
	Base float64
	// Chance is how likely it is to be the place that answers, as far as that is known; else the score.
	Chance float64
	// Twins are places in other files that say nearly the same, in the order of these.
	Twins []answer.Twin
}

func (r *Result) chunks() []int {
	if r.Parts == nil {
		return []int{r.Chunk}
	}
	return r.Parts
}

func (x *Ranker) bestFirst(a, b Result) int { return corpus.ByScore(x.Generation, a.Scored, b.Scored) }

func unite(a, b []int) []int {
	for _, chunk := range b {
		if !slices.Contains(a, chunk) {
			a = append(slices.Clip(a), chunk)
		}
	}
	return a
}

func (x *Ranker) sortByLines(chunks []int) {
	slices.SortFunc(chunks, func(a, b int) int {
		from, _ := x.Generation.Lines(a)
		other, _ := x.Generation.Lines(b)
		return cmp.Or(cmp.Compare(from, other), x.Generation.Compare(a, b))
	})
}

// leastStep is the smallest difference between two scores.
const leastStep = 1e-4

const mergeWindow = answer.DefaultLimit

const joinWindow = answer.MaxLimit
