package show

import (
	"cmp"
	"slices"
	"strings"

	"cortex/lib/record"
	"cortex/lib/search/corpus"
	"cortex/lib/search/wording"
)

// A Finder finds in a chunk that declares several symbols those that were asked for.
type Finder struct {
	Namings []wording.Naming
	Test    corpus.SymbolTest // nil if there is no filter
	// Lines asks for the telling lines of a hit, in place of highlights unless lines Around it are asked for.
	Lines, Around bool
	// Dull are the sorts of lines that are not told of.
	Dull dullness
}

// find returns the symbols that were asked for, the best first, at most maxSymbols; without any, found is false and
// they are the first ones.
func (f *Finder) find(c *record.Chunk) (list []record.SymbolRef, found bool) {
	type ranked struct {
		record.SymbolRef
		rank float32
	}
	var matched []ranked
	for _, s := range c.Metadata.Symbols {
		if f.Test != nil && !f.Test(s) {
			continue
		}
		rank := float32(0)
		for _, n := range f.Namings {
			rank = max(rank, n.Rank(s))
		}
		if rank > 0 || f.Test != nil {
			matched = append(matched, ranked{s, rank})
		}
	}
	if len(matched) == 0 {
		return c.Metadata.Symbols[:min(len(c.Metadata.Symbols), maxSymbols)], false
	}
	slices.SortStableFunc(matched, func(a, b ranked) int { return cmp.Compare(b.rank, a.rank) })
	for _, s := range matched[:min(len(matched), maxSymbols)] {
		list = append(list, s.SymbolRef)
	}
	return list, true
}

// mainLine is the line that stands for a chunk without a match, as an empty place: the one that declares what was asked for, or else
// the first that says something.
func (f *Finder) mainLine(t *textLines) []occurrence {
	if len(t.chunk.Metadata.Symbols) > 0 {
		if list, found := f.find(t.chunk); found {
			if n, _ := t.declaration(&list[0], nil); n >= 0 {
				return []occurrence{{t.start[n], t.start[n], noNeedle}}
			}
		}
	}
	first := -1
	for n := range t.count() {
		if strings.TrimSpace(t.line(n)) == "" || t.real && t.number[n] == 0 {
			continue
		}
		if !t.repeated(n) {
			first = n
			break
		}
		if first < 0 {
			first = n
		}
	}
	if first < 0 {
		return nil
	}
	return []occurrence{{t.start[first], t.start[first], noNeedle}}
}

// maxSymbols is the number of symbols that the metadata of a hit lists.
const maxSymbols = 10
