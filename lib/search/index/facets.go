package index

import "slices"

// A Facet is a field with few different values. A chunk may have several tags and symbol types.
type Facet uint8

// The facets.
const (
	ChunkType Facet = iota
	Language
	Tree
	SymbolType
	Tags
)

// Values returns all values of the facet, sorted, each once.
func (g *Generation) Values(f Facet) []string {
	var values []string
	known := map[string]bool{}
	g.Select(f, func(value string) bool {
		if !known[value] {
			known[value] = true
			values = append(values, value)
		}
		return false
	}, nil)
	slices.Sort(values)
	return values
}

// Select visits the chunks that have a matching value, each once, as intervals [first, end).
func (g *Generation) Select(f Facet, match func(value string) bool, visit func(first, end int)) {
	for i, s := range g.segments {
		s.choose(f, match, func(first, end int) { visit(g.firsts[i]+first, g.firsts[i]+end) })
	}
}

func (s *segment) choose(f Facet, match func(value string) bool, visit func(first, end int)) {
	const unknown, yes, no = 0, 1, 2
	verdicts := make([]byte, len(s.wordEnds))
	holds := func(word int) bool {
		if verdicts[word] == unknown {
			if verdicts[word] = no; match(s.word(word)) {
				verdicts[word] = yes
			}
		}
		return verdicts[word] == yes
	}
	switch f {
	case ChunkType:
		for row := range s.rows {
			if holds(s.columns[typeColumn].at(row)) {
				visit(row, row+1)
			}
		}
	case Language, Tree:
		column := runLanguage
		if f == Tree {
			column = runTree
		}
		for run := range s.runCount {
			if holds(s.runs[column].at(run)) {
				visit(s.runs[runFirst].at(run), s.runEnd(run))
			}
		}
	case SymbolType:
		symbol := 0
		for row := range s.rows {
			any := false
			for end := s.columns[symbolColumn].at(row); symbol < end; symbol++ {
				any = holds(s.symbols[symbolType].at(symbol)) || any
			}
			if any {
				visit(row, row+1)
			}
		}
	case Tags:
		sets := make([]bool, len(s.tagEnds))
		for set := range sets {
			start, end := between(s.tagEnds, set)
			for _, tag := range s.tags[start:end] {
				sets[set] = holds(int(tag)) || sets[set]
			}
		}
		for row := range s.rows {
			if sets[s.columns[tagsColumn].at(row)] {
				visit(row, row+1)
			}
		}
	}
}

// Having visits the chunks that have any of the traits, in ascending order.
func (g *Generation) Having(traits uint32, visit func(chunk int)) {
	for i, s := range g.segments {
		for row := range s.rows {
			if uint32(s.columns[traitsColumn].at(row))&traits != 0 {
				visit(g.firsts[i] + row)
			}
		}
	}
}
