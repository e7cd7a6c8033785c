package branches

import (
	"slices"
	"strings"
	"testing"
)

func TestOf(t *testing.T) {
	for _, c := range []struct {
		expression, want string // "no" if a bracket lacks its partner
	}{
		{"", ""},
		{"a", "a"},
		{"a|b|", "a b "},
		{`a\|b|c`, `a\|b c`},
		{"(a|b)|((c)|d)", "(a|b) ((c)|d)"},
		{"[|(]|[^|)]", "[|(] [^|)]"},
		{"[]|]|[^]|]|x", "[]|] [^]|] x"},
		{`[\]|]|x`, `[\]|] x`},
		{"(a|b", "no"},
		{"a)|(b", "no"},
		{"[a|b", "no"},
		{"[^]|b", "no"},
	} {
		got, ok := Of(c.expression)
		if ok != (c.want != "no") || ok && !slices.Equal(got, strings.Split(c.want, " ")) {
			t.Errorf("%q: %q, %v, want %q", c.expression, got, ok, c.want)
		}
	}
}
