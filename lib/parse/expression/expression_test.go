package expression

import (
	"strings"
	"testing"

	"cortex/lib/shorten"
)

// TestExpressions are forms of many languages.
func TestExpressions(t *testing.T) {
	go_ := Reader{Composites: true, Own: true}
	other := Reader{}
	ruby := Reader{Marks: true}
	lisp := Reader{Symbols: true}
	shell := Reader{Words: true}
	rust := Reader{Composites: true, Arguments: AllArguments, Pointers: wordSet("Arc Box"), Modules: map[string]string{"self": "crate.self", "super": "crate.super"}}
	long := strings.Repeat("a.b(1).", 200)
	for _, c := range []struct {
		g          *Reader
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
		{&other, "rule<sign<'+', '>'>>()", "rule()"},
		{&other, "rule<sep<'\\0', '\\''>>()", "rule()"},
		{&other, "rule<range<-1, 7>>()", "rule()"},
		{&go_, "make([]T, 1)[0].a", "(T[])[].a"},
		{&go_, "nil", ""},
		{&go_, long + "end", "….b().a.b().a.b().a.b().end"},
		{&go_, strings.Repeat("(", 100) + "a" + strings.Repeat(")", 100), ""},
		{&other, "a?.b!.c", "a.b.c"},
		{&lisp, "full?", "full?"},
		{&lisp, "put-it!", "put-it!"},
		{&lisp, "shop.store/put-it!", "shop.store.put-it!"},
		{&lisp, "/", "/"},
		{&lisp, "a/", ""},
		{&lisp, "->Box", "Box"},
		{&lisp, "shapes/map->Box", "shapes.Box"},
		{&lisp, "Box.", "Box"},
		{&lisp, ".trim", ""},
		{&lisp, "(f x)", ""},
		{&lisp, "12", ""},
		{&shell, "git-log", "git-log"},
		{&shell, "shop::list-all", "shop::list-all"},
		{&shell, "ls", "ls"},
		{&shell, "-", ""},
		{&shell, "./run-it", ""},
		{&other, "git-log", ""},
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
		{&rust, "Arc::new(a.b()?)", "a.b()"},
		{&rust, "std::sync::Arc::new(Box::new(a::B { c: 1 })).d", "(a.B).d"},
		{&rust, "Arc::<A>::clone(&a, b).c()", "a.c()"},
		{&rust, "!Arc::new(a)", ""},
		{&rust, "Arc::new(|x| x).a", "….a"},
		{&rust, "Arc::new()", ""},
		{&rust, "Mine::new(a)", "Mine.new()"},
		{&rust, "a().0.b().1", "a().0.b().1"},
		{&rust, "1.0.b()", "….0.b()"},
		{&rust, "a::<T>", "a"},
		{&rust, "if a { b } else { c.d()? }", "c.d()"},
		{&rust, "if a { b } else if c { d } else { &e }", "e"},
		{&rust, "if a { b } else { let c = d; c }", ""},
		{&rust, "match a { _ => b }", ""},
	} {
		if got := c.g.Read(c.text); got != c.want {
			t.Errorf("%q is %q, want %q", shorten.Bytes(c.text, 60), got, c.want)
		}
	}
}

func TestTypeNames(t *testing.T) {
	other := Reader{}
	for text, want := range map[string]string{
		"*pkg.T": "pkg.T", "[]*T": "T[]", "map[string][]T": "T[][]", "chan<- T": "T[]", "[4]T": "T[]", "func(a T) T": "", "struct{ a T }": "", "interface{}": "",
		": A.B | null": "A.B", "null | A": "A", "A[]": "A[]", "Array<A>": "A[]", "Map<string, A>": "A[]", "Promise<A>": "A", "(a: A) => B": "", "A<B>": "A", "{ a: A }": "", "List<? extends Foo>": "Foo[]", "Map<?, ? super Foo>": "Foo[]", "Optional<?>": "",
		"const std::vector<Foo *> &": "Foo[]", "std::shared_ptr<ns::Foo>": "ns.Foo", "struct foo *": "foo", "unsigned char": "char", "Foo::Bar": "Foo.Bar",
		"&'a mut Foo": "Foo", "Box<dyn Foo + Send>": "Foo", "Option<Vec<Foo>>": "Foo[]", "[Foo; 4]": "Foo[]", "impl Foo": "Foo", "&[Foo]": "Foo[]",
		"Optional[Foo]": "Foo", "List['Foo']": "Foo[]", "\"Foo\"": "Foo", "Dict[str, Foo]": "Foo[]", "Foo | None": "Foo", `?\A\B`: "A.B", "[String: Foo]": "Foo[]", "Foo?": "Foo",
		"(T, error)": "T", "(n int, err error)": "int", "Self": "this", "": "", "1": "", "<": "", "[": "",
	} {
		if got := other.TypeName(text, true); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
	// Where a type may stand for any of its type arguments, it keeps all.
	all := Reader{Arguments: AllArguments}
	for text, want := range map[string]string{
		"Guard<u8, Arc<Foo>>": "Guard<u8,Foo>", "Guard<'a, Foo>": "Guard<Foo>", "Cow<'_, Foo>": "Foo", "MutexGuard<'a, Vec<Foo>>": "Foo[]", "&'a mut Foo": "Foo", "Foo<'a, 'b>": "Foo",
		"(Self, a::B)": "<this,a.B>", "((A, B), C)": "<<A,B>,C>", "Option<(A, B)>": "<A,B>", "[(A, B)]": "<A,B>[]", "(A)": "A", "Late<A<B, C>, fn()>": "Late<A<B,C>,>",
		"Late<fn()>": "Late", "()": "",
	} {
		if got := all.TypeName(text, true); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
	// Where a type may stand for its one type argument, it keeps that.
	keeping := Reader{Arguments: OneArgument}
	for text, want := range map[string]string{
		"Late[Foo]": "Late<Foo>", "a.Late[b.Foo] | None": "a.Late<b.Foo>", "Guard<'a, Foo>": "Guard", "const Handle<ns::Foo> &": "Handle<ns.Foo>", "Late[Optional[Foo]]": "Late<Foo>",
		"List[Late[Foo]]": "Late<Foo>[]", "Optional[Foo]": "Foo", "Late[List[Foo]]": "Late", "Late[A, B]": "Late", "Late[Self]": "Late", "Late": "Late", "Late[A[B]]": "Late<A>",
	} {
		if got := keeping.TypeName(text, true); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
	plain := Reader{Arguments: PlainArguments}
	for text, want := range map[string]string{
		"Ptr<ns::Foo>": "Ptr<ns.Foo>", "Pair<A, B<C>>": "Pair<A,B>", "Pair<Late<A>*, 3>": "Pair<Late,>", "std::unique_ptr<Foo, Deleter<Foo>>": "Foo", "Ptr<3>": "Ptr", "Ptr<vector<A>>": "Ptr",
	} {
		if got := plain.TypeName(text, true); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}
