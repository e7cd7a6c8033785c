package rank

import (
	"cortex/lib/search/answer"
)

// Reasons for a score other than signals.
const (
	// reasonRanks is the gain from being in both lists, in the mode Fusion.
	reasonRanks = "ranks"
	// reasonRepeated is what a further hit of a file loses, or a hit outside the store's own tree.
	reasonRepeated = "repeated"
	// reasonBehind is what a place loses because its file has a better one.
	reasonBehind = "behind"
	// reasonMerged is what a hit gains that replaces several sections.
	reasonMerged = "merged"
)

// Reasons explains the score of the result. base is its score before it was compared with other results.
func (r *Result) Reasons(base float64) []answer.Reason {
	var list []answer.Reason
	switch {
	case r.weights != nil:
		list = r.weights.reasons(r.evidence)
		if loss := hundredths(-r.loss); loss != 0 {
			list = append(list, answer.Reason{Signal: reasonBehind, Value: hundredths(base / max(base+r.loss, leastStep)), Gain: loss})
		}
	case r.Match == answer.MatchSemantic:
		list = []answer.Reason{{Signal: Meaning.String(), Value: hundredths(base), Gain: hundredths(base)}}
	case r.Match == answer.MatchBoth:
		list = []answer.Reason{{Signal: reasonRanks, Value: hundredths(base), Gain: hundredths(base)}}
	default:
		list = []answer.Reason{{Signal: Words.String(), Value: hundredths(base), Gain: hundredths(base)}}
	}
	change := answer.Reason{Signal: reasonRepeated, Gain: hundredths(r.Score - base)}
	if change.Gain > 0 {
		change.Signal = reasonMerged
	}
	if change.Gain != 0 {
		change.Value = hundredths(r.Score / max(base, leastStep))
		list = append(list, change)
	}
	return list
}
