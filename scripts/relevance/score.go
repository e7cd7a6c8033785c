package main

import (
	"math"
	"slices"
	"strings"

	"cortex/lib/search/rank"
)

// depth is the number of hits that count.
const depth = 10

// A score is the quality of an answer; each figure is from 0 to 1. Gains are binary. Each target counts once, at the
// rank of its first hit.
type score struct {
	// chunk is the NDCG@10 of the hits as returned, file that of the hits without repeated files (Järvelin and
	// Kekäläinen 2002).
	chunk, file float64
	// mrr is the reciprocal rank of the first relevant hit.
	mrr float64
	// file1, file5 and file10 are 1 if a right file is among the first 1, 5 or 10 files.
	file1, file5, file10 float64
	// place1, place5 and place50 are 1 if a right definition is among the first 1, 5 or 50 hits. placeMRR is the
	// reciprocal rank of the first one. Targets without lines do not count.
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
	// Without repeated files, a whole file counts as the target.
	whole := *q
	whole.Relevant = nil
	for _, t := range q.Relevant {
		t.Start, t.End = 0, 0
		whole.Relevant = append(whole.Relevant, t)
	}
	r.file = s.ndcg(&whole, files)
	right := s.ranks(&whole, files)
	if rank := slices.Index(right[:], true); rank >= 0 {
		r.mrr, r.file1, r.file5, r.file10 = 1/float64(rank+1), within(rank, 1), within(rank, 5), 1
	}
	isWanted := func(h rank.Location) bool {
		return slices.ContainsFunc(q.Relevant, func(t target) bool { return s.isPlace(h, t) })
	}
	if rank := slices.IndexFunc(hits[:min(50, len(hits))], isWanted); rank >= 0 {
		r.placeMRR, r.place1, r.place5, r.place50 = 1/float64(rank+1), within(rank, 1), within(rank, 5), 1
	}
	return r
}

// within returns 1 if rank, which counts from 0, is less than n, otherwise 0.
func within(rank, n int) float64 {
	if rank < n {
		return 1
	}
	return 0
}

// isPlace reports whether a hit is the target's definition or a part of it: they share at least half of the lines of
// the hit or of the target, and the hit is not so long that a reader would have to search it. A type, which is shown
// from its head on, may be long: it has to begin at the target, or with the comment above it.
func (s *set) isPlace(h rank.Location, t target) bool {
	if s.inRoot(t.Path) != h.Path || t.Start == 0 {
		return false
	}
	if isType := strings.HasPrefix(h.ID, "code-definitions-") && strings.Contains(h.ID, "#"); isType && h.StartLine <= t.Start && t.Start <= h.StartLine+longComment {
		return true
	}
	wanted, has := t.End-t.Start+1, h.EndLine-h.StartLine+1
	shared := min(t.End, h.EndLine) - max(t.Start, h.StartLine) + 1
	return 2*shared >= min(wanted, has) && has <= 3*wanted+20
}

// longComment is the number of lines of a comment up to which a type begins at the line that declares it.
const longComment = 15

// ranks reports for each of the first hits whether it is the first hit in a target.
func (s *set) ranks(q *labelled, hits []rank.Location) [depth]bool {
	var ranks [depth]bool
	copy(ranks[:], q.firsts(hits[:min(depth, len(hits))], s.isIn))
	return ranks
}

// firsts reports for each hit whether it is the first hit in a target.
func (q *labelled) firsts(hits []rank.Location, in func(rank.Location, target) bool) []bool {
	first, done := make([]bool, len(hits)), make([]bool, len(q.Relevant))
	for i, h := range hits {
		for j, t := range q.Relevant {
			if !done[j] && in(h, t) {
				done[j], first[i] = true, true
				break
			}
		}
	}
	return first
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
	r.file1 += other.file1
	r.file5 += other.file5
	r.file10 += other.file10
	r.place1 += other.place1
	r.place5 += other.place5
	r.place50 += other.place50
	r.placeMRR += other.placeMRR
}

func (r score) over(n int) score {
	f := 1 / float64(max(n, 1))
	return score{r.chunk * f, r.file * f, r.mrr * f, r.file1 * f, r.file5 * f, r.file10 * f,
		r.place1 * f, r.place5 * f, r.place50 * f, r.placeMRR * f}
}
