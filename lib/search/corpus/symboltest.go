package corpus

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"cortex/lib/hint"
	"cortex/lib/record"
	"cortex/lib/search/answer"
	"cortex/lib/search/token"
)

// A SymbolTest checks a symbol against the part of a Filter that is about symbols. A chunk passes if one of its symbols
// satisfies all of it.
type SymbolTest func(record.SymbolRef) bool

// SymbolTestOf returns the symbol test of a filter, nil if the filter says nothing about symbols.
func SymbolTestOf(f answer.Filter) SymbolTest {
	if f.SymbolName == "" && f.SymbolType == "" {
		return nil
	}
	named := func(string) bool { return true }
	if f.SymbolName != "" {
		named = symbolMatcher(f.SymbolName)
	}
	kind := strings.TrimSpace(f.SymbolType)
	return func(s record.SymbolRef) bool {
		return (kind == "" || strings.EqualFold(string(s.Type), kind)) && named(s.Name)
	}
}

// symbolMatcher returns the test for names that Filter.SymbolName describes: a glob over the qualified name or its last
// component.
func symbolMatcher(glob string) func(string) bool {
	var wild []int
	for i := range len(glob) {
		if glob[i] == '*' || glob[i] == '?' {
			wild = append(wild, i)
		}
	}
	pattern := token.PatternOf(glob, wild)
	return func(name string) bool {
		if name == "" {
			return false
		}
		name = token.FoldAll(name)
		return pattern.Match(name) || pattern.Match(LastComponent(name))
	}
}

// maxNearNames is the number of names that NearNames suggests.
const maxNearNames = 3

// NearNames returns names of the index to suggest for a name that matches none, those with the fewest edits first. It
// compares the last components of names.
func (x *Corpus) NearNames(name string) []string {
	want := token.FoldAll(LastComponent(name))
	most := hint.MostEdits(want)
	if most == 0 || strings.ContainsAny(want, "*?") {
		return nil
	}
	edits := map[string]int{} // by name
	for i := range x.Generation.Len() {
		for s := range x.Generation.Symbols(i) {
			last := LastComponent(s.Name)
			if _, known := edits[last]; known || s.Type == record.Heading {
				continue
			}
			other := token.FoldAll(last)
			if n := hint.Distance(want, other, most); n <= most && hint.IsTypo(want, other, n) {
				edits[last] = n
			}
		}
	}
	names := slices.SortedFunc(maps.Keys(edits), func(a, b string) int { return cmp.Or(edits[a]-edits[b], strings.Compare(a, b)) })
	return names[:min(len(names), maxNearNames)]
}
