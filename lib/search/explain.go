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
	// Value is from 0 to 1, that of Size from -1; for what is no signal of its own, a factor.
	Value float64 `json:"value"`
	// Gain is what it adds to the score. What the gains leave open is the same for all hits of an answer, since no score is negative.
	Gain float64 `json:"gain"`
}

// reasons lists the signals that are not 0, those that matter most first.
func (w *Weights) reasons(e *evidence) []Reason {
	most := w.most()
	var list []Reason
	for s, value := range e {
		if gain := w[s] * float64(value); gain != 0 {
			list = append(list, Reason{Signal(s).String(), hundredths(float64(value)), hundredths(gain / most)})
		}
	}
	slices.SortStableFunc(list, func(a, b Reason) int { return cmp.Compare(math.Abs(b.Gain), math.Abs(a.Gain)) })
	return list
}

// What explains a score beside signals.
const (
	// reasonRanks are the places in both lists, in mode Fusion.
	reasonRanks = "ranks"
	// reasonRepeated is what a further hit of a file loses, or one in another tree than the store's own, and reasonMerged what sections
	// that are one hit gain.
	reasonRepeated = "repeated"
	reasonMerged   = "merged"
)

// reasons tells how the result came to its score, which was base before it was compared with other results.
func (r *result) reasons(base float64) []Reason {
	var list []Reason
	switch {
	case r.weights != nil:
		list = r.weights.reasons(&r.evidence)
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

// Evidence is one candidate for the answer to a question, as scripts/relevance needs it to try other
// weights.
type Evidence struct {
	ID, Path           string
	StartLine, EndLine int

	candidate candidate
	file      uint32
}

// Evidence returns all candidates for the question, in no order.
func (x *Index) Evidence(ctx context.Context, question string, mode Mode) ([]Evidence, error) {
	a, err := x.answer(ctx, question, Request{Mode: mode}, nil)
	if err != nil {
		return nil, err
	}
	list := make([]Evidence, len(a.list))
	for i, c := range a.list {
		start, end := x.cat.Lines(c.chunk)
		list[i] = Evidence{x.cat.ID(c.chunk), x.cat.FilePath(c.chunk), start, end, c, x.facets.files().of[c.chunk]}
	}
	return list, nil
}

// Order sorts the candidates as Search would with these weights.
func (w *Weights) Order(list []Evidence) {
	candidates := make([]candidate, len(list))
	at := make(map[int]Evidence, len(list))
	for i, e := range list {
		candidates[i] = e.candidate
		at[e.candidate.chunk] = e
	}
	w.weigh(candidates)
	for i, c := range decay(candidates, func(chunk int) uint32 { return at[chunk].file }) {
		list[i] = at[c.chunk]
	}
}

func hundredths(v float64) float64 { return math.Round(v*100) / 100 }
