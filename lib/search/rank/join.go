package rank

import (
	"cmp"
	"slices"

	"cortex/lib/record"
	"cortex/lib/search/answer"
	"cortex/lib/search/corpus"
)

// Union are the candidates of two topics, each chunk once. It writes into a.
func Union(a, b []Candidate) []Candidate {
	if len(a) == 0 {
		return b
	}
	at := make(map[int]int, len(a))
	for i := range a {
		at[a[i].Chunk] = i
	}
	for _, c := range b {
		i, ok := at[c.Chunk]
		if !ok {
			a = append(a, c)
			continue
		}
		if a[i].Match != c.Match {
			a[i].Match = answer.MatchBoth
		}
		a[i].Score = max(a[i].Score, c.Score)
	}
	return a
}

// joinParts makes one result of those among the first that are parts of one definition. The best of them stands for all.
func (x *Ranker) joinParts(results []Result) []Result {
	first := map[string]int{} // places in kept, by the identifier of the definition
	window := min(len(results), joinWindow)
	kept := results[:0]
	for _, r := range results[:window] {
		if r.Parts != nil || x.Generation.ChunkType(r.Chunk) != record.Implementations || !x.declares(r.Chunk) {
			kept = append(kept, r)
			continue
		}
		definition := corpus.WithoutPart(x.Generation.ID(r.Chunk))
		at, ok := first[definition]
		if !ok {
			first[definition] = len(kept)
			kept = append(kept, r)
			continue
		}
		kept[at].Parts = unite(kept[at].chunks(), []int{r.Chunk})
		x.sortByLines(kept[at].Parts)
		if kept[at].Match != r.Match {
			kept[at].Match = answer.MatchBoth
		}
	}
	return append(kept, results[window:]...)
}

// declares reports whether the chunk declares anything.
func (x *Ranker) declares(chunk int) bool {
	for range x.Generation.Symbols(chunk) {
		return true
	}
	return false
}

// joinNeighbours joins those of the first results that are pieces of one file next to each other, or over each other. The best of
// them stands for all.
func (x *Ranker) joinNeighbours(results []Result) []Result {
	window := results[:min(len(results), joinWindow)]
	type lineRange struct {
		at         int // in window
		file       uint32
		start, end int
	}
	var pieces []lineRange
	for i, r := range window {
		if t := x.Generation.ChunkType(r.Chunk); t != record.Implementations && t != record.Documentation || r.Parts != nil {
			continue
		}
		if start, end := x.Generation.Lines(r.Chunk); start > 0 && !x.IsDerived(r.Chunk) {
			pieces = append(pieces, lineRange{i, x.Generation.File(r.Chunk), start, end})
		}
	}
	slices.SortFunc(pieces, func(a, b lineRange) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end), cmp.Compare(a.at, b.at))
	})
	gone := map[int]bool{}
	for i := 0; i < len(pieces); {
		first, end, j := pieces[i], pieces[i].end, i+1
		for ; j < len(pieces) && pieces[j].file == first.file && pieces[j].start <= end+maxJoinGap+1 &&
			max(end, pieces[j].end)-first.start < maxJoinedLines; j++ {
			end = max(end, pieces[j].end)
		}
		if j-i > 1 {
			best := first.at
			var parts []int
			for _, p := range pieces[i:j] {
				best = min(best, p.at)
				parts = append(parts, window[p.at].Chunk)
			}
			for _, p := range pieces[i:j] {
				if p.at != best {
					gone[p.at] = true
					if window[p.at].Match != window[best].Match {
						window[best].Match = answer.MatchBoth
					}
				}
			}
			window[best].Parts = parts
		}
		i = j
	}
	kept := results[:0]
	for i, r := range results {
		if !gone[i] {
			kept = append(kept, r)
		}
	}
	return kept
}

// maxJoinedLines is the greatest length of a hit that was joined from several.
const maxJoinedLines = 200

// maxJoinGap is the number of lines that may be between two hits that are joined.
const maxJoinGap = 2
