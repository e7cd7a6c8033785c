package mask

import (
	"testing"

	"cortex/lib/lineartest"
)

func TestDecorators(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"one call", "@A(1) m() {}", "@A(1) m() {}"},
		{"names", "@a.b.c() m() {}", "@a.b.c() m() {}"},
		{"two calls", "@A(1).B(2) m() {}", "@A(1,   2) m() {}"},
		{"three calls", "@A(1).Of(X).B(2) m() {}", "@A(1,    X,   2) m() {}"},
		{"no arguments", "@A().B().C(2) m() {}", "@A(        2) m() {}"},
		{"no last arguments", "@A(1).B() m() {}", "@A(1,   ) m() {}"},
		{"a comma at the end", "@A(1,).B(2) m() {}", "@A(1,    2) m() {}"},
		{"lines", "@A(1)\n  .B(2)\n  m() {}", "@A(1,\n     2)\n  m() {}"},
		{"comments", "@A(1) // x\n .B(2) m() {}", "@A(1, // x\n    2) m() {}"},
		{"a call of a call", "@A(1)(2) m() {}", "@A(1, 2) m() {}"},
		{"a property", "@A(1).b m() {}", "@A(1  ) m() {}"},
		{"type arguments", "@A<X>(1).B<Y<Z>>(2) m() {}", "@A<X>(1,         2) m() {}"},
		{"in parentheses", "@(A(1).B(2)) m() {}", "@ A(1,   2 ) m() {}"},
		{"another expression in parentheses", "@(a ? b() : c().d()) m() {}", "@(a ? b() : c().d()) m() {}"},
		{"brackets in arguments", "@A({x: [1, (2)]}, \")\", `)${f(\")\")}`, /[/)]/).B(2) m", "@A({x: [1, (2)]}, \")\", `)${f(\")\")}`, /[/)]/,   2) m"},
		{"of a parameter", "m(@A(1).B(2) x: X, @A() ...rest) {}", "m(@A(1,   2) x: X, @A() ...rest) {}"},
		{"in a string", "'@A(1).B(2)'; `@A(1).B(2)` // @A(1).B(2)", "'@A(1).B(2)'; `@A(1).B(2)` // @A(1).B(2)"},
		{"behind a quote in a text", "<p>don't</p>\n@A(1).B(2) m", "<p>don't</p>\n@A(1,   2) m"},
		{"no end", "@A(1).B(2 m() {}", "@A(1).B(2 m() {}"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := PlainDecorators(test.text); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

func TestDecoratorsAreLinear(t *testing.T) {
	n := lineartest.Size(t)
	for _, seed := range []string{"@", "@A", "@A(", "@(", "@A()", "@A().b", "@A().b(", "@A<", "@A(1).B(2) ", "@A /*", "@A//\n", "`${", "`", "@A(`", "(/[", "'\\", "@A('\\'", "@A().b\n", "@A(/"} {
		lineartest.Check(t, seed, n, func(n int) func() {
			text := lineartest.Repeat(seed, n)
			return func() { PlainDecorators(text) }
		})
	}
}
