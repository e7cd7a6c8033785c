package main

import (
	"math"
	"slices"

	"cortex/lib/search/rank"
)

// depth is the number of hits that count.
const depth = 10

// A score is how good an answer is, each figure from 0 to 1. Gains are binary, and each target counts once,
// at the rank of the first hit in it.
type score struct {
	// chunk is NDCG@10 of the hits as returned, file with further hits of a file left out
	// (Järvelin and Kekäläinen 2002).
	chunk, file float64
	// mrr is the reciprocal rank of the first relevant hit.
	mrr float64
	// recall1, recall5 and recall10 are the shares of the targets among the first files.
	recall1, recall5, recall10 float64
	// place1, place5, place50 tell whether one of the definitions that are wanted is among so many first hits, and placeMRR is the
	// reciprocal rank of the first one. They count queries whose targets all have lines.
	place1, place5, place50, placeMRR float64
}

func (s *set) score(q *labelled, hits []rank.Location) score {
	var r score
	r.chunk = s.ndcg(q, hits)
	var files []rank.Location
	seen := map[string]bool{}
	for _, h := range hits {
		if !seen[h.Path] {
			seen[h.Path] = true
			files = append(files, h)
		}
	}
	// A file counts whole when its further hits are left out.
	whole := *q
	whole.Relevant = nil
	for _, t := range q.Relevant {
		t.Start, t.End = 0, 0
		whole.Relevant = append(whole.Relevant, t)
	}
	r.file = s.ndcg(&whole, files)
	ranks := s.ranks(&whole, files)
	for rank := range depth {
		if r.mrr == 0 && ranks[rank] {
			r.mrr = 1 / float64(rank+1)
		}
	}
	share := func(n int) float64 {
		found := 0
		for _, relevant := range ranks[:n] {
			if relevant {
				found++
			}
		}
		return float64(found) / float64(max(len(q.Relevant), 1))
	}
	r.recall1, r.recall5, r.recall10 = share(1), share(5), share(10)
	for rank, h := range hits[:min(50, len(hits))] {
		if !slices.ContainsFunc(q.Relevant, func(t target) bool { return s.isPlace(h, t) }) {
			continue
		}
		r.place50, r.placeMRR = 1, 1/float64(rank+1)
		if rank < 5 {
			r.place5 = 1
		}
		if rank == 0 {
			r.place1 = 1
		}
		break
	}
	return r
}

// isPlace reports whether a hit is the definition, or a part of it: it shares at least half of its lines or of the target's, and has not so many
// that a reader would have to look for the target.
func (s *set) isPlace(h rank.Location, t target) bool {
	if s.inRoot(t.Path) != h.Path || t.Start == 0 {
		return false
	}
	wanted, has := t.End-t.Start+1, h.EndLine-h.StartLine+1
	shared := min(t.End, h.EndLine) - max(t.Start, h.StartLine) + 1
	return 2*shared >= min(wanted, has) && has <= 3*wanted+20
}

// ranks tells which of the first hits is the first one in a target.
func (s *set) ranks(q *labelled, hits []rank.Location) [depth]bool {
	var ranks [depth]bool
	done := make([]bool, len(q.Relevant))
	for i, h := range hits[:min(depth, len(hits))] {
		for j, t := range q.Relevant {
			if !done[j] && s.isIn(h, t) {
				done[j], ranks[i] = true, true
				break
			}
		}
	}
	return ranks
}

func (s *set) isIn(h rank.Location, t target) bool {
	if s.inRoot(t.Path) != h.Path {
		return false
	}
	return t.Start == 0 || h.StartLine <= max(t.End, t.Start) && h.EndLine >= t.Start
}

func (s *set) ndcg(q *labelled, hits []rank.Location) float64 {
	gain, ideal := 0.0, 0.0
	for rank, relevant := range s.ranks(q, hits) {
		if relevant {
			gain += discount(rank)
		}
	}
	for rank := range min(depth, len(q.Relevant)) {
		ideal += discount(rank)
	}
	if ideal == 0 {
		return 0
	}
	return gain / ideal
}

func discount(rank int) float64 { return 1 / math.Log2(float64(rank)+2) }

func (r *score) add(other score) {
	r.chunk += other.chunk
	r.file += other.file
	r.mrr += other.mrr
	r.recall1 += other.recall1
	r.recall5 += other.recall5
	r.recall10 += other.recall10
	r.place1 += other.place1
	r.place5 += other.place5
	r.place50 += other.place50
	r.placeMRR += other.placeMRR
}

func (r score) over(n int) score {
	f := 1 / float64(max(n, 1))
	return score{r.chunk * f, r.file * f, r.mrr * f, r.recall1 * f, r.recall5 * f, r.recall10 * f,
		r.place1 * f, r.place5 * f, r.place50 * f, r.placeMRR * f}
}
