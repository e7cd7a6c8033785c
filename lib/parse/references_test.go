package parse

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cortex/lib/language"
	"cortex/lib/record"
)

// TestExpressions are forms of many languages.
func TestExpressions(t *testing.T) {
	go_ := grammarian{composites: true, own: true}
	other := grammarian{}
	ruby := grammarian{marks: true}
	rust := grammarian{composites: true, modules: map[string]string{"self": "crate.self", "super": "crate.super"}}
	long := strings.Repeat("a.b(1).", 200)
	for _, c := range []struct {
		g          *grammarian
		text, want string
	}{
		{&go_, "a", "a"},
		{&go_, "a.b", "a.b"},
		{&go_, "a.b(c, \")\", func() { d() }).e", "a.b().e"},
		{&go_, "&T{a: 1}", "(T)"},
		{&go_, "[]pkg.T{{}, {}}", "(pkg.T[])"},
		{&go_, "map[string]*T{}", "(T[])"},
		{&go_, "x.(*pkg.T)", "(pkg.T)"},
		{&go_, "x.(*T).m", "(T).m"},
		{&go_, "(*p).m", "p.m"},
		{&go_, "<-c.d", "c.d[]"},
		{&go_, "a[1:2]", "a"},
		{&go_, "a[f(x)].b", "a[].b"},
		{&go_, "func() int { return 1 }", ""},
		{&go_, "1 + a.b()", ""},
		{&go_, "\"text\"", ""},
		{&go_, "\"text\".b", "….b"},
		{&go_, "12", ""},
		{&go_, "new(pkg.T)", "(pkg.T)"},
		{&go_, "make([]T, 1)[0].a", "(T[])[].a"},
		{&go_, "nil", ""},
		{&go_, long + "end", "….b().a.b().a.b().a.b().end"},
		{&go_, strings.Repeat("(", 100) + "a" + strings.Repeat(")", 100), ""},
		{&other, "a?.b!.c", "a.b.c"},
		{&other, "a->b", "a.b"},
		{&other, "a::b::<T>::c", "a.b.c"},
		{&other, `\A\B::c`, "A.B.c"},
		{&other, "new A.B<C>(1).d()", "(A.B).d()"},
		{&other, "new A", "(A)"},
		{&other, "(await a.b()).c", "a.b().c"},
		{&other, "((A) b).c", "(A).c"},
		{&other, "(A) b", "(A)"},
		{&other, "a as B", "(B)"},
		{&other, "(a as B).c", "(B).c"},
		{&other, "<B>a", "(B)"},
		{&other, "a as const", "a"},
		{&other, "static_cast<B*>(a)->c", "(B).c"},
		{&other, "std::make_unique<ns::B>(1)", "(ns.B)"},
		{&other, "this->a", "this.a"},
		{&other, "super().a", "super.a"},
		{&other, "self.a[0]", "this.a[]"},
		{&other, "a { it.b }.c", "a().c"},
		{&other, "a(1) { it.b }.c", "a().c"},
		{&other, "a ? b : c", ""},
		{&other, "obj:method", "obj.method"},
		{&other, "import(\"x\").then", "….then"},
		{&ruby, "a.b?", "a.b?"},
		{&ruby, "@a&.b", "this.a.b"},
		{&rust, "super::a::b", "crate.super.a.b"},
		{&rust, "self::a", "crate.self.a"},
		{&rust, "self.a", "this.a"},
		{&rust, "a::B { c: 1 }", "(a.B)"},
		{&rust, "a.b()?.c", "a.b().c"},
		{&rust, "&mut a", "a"},
	} {
		if got := c.g.expression(c.text); got != c.want {
			t.Errorf("%q is %q, want %q", cut(c.text, 60), got, c.want)
		}
	}
}

func TestTypeNames(t *testing.T) {
	other := grammarian{}
	for text, want := range map[string]string{
		"*pkg.T": "pkg.T", "[]*T": "T[]", "map[string][]T": "T[][]", "chan<- T": "T[]", "[4]T": "T[]", "func(a T) T": "", "struct{ a T }": "", "interface{}": "",
		": A.B | null": "A.B", "null | A": "A", "A[]": "A[]", "Array<A>": "A[]", "Map<string, A>": "A[]", "Promise<A>": "A", "(a: A) => B": "", "A<B>": "A", "{ a: A }": "",
		"const std::vector<Foo *> &": "Foo[]", "std::shared_ptr<ns::Foo>": "ns.Foo", "struct foo *": "foo", "unsigned char": "char", "Foo::Bar": "Foo.Bar",
		"&'a mut Foo": "Foo", "Box<dyn Foo + Send>": "Foo", "Option<Vec<Foo>>": "Foo[]", "[Foo; 4]": "Foo[]", "impl Foo": "Foo", "&[Foo]": "Foo[]",
		"Optional[Foo]": "Foo", "List['Foo']": "Foo[]", "\"Foo\"": "Foo", "Dict[str, Foo]": "Foo[]", "Foo | None": "Foo", `?\A\B`: "A.B", "[String: Foo]": "Foo[]", "Foo?": "Foo",
		"(T, error)": "T", "(n int, err error)": "int", "Self": "this", "": "", "1": "", "<": "", "[": "",
	} {
		if got := other.typeName(text, true); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

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

// TestScopesOfLocals: a local is known from its declaration to the end of what it stands in, and what is behind the closure that it holds is not in that.
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

// TestReferencesStayBounded: what a file may name without end takes a time that grows with its size, and its record stays small.
func TestReferencesStayBounded(t *testing.T) {
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
			if len(f.References) > maxReferences || len(f.Typings) > maxReferences {
				t.Errorf("%d references, %d typings", len(f.References), len(f.Typings))
			}
			for _, r := range f.References {
				if len(r.Receiver) > maxReceiver || len(r.Name) > maxName {
					t.Fatalf("%d bytes of receiver, %d of name", len(r.Receiver), len(r.Name))
				}
			}
			line, err := record.Append(nil, &record.File{References: f.References, Typings: f.Typings})
			if err != nil {
				t.Fatal(err)
			}
			if limit := symbolBase + symbolFactor*len(text); len(line) > limit {
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
