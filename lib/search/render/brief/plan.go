package brief

import (
	"cmp"
	"slices"

	"cortex/lib/search/answer"
)

// Results of one file are shown together. A plan says in which order they get their part of the budget.

// together moves results of one file next to the first of them.
func together(hits []answer.Hit) []answer.Hit {
	first := make(map[string]int, len(hits))
	order := make([]int, len(hits))
	for i := range hits {
		order[i] = i
		if path := hits[i].Chunk.Metadata.FilePath; first[path] == 0 {
			first[path] = i + 1
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(first[hits[a].Chunk.Metadata.FilePath], first[hits[b].Chunk.Metadata.FilePath])
	})
	if slices.IsSorted(order) {
		return hits
	}
	sorted := make([]answer.Hit, len(hits))
	for i, from := range order {
		sorted[i] = hits[from]
	}
	return sorted
}

// A plan is the order in which the budget is spent on hits. first marks the hits that Best reports; position is each
// hit's position in the order.
type plan struct {
	first    []bool
	position []int
	// rank is the index of each hit in the order of scores.
	rank []int
}

// planOf returns the plan for hits that together has ordered. The best places of files come in the order of their
// files, the bestHits by their rank, and further places furtherPlaces later than their rank.
func planOf(hits []answer.Hit) plan {
	p := plan{make([]bool, len(hits)), make([]int, len(hits)), make([]int, len(hits))}
	ranked := make([]int, len(hits)) // hits by score
	for i := range ranked {
		ranked[i] = i
	}
	slices.SortStableFunc(ranked, func(a, b int) int { return cmp.Compare(hits[b].Score, hits[a].Score) })
	files, last := 0, ""
	for i := range hits {
		if path := hits[i].Chunk.Metadata.FilePath; i == 0 || path != last {
			p.first[i], p.position[i], last = true, files, path
			files++
		}
	}
	for r, i := range ranked {
		p.rank[i] = r
		if p.first[i] {
			continue
		}
		p.position[i] = r
		if r >= bestHits {
			p.position[i] += furtherPlaces
		}
		p.first[i] = r < bestHits
	}
	return p
}

// Best reports for each hit whether it is the best of its file or among the bestHits. A text for which Further is false
// shows no others.
func Best(hits []answer.Hit) []bool { return planOf(hits).first }

const (
	// bestHits is the number of hits that are shown early even if they are not the best of their files.
	bestHits = 5
	// furtherPlaces is the number of positions by which further places of a file are moved back.
	furtherPlaces = 4
)
