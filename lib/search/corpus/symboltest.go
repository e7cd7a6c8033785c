package corpus

import (
	"strings"

	"cortex/lib/record"
	"cortex/lib/search/answer"
	"cortex/lib/search/token"
)

// A SymbolTest is the part of a Filter that is about symbols. One symbol must satisfy all of it.
type SymbolTest func(record.SymbolRef) bool

// SymbolTestOf is nil if the filter asks for nothing.
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

// symbolMatcher makes the test of Filter.SymbolName: a glob over the qualified name or
// its last component.
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
