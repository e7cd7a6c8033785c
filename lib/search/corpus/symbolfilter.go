package corpus

import (
	"strings"

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
