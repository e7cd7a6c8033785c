package grammar

import (
	"cortex/lib/lineartest"
	"cortex/lib/parse/mask"
	"fmt"
	"regexp/syntax"
	"strings"
	"testing"
)

// TestMasksAreLinear repeats what begins a match of a mask and does not end it.
func TestMasksAreLinear(t *testing.T) {
	n := lineartest.Size(t)
	for _, g := range All() {
		t.Run(g.Name+strings.Join(g.endings, ""), func(t *testing.T) {
			for _, masks := range [][]mask.Mask{g.masks, g.Retry} {
				all := mask.New(masks)
				for _, m := range masks {
					for _, match := range alternativesOf(t, m.Match) {
						for _, opening := range openings(match) {
							lineartest.Check(t, fmt.Sprintf("%q", opening), n, func(n int) func() {
								text := lineartest.Repeat(opening, n)
								return func() { all.Mask(text) }
							})
						}
					}
				}
			}
		})
	}
}

// alternativesOf are the alternatives of an expression.
func alternativesOf(t *testing.T, match string) []*syntax.Regexp {
	tree, err := syntax.Parse(match, syntax.Perl)
	if err != nil {
		t.Fatal(err)
	}
	if tree.Op == syntax.OpAlternate {
		return tree.Sub
	}
	return []*syntax.Regexp{tree}
}

// openings are the beginnings of a text that an expression matches.
func openings(match *syntax.Regexp) []string {
	sample := sampleOf(match)
	var out []string
	for i := range sample {
		if i > 0 {
			out = append(out, sample[:i])
		}
	}
	return append(out, sample)
}

// sampleOf is a text that an expression matches.
func sampleOf(tree *syntax.Regexp) string {
	switch tree.Op {
	case syntax.OpLiteral:
		return string(tree.Rune)
	case syntax.OpCharClass:
		for _, r := range "aA1 _.\n" {
			for i := 0; i < len(tree.Rune); i += 2 {
				if tree.Rune[i] <= r && r <= tree.Rune[i+1] {
					return string(r)
				}
			}
		}
		return string(tree.Rune[0])
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return "a"
	case syntax.OpBeginLine, syntax.OpEndLine:
		return "\n"
	case syntax.OpWordBoundary:
		return " "
	case syntax.OpAlternate:
		return sampleOf(tree.Sub[0])
	case syntax.OpRepeat:
		return strings.Repeat(sampleOf(tree.Sub[0]), max(tree.Min, 1))
	}
	var b strings.Builder
	for _, sub := range tree.Sub {
		b.WriteString(sampleOf(sub))
	}
	return b.String()
}
