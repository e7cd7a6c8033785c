package grammar

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"unsafe"

	sitter "github.com/tree-sitter/go-tree-sitter"

	"cortex/lib/language"
	"cortex/lib/parse/mask"
)

func TestQueriesCompile(t *testing.T) {
	for _, g := range All() {
		if _, err := g.Compile(); err != nil {
			t.Errorf("%s: %v", g.Name, err)
		}
	}
}

// TestPatternsCanMatch lets tree-sitter look for patterns that no text of the language matches.
func TestPatternsCanMatch(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	// Files of one language may be parsed in several ways, with the same grammar and queries.
	type pair struct {
		language unsafe.Pointer
		source   string
	}
	tried := map[pair]bool{}
	for _, g := range All() {
		source := ""
		for _, name := range g.queries {
			data, err := queries.ReadFile("queries/" + name)
			if err != nil {
				t.Fatal(err)
			}
			source += string(data)
		}
		if p := (pair{g.Language(), source}); tried[p] {
			continue
		} else {
			tried[p] = true
		}
		t.Run(g.Name, func(t *testing.T) {
			t.Parallel()
			q, err := sitter.NewQuery(sitter.NewLanguage(g.Language()), source)
			if err != nil {
				t.Fatal(err)
			}
			q.Close()
		})
	}
}

// Every mask of the table keeps the length of hostile texts and comes to an end.
func TestMasksOfAllLanguages(t *testing.T) {
	texts := []string{"", "\n", "\x00\xff", strings.Repeat("$", 999), strings.Repeat("{{", 999), strings.Repeat("/*", 999), strings.Repeat("BEGIN SET ", 300), strings.Repeat("\n     &a", 500)}
	for _, g := range All() {
		for _, m := range []*mask.Masker{g.masker(), g.retrier()} {
			for _, text := range texts {
				if got := m.Mask(text); len(got) != len(text) {
					t.Errorf("%s: %d bytes of %d", g.Name, len(got), len(text))
				}
			}
		}
	}
}

// TestTree prints the syntax tree of the file that CORTEX_TREE names, for those who write a query: a node a line, with its field, its lines
// from 1 and, of a leaf, its text. Words of the grammar stand between quotes.
func TestTree(t *testing.T) {
	name := os.Getenv("CORTEX_TREE")
	if name == "" {
		t.Skip("CORTEX_TREE names no file")
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	g := For(language.Detect(name, data).Name, name)
	if g == nil {
		t.Fatalf("%s: its language has no grammar", name)
	}
	parser := sitter.NewParser()
	defer parser.Close()
	if err := parser.SetLanguage(sitter.NewLanguage(g.Language())); err != nil {
		t.Fatal(err)
	}
	tree := parser.Parse(data, nil)
	defer tree.Close()
	var print func(n *sitter.Node, field string, depth int)
	print = func(n *sitter.Node, field string, depth int) {
		kind := n.Kind()
		if !n.IsNamed() {
			kind = fmt.Sprintf("%q", kind)
		}
		if field != "" {
			kind = field + ": " + kind
		}
		text := ""
		if n.ChildCount() == 0 && n.IsNamed() {
			text = fmt.Sprintf("  %.60q", n.Utf8Text(data))
		}
		fmt.Printf("%s%s %d-%d%s\n", strings.Repeat("  ", depth), kind, n.StartPosition().Row+1, n.EndPosition().Row+1, text)
		for i := range n.ChildCount() {
			print(n.Child(i), n.FieldNameForChild(uint32(i)), depth+1)
		}
	}
	print(tree.RootNode(), "", 0)
}
