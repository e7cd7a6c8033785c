package syntax

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
		roots := []string{}
		for _, p := range patterns {
			own := []string{}
			for _, r := range p.roots {
				own = append(own, fmt.Sprintf("{%s %t %s %s}", r.kind, r.single, r.captures, needsOf(r.needs)))
			}
			roots = append(roots, fmt.Sprint(own))
		}
		if got := fmt.Sprint(roots); err != nil || got != want {
			t.Errorf("%s: %s, %v, want %s", source, got, err, want)
		}
	}
}

func needsOf(needs []need) string {
	out := []string{}
	for _, n := range needs {
		out = append(out, fmt.Sprintf("{%s %s %s %s %t}", n.field, n.kinds, n.captures, needsOf(n.needs), n.first))
	}
	return fmt.Sprint(out)
}

// TestFlatPatterns tells which patterns need no cursor.
func TestFlatPatterns(t *testing.T) {
	for source, want := range map[string]bool{
		"(a b: (c) @x)":                        true,
		"(a b: (_)? @x c: [(d) \"e\"] @y) @z":  true,
		"((a (b) @x) (#eq? @x \"c\"))":         true,
		"(a)":                                  false, // nothing to look for
		"(a (_) @x)":                           false,
		"(a b: _ @x)":                          false,
		"(a (b) @x (c))":                       false,
		"(a b: (c) @x b: (d) @y)":              false,
		"(a b: (c)+ @x)":                       false,
		"(a b: (c (d)) @x)":                    false,
		"(a b: [(c) @y (d)] @x)":               false,
		"(a . b: (c) @x)":                      false,
		"(a !b c: (d) @x)":                     false,
		"(a \"(\" b: (d) @x)":                  false,
		"(a b: (c d: (e)) @x)":                 false,
		"(a b: (_ (c)) @x)":                    false,
		"(a b: [(c (d)) (e)] @x)":              false,
		"(a b: (c) @x (#not-eq? @x \"d\") )":   true,
		"(a b: [(c) (d)] @x e: (f) @y g: (_))": true,
	} {
		patterns, err := rootsOf(source)
		if err != nil {
			t.Fatal(source, err)
		}
		if got := patterns[0].roots[0].flat != nil; got != want {
			t.Errorf("%s: flat %t, want %t", source, got, want)
		}
	}
}

func TestPatternsWithoutARootAreRefused(t *testing.T) {
	for _, source := range []string{
		"(_ (comment)) @comment", "_ @comment", `"func" @comment`, "((comment) (comment)) @comment", "(comment)+ @comment",
		"((comment) . (comment) @comment)", "(MISSING identifier) @comment", "[(comment) (_)] @comment",
		"(_expression) @comment", "(_expression/identifier) @comment",
	} {
		_, err := Compile(golang.Language(), source)
		if !errors.Is(err, errRoot) {
			t.Errorf("%s: %v", source, err)
		}
	}
}
