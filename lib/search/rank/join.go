package rank

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"cortex/lib/notation"
	"cortex/lib/record"
	"cortex/lib/search/answer"
	"cortex/lib/search/corpus"
)

// Union returns the candidates of two topics, each chunk once, with the higher of its scores. It overwrites a.
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
		match := united(a[i].Match, c.Match)
		if c.Score > a[i].Score {
			a[i] = c
		}
		a[i].Match = match
	}
	return a
}

// united returns the match of what is joined from two candidates.
func united(a, b answer.Match) answer.Match {
	if a != b {
		return answer.MatchBoth
	}
	return a
}

// joinParts makes one result of all parts of a definition if any part was found. Of a definition of more than
// maxDefinition lines it joins only the found parts that touch each other.
func (x *Ranker) joinParts(results []Result) []Result {
	window := results[:min(len(results), joinWindow)]
	at := map[int]int{} // from a definition's first part to its index in window
	gone := map[int]bool{}
	for i := range window {
		parts := x.definition(window[i].Chunk)
		if len(parts) < 2 {
			continue
		}
		best, ok := at[parts[0]]
		if !ok {
			at[parts[0]] = i
			window[i].Parts = parts
			continue
		}
		gone[i] = true
		window[best].Match = united(window[best].Match, window[i].Match)
	}
	return x.join(without(results, gone), math.MaxInt, func(chunk int) (definition string, ok bool) {
		if !x.isPartial(chunk) {
			return "", false
		}
		return notation.WithoutPart(x.Generation.ID(chunk)), true
	})
}

// isPartial reports whether the chunk may be a part of a definition: of a function or, if it is named after a
// declaration, of a type or value.
func (x *Ranker) isPartial(chunk int) bool {
	switch x.Generation.ChunkType(chunk) {
	case record.Implementations:
		_, declares := firstSymbol(x.Generation, chunk)
		return declares
	case record.Definitions, record.Data:
		return strings.Contains(x.Generation.ID(chunk), "#")
	}
	return false
}

// definition returns all parts of the definition that the chunk belongs to, in the order of their lines. It returns nil
// if there is one part only or if the definition has more than maxDefinition lines. Declarations that share an
// identifier, such as overloads, are not joined: other lines are between them.
func (x *Ranker) definition(chunk int) []int {
	if !x.isPartial(chunk) {
		return nil
	}
	parts := corpus.PartsOf(x.Generation, chunk)
	if len(parts) < 2 {
		return nil
	}
	x.sortByLines(parts)
	from := slices.Index(parts, chunk)
	to := from
	touches := func(a, b int) bool {
		_, end := x.Generation.Lines(parts[a])
		start, _ := x.Generation.Lines(parts[b])
		return start <= end+maxJoinGap+1
	}
	for from > 0 && touches(from-1, from) {
		from--
	}
	for to+1 < len(parts) && touches(to, to+1) {
		to++
	}
	start, _ := x.Generation.Lines(parts[from])
	if _, end := x.Generation.Lines(parts[to]); end-start >= maxDefinition {
		return nil
	}
	return parts[from : to+1]
}

// without returns the results except those at the indices in gone. It overwrites results.
func without(results []Result, gone map[int]bool) []Result {
	kept := results[:0]
	for i, r := range results {
		if !gone[i] {
			kept = append(kept, r)
		}
	}
	return kept
}

// joinNeighbours joins those of the first results that touch or overlap each other in one file.
func (x *Ranker) joinNeighbours(results []Result) []Result {
	return x.join(results, maxJoinedLines, func(chunk int) (file string, ok bool) {
		if t := x.Generation.ChunkType(chunk); t != record.Implementations && t != record.Documentation || x.IsDerived(chunk) {
			return "", false
		}
		return x.Generation.FilePath(chunk), true
	})
}

// join joins those of the first joinWindow results that touch and have the same key into results of up to most lines.
// keyOf returns the key of a chunk, or ok false if the chunk stays alone. The best result gets the parts of all.
func (x *Ranker) join(results []Result, most int, keyOf func(chunk int) (key string, ok bool)) []Result {
	window := results[:min(len(results), joinWindow)]
	type lineRange struct {
		at         int // index in window
		key        string
		start, end int
	}
	var pieces []lineRange
	for i, r := range window {
		if r.Parts != nil {
			continue
		}
		start, end := x.Generation.Lines(r.Chunk)
		if key, ok := keyOf(r.Chunk); ok && start > 0 {
			pieces = append(pieces, lineRange{i, key, start, end})
		}
	}
	slices.SortFunc(pieces, func(a, b lineRange) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end), cmp.Compare(a.at, b.at))
	})
	gone := map[int]bool{}
	for i := 0; i < len(pieces); {
		first, end, j := pieces[i], pieces[i].end, i+1
		for ; j < len(pieces) && pieces[j].key == first.key && pieces[j].start <= end+maxJoinGap+1 &&
			max(end, pieces[j].end)-first.start < most; j++ {
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
					window[best].Match = united(window[best].Match, window[p.at].Match)
				}
			}
			window[best].Parts = parts
		}
		i = j
	}
	return without(results, gone)
}

const (
	// joinWindow is the number of first results that are joined.
	joinWindow = answer.MaxLimit
	// maxDefinition is the greatest number of lines of a definition that is one hit, whichever part was found.
	maxDefinition = 100
	// maxJoinedLines is the greatest number of lines of a hit that is joined from neighbours.
	maxJoinedLines = 200
	// maxJoinGap is the number of lines that may be between two hits that are joined.
	maxJoinGap = 2
)
