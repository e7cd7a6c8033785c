package grammar

import (
	sitter "github.com/tree-sitter/go-tree-sitter"

	"strings"
	"testing"

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
	for _, g := range All() {
		t.Run(g.Name, func(t *testing.T) {
			t.Parallel()
			source := ""
			for _, name := range g.queries {
				data, err := queries.ReadFile("queries/" + name)
				if err != nil {
					t.Fatal(err)
				}
				source += string(data)
			}
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
		for _, m := range []*mask.Masker{g.masker(), g.Retrier()} {
			for _, text := range texts {
				if got := m.Mask(text); len(got) != len(text) {
					t.Errorf("%s: %d bytes of %d", g.Name, len(got), len(text))
				}
			}
		}
	}
}
