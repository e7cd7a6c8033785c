package search

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// A Reason is what one signal gave a hit.
type Reason struct {
	Signal string `json:"signal"`
	// Value is from 0 to 1, those of Size and Prose from -1; for what is no signal of its own, a factor.
	Value float64 `json:"value"`
	// Gain is what it adds to the score. What the gains leave open is the same for all hits of an answer, since no score is negative.
	Gain float64 `json:"gain"`
}

// reasons lists the signals that are not 0, those that matter most first.
func (w *Weights) reasons(e *evidence) []Reason {
	span := w.span()
	var list []Reason
	for s, value := range e {
		if gain := w[s] * float64(value); gain != 0 {
			list = append(list, Reason{Signal(s).String(), hundredths(float64(value)), hundredths(gain / span)})
		}
	}
	slices.SortStableFunc(list, func(a, b Reason) int { return cmp.Compare(math.Abs(b.Gain), math.Abs(a.Gain)) })
	return list
}

// What explains a score beside signals.
const (
	// reasonRanks are the list in both lists, in mode Fusion.
	reasonRanks = "ranks"
	// reasonRepeated is what a further hit of a file loses, or one in another tree than the store's own, and reasonMerged what sections
	// that are one hit gain.
	reasonRepeated = "repeated"
	// reasonBehind is what a place loses because its file has a better one.
	reasonBehind = "behind"
	reasonMerged = "merged"
)

// reasons tells how the result came to its score, which was base before it was compared with other results.
func (r *result) reasons(base float64) []Reason {
	var list []Reason
	switch {
	case r.weights != nil:
		list = r.weights.reasons(&r.evidence)
		if behind := hundredths(-r.behind); behind != 0 {
			list = append(list, Reason{reasonBehind, hundredths(base / max(base+r.behind, leastStep)), behind})
		}
	case r.match == MatchSemantic:
		list = []Reason{{Meaning.String(), hundredths(base), hundredths(base)}}
	case r.match == MatchBoth:
		list = []Reason{{reasonRanks, hundredths(base), hundredths(base)}}
	default:
		list = []Reason{{Words.String(), hundredths(base), hundredths(base)}}
	}
	change := Reason{Signal: reasonRepeated, Gain: hundredths(r.score - base)}
	if change.Gain > 0 {
		change.Signal = reasonMerged
	}
	if change.Gain != 0 {
		change.Value = hundredths(r.score / max(base, leastStep))
		list = append(list, change)
	}
	return list
}

// Candidates are all chunks that may answer a question, with their evidence, so that scripts/relevance can try
// other weights without asking again.
type Candidates struct {
	x     *Index
	list  []candidate
	words int // of substance, in the question
	// order is kept from one call of Best to the next.
	order []candidate
}

// Candidates gathers those of the question.
func (x *Index) Candidates(ctx context.Context, question string, mode Mode) (*Candidates, error) {
	a, err := x.answer(ctx, question, Request{Mode: mode}, nil)
	if err != nil {
		return nil, err
	}
	return &Candidates{x: x, list: a.list, words: wordsOfSubstance(question)}, nil
}

// Best lists the k best chunks, as Search would rank them by these weights before it merges any.
func (c *Candidates) Best(weights *Weights, k int) []Location {
	weights = weights.forText(c.words)
	c.order = append(c.order[:0], c.list...)
	weights.weigh(c.order, c.x.cat.File)
	c.order = c.x.decay(c.order)
	var list []Location
	for _, hit := range c.order[:min(k, len(c.order))] {
		start, end := c.x.cat.Lines(hit.chunk)
		list = append(list, Location{c.x.cat.ID(hit.chunk), c.x.cat.FilePath(hit.chunk), start, end})
	}
	return list
}

// A Location is where a chunk is.
type Location struct {
	ID, Path           string
	StartLine, EndLine int
}

func hundredths(v float64) float64 { return math.Round(v*100) / 100 }
