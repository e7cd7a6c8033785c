package language

import (
	"slices"
	"strings"
	"testing"

	"cortex/lib/graph/facts"
	"cortex/lib/record"
)

// treeOf is the tree of files of one family.
func treeOf(t testing.TB, files ...*record.File) *facts.Tree {
	t.Helper()
	tree := &facts.Tree{ByPath: map[string]*facts.File{}, Names: facts.NewNames()}
	for _, r := range files {
		f, err := facts.Facts(facts.NewEncoder().AppendFacts(nil, r)).Read(tree.Names, true)
		if err != nil {
			t.Fatal(err)
		}
		tree.Files = append(tree.Files, f)
		tree.ByPath[f.Path] = f
	}
	slices.SortFunc(tree.Files, func(a, b *facts.File) int { return strings.Compare(a.Path, b.Path) })
	for i, f := range tree.Files {
		f.Number = int32(i)
	}
	return tree
}
