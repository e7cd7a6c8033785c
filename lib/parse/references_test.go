package parse

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cortex/lib/language"
	"cortex/lib/parse/expression"
	"cortex/lib/parse/extract"
	"cortex/lib/parse/lexical"
	"cortex/lib/record"
	"cortex/lib/record/jsonl"
)

func referencesOf(t *testing.T, lang, text string) *record.File {
	t.Helper()
	f := parseFile("x", language.Language{Name: lang}, []byte(text))
	if f.Status == record.StatusError {
		t.Fatal(f.Reason)
	}
	return f
}

func calls(f *record.File) []string {
	var out []string
	for _, r := range f.References {
		if r.Relation == record.Calls {
			out = append(out, fmt.Sprintf("%s:%s.%s%v", r.Symbol, r.Receiver, r.Name, r.Lines))
		}
	}
	return out
}

// TestScopesOfLocals: a local is visible from its declaration to the end of its scope, and code behind the closure that
// a local holds is not in the closure.
func TestScopesOfLocals(t *testing.T) {
	f := referencesOf(t, "go", `package p
func f() {
	x.a()
	x := New()
	x.b()
	{
		x := x.c()
		x.d()
		x := 1
		x.d()
	}
	x.e()
	g := func(x *U) { x.f() }
	g(x)
	x.h()
	if x := x.i(); x != nil {
		x.j()
	}
	x.k()
}
`)
	want := []string{"f:x.a[3]", "f:.New[4]", "f:New().b[5]", "f:New().c[7]", "f:New().c().d[8]", "f:….d[10]", "f:New().e[12]", "f:(U).f[13]", "f:New().h[15]", "f:New().i[16]",
		"f:New().i().j[17]", "f:New().k[19]"}
	if diff := cmp.Diff(want, calls(f)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestReferencesStayBounded: for files that name very many symbols, the time is proportional to the size, and the
// record stays small.
func TestReferencesStayBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("parses large files")
	}
	n := 100_000
	for name, text := range map[string]string{
		"chain":     "package p\nfunc f() { x" + strings.Repeat(".y()", 3000) + " }\n",
		"names":     "package p\nfunc f() {\n" + numbered(n/4, "\tx%d()\n") + "}\n",
		"locals":    "package p\nfunc f() {\n" + numbered(n/10, "\tx%d := y\n\tx%[1]d.z()\n") + "}\n",
		"shadows":   "package p\nfunc f() {\n" + strings.Repeat("\tx := x.y\n", n/10) + "\tx.z()\n}\n",
		"blocks":    "package p\nfunc f() {\n" + strings.Repeat("{ x := y; x.z() ", 2000) + strings.Repeat("}", 2000) + "}\n",
		"list":      "package p\nfunc f() {\n" + strings.Repeat("x, ", n/10) + "y := " + strings.Repeat("a(), ", n/10) + "b()\n}\n",
		"fields":    "package p\ntype T struct {\n" + numbered(n/5, "\tx%d y\n") + "}\n",
		"types":     "package p\nvar x " + strings.Repeat("[]", 5000) + "T\n",
		"long name": "package p\nfunc f() { " + strings.Repeat("a", n) + ".b() }\n",
		"arguments": "package p\nfunc f() { g(" + strings.Repeat("h(1), ", n/5) + "2).i() }\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := parseFile("x.go", language.Language{Name: "go"}, []byte(text))
			if len(f.References) > extract.MaxReferences || len(f.Typings) > extract.MaxReferences {
				t.Errorf("%d references, %d typings", len(f.References), len(f.Typings))
			}
			for _, r := range f.References {
				if len(r.Receiver) > expression.MaxReceiver || len(r.Name) > lexical.MaxName {
					t.Fatalf("%d bytes of receiver, %d of name", len(r.Receiver), len(r.Name))
				}
			}
			line, err := jsonl.Append(nil, &record.File{References: f.References, Typings: f.Typings})
			if err != nil {
				t.Fatal(err)
			}
			if limit := extract.SymbolBase + extract.SymbolFactor*len(text); len(line) > limit {
				t.Errorf("%d bytes of references from %d", len(line), len(text))
			}
		})
	}
}

func numbered(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}
