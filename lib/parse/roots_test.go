package parse

import (
	"errors"
	"fmt"
	"testing"

	golang "github.com/tree-sitter/tree-sitter-go/bindings/go"
)

func TestRootsOfPatterns(t *testing.T) {
	for source, want := range map[string]string{
		"":                       "[]",
		"; (a) [b]\n(a) @x ; c":  "[[{a true [x] []}]]",
		`(a "(" @x) @y @z (b)`:   `[[{a false [y z] [{ ["("] [x] [] false}]}] [{b true [] []}]]`,
		`((a) @x (#eq? @x ")"))`: "[[{a true [x] []}]]",
		`(a (#eq? @x "\"(")) @x`: "[[{a true [x] []}]]",
		"[(a) @x (b c: (d))] @y": "[[{a true [x y] []} {b false [y] [{c [d] [] [] false}]}]]",
		"([(a) ((b))] @x)":       "[[{a true [x] []} {b true [x] []}]]",
		"(ERROR (a) @x)":         "[[{ERROR false [] [{ [a] [x] [] false}]}]]",
		"(a b: [(c) @x (d (e))] @y (f)? (g)+ . (_) h: _ ((i) (j)) (_ (k)))": "[[{a false [] [{b [c d] [y] [] false} { [g] [] [] false} {h [] [] [] false}]}]]",
		"(a . b: (c . (d)) . (e))": "[[{a false [] [{b [c] [] [{ [d] [] [] true}] true} { [e] [] [] false}]}]]",
		"(a . (b)? (c))":           "[[{a false [] [{ [c] [] [] false}]}]]",
		"(a !b)":                   "[[{a false [] []}]]",
	} {
		patterns, err := rootsOf(source)
		roots := make([][]root, len(patterns))
		for i, p := range patterns {
			roots[i] = p.roots
		}
		if got := fmt.Sprint(roots); err != nil || got != want {
			t.Errorf("%s: %s, %v, want %s", source, got, err, want)
		}
	}
}

// TestPatternsCanMatch lets tree-sitter look for patterns that no text of the language matches.
func TestPatternsCanMatch(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, g := range grammars() {
		t.Run(g.name, func(t *testing.T) {
			t.Parallel()
			source := ""
			for _, name := range g.queries {
				data, err := queries.ReadFile("queries/" + name)
				if err != nil {
					t.Fatal(err)
				}
				source += string(data)
			}
			if err := checkPatterns(g.language(), source); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestPatternsWithoutARootAreRefused(t *testing.T) {
	for _, source := range []string{
		"(_ (comment)) @comment", "_ @comment", `"func" @comment`, "((comment) (comment)) @comment", "(comment)+ @comment",
		"((comment) . (comment) @comment)", "(MISSING identifier) @comment", "[(comment) (_)] @comment",
		"(_expression) @comment", "(_expression/identifier) @comment",
	} {
		_, err := compileQuery(golang.Language(), source)
		if !errors.Is(err, errRoot) {
			t.Errorf("%s: %v", source, err)
		}
	}
}
