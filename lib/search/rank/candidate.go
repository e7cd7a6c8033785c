package rank

import (
	"math"

	"cortex/lib/search/answer"
	"cortex/lib/search/corpus"
)

// Candidate is a chunk on its way to becoming a hit.
type Candidate struct {
	corpus.Scored
	Match answer.Match
	// evidence is shared by copies of the candidate; nil in the modes Fusion and Semantic, which weigh no signals.
	evidence *evidence
	// outline is set for the outline of a file. The signal Outline alone uses it as evidence for the file.
	outline bool
	// base is the score before FavourLocal and Decay.
	base float64
	// loss is how much of the score is lost because the file has a better place.
	loss float64
	// weights are the weights by which the evidence was weighed; nil if it was not weighed.
	weights *Weights
}

// weigh sets the scores: the weighted sum of the signals over the range of possible sums. A negative sum would grow by
// Decay, so the sums are raised until the lowest is 0. file returns the file of a chunk.
func (w *Weights) weigh(list []Candidate, file func(chunk int) uint32) {
	// all is a sum of place signals, asFirst the same with listingInFile subtracted for listings.
	type placeSum struct{ all, asFirst float64 }
	best := map[uint32]placeSum{} // the greatest sums of each file
	own := make([]placeSum, len(list))
	for i := range list {
		e := list[i].evidence
		sum := w.ofPlace(e)
		own[i] = placeSum{sum, sum - listingInFile*float64(e[Listing])}
		if list[i].outline {
			continue
		}
		f := file(list[i].Chunk)
		b, ok := best[f]
		if !ok {
			b = placeSum{math.Inf(-1), math.Inf(-1)}
		}
		best[f] = placeSum{max(b.all, own[i].all), max(b.asFirst, own[i].asFirst)}
	}
	least, span := 0.0, w.span()
	for i := range list {
		c := &list[i]
		b, ok := best[file(c.Chunk)]
		if !ok {
			b = own[i]
		}
		// The first place of a file gets the file's best sum, the others that much less as they are behind the first.
		sum := w.sum(c.evidence)
		c.Score = sum - own[i].all + b.all - (1+behindBest)*(b.asFirst-own[i].asFirst)
		c.loss = sum - c.Score
		least = min(least, c.Score)
	}
	for i := range list {
		list[i].Score = (list[i].Score - least) / span
		list[i].loss /= span
		list[i].weights = w
	}
}

// fuse joins two rankings by reciprocal ranks, as shares of the greatest sum. A ranking alone keeps its scores.
func fuse(byWords, byMeaning []corpus.Scored) []Candidate {
	const most = 2.0 / (rrfK + 1)
	alone := len(byWords) == 0 || len(byMeaning) == 0
	list := make([]Candidate, 0, len(byWords)+len(byMeaning))
	at := map[int]int{} // index in list by chunk
	add := func(ranked []corpus.Scored, match answer.Match) {
		for rank, s := range ranked {
			if !alone {
				s.Score = 1 / float64(rrfK+rank+1) / most
			}
			if i, ok := at[s.Chunk]; ok {
				list[i].Score += s.Score
				list[i].Match = answer.MatchBoth
				continue
			}
			at[s.Chunk] = len(list)
			list = append(list, Candidate{Scored: s, Match: match})
		}
	}
	add(byWords, answer.MatchKeyword)
	add(byMeaning, answer.MatchSemantic)
	return list
}

// rrfK is the constant of reciprocal rank fusion (Cormack, Clarke and Büttcher 2009).
const rrfK = 60
