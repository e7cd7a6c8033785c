package rank

import (
	"cortex/lib/search/answer"
)

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

// Reasons tells how the result came to its score, which was base before it was compared with other results.
func (r *Result) Reasons(base float64) []answer.Reason {
	var list []answer.Reason
	switch {
	case r.weights != nil:
		list = r.weights.reasons(r.evidence)
		if behind := hundredths(-r.behind); behind != 0 {
			list = append(list, answer.Reason{Signal: reasonBehind, Value: hundredths(base / max(base+r.behind, leastStep)), Gain: behind})
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
