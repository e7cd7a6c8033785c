package parse

import (
	"slices"
	"testing"
)

// languages are the names of the languages that have a grammar.
func languages() []string {
	var names []string
	for _, g := range grammars() {
		names = append(names, g.name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func TestQueriesCompile(t *testing.T) {
	for _, g := range grammars() {
		if _, err := g.compile(); err != nil {
			t.Errorf("%s: %v", g.name, err)
		}
	}
}
