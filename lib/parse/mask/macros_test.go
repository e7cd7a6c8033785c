package mask

import (
	"fmt"
	"strings"
	"testing"

	"cortex/lib/lineartest"
)

// TestWithoutMacros: «X» is what is to be dropped.
func TestWithoutMacros(t *testing.T) {
	for _, marked := range []string{
		"namespace a {\n«A_NAMESPACE_BEGIN»\nnamespace {\nint x;\n}\n«A_NAMESPACE_END»\n}\n",
		"class «A_EXPORT» Foo : public Bar {\n  «A_OBJECT»\n public:\n};\n",
		"struct «A_ALIGNED(16, (x))» Foo {};\nclass FOOBAR final {};\nclass FOOBAR {};\nenum class KIND { FIRST, LAST };\n",
		"void f() «LOCKS_EXCLUDED(mu_)» {\n}\nint g() const «A_HOT» { return 1; }\nvoid h() «NO_LOCKS» «PURE_CALL» = 0;\n",
		"«A_FUNC» static int f(void) { return LIMIT; }\n«INLINE_ME»\nint g(void);\n",
		"HANDLE open_it(int a) { }\nDWORD\nclose_it(void) { }\nHANDLE const h = 1;\nHANDLE x;\n",
		"enum e {\n  FIRST,\n  SECOND\n};\nint a[] = { FIRST, SECOND };\n",
		"int f(void) {\n  if (a) CHECK(x) ;\n  CHECK(x);\n  CHECK(x) ;\n  y = CHECK(x);\n  return FIRST;\n}\n",
		"TEST(Suite, Name) {\n}\nDEFINE_IT(x)\n{\n}\n",
		"«DEFINE_IT(x)»\nint f(void) { }\n",
		"class A {\n  «A_CONSTEXPR» A() : b(1) {}\n  «A_INLINE» ~A() {}\n};\n",
		"// A_FUNC static int f();\n/* A_FUNC static */ \"A_FUNC static\"\n",
		"#define A_FUNC static \\\n  A_FUNC static «/* one */» \\\n  x /* two */\n#define B 1 /* three\n*/\nint x;\n",
		"template <typename T>\n«A_FUNC» void f();\nextern \"C\" «A_FUNC» void g();\n",
		"«A_EXTERN» «A_SIZE(2)»\n  void *f(int a);\n«A_EXTERN» «A_HOT» t_t *g(void);\n«A_STATIC» t_t *h(void);\nDWORD «WINAPI» k(void);\n",
		"void f(int &a «A_UNUSED», x::t b «A_UNUSED(1)»);\nt_t FIRST, SECOND;\nvoid g(t_t FIRST, t_t SECOND);\nstatic t_t a «A_UNUSED» = 1;\n",
		"enum e { FIRST «A_OLD(1, \"\")» = 3, SECOND «A_OLD», «ENTRY(»THIRD«, TYPE, 3)», «ENTRY(»FOURTH«)» = 4, ALL(ENTRY) };\nint a[] = { ENTRY(FIRST, 1), LAST };\n",
		"t * «qualifier» f(t * «qualifier» a, t *b, t * const c);\nint x = *a and b, y = a * sizeof c;\nt *«QUALIFIER» d, *NAME;\n",
		"template <class T, A_ENABLE_IF«(sizeof(T) > 1)»>\n«extern» template int f<T>(T t);\n",
		"#if A_INCLUDE(«<string>») && 1\n#define A(x) B(<x>)\n#endif\n",
		"struct s {\n  void f() const «A_LOCK()»;\n  t_t *const NAME;\n};\n",
		"«A_FLAG(int, name, 1)»;\nA_CALL(name, 1);\nclass A {\n  «A_CONSTEVAL» «A_INLINE» A() : b(1) {}\n};\n",
		"std::pair<a, b> f(int a)\n«#if LANG >= 20»\n  requires(!is<a>::value) // one; two\n«#endif»\n{\n}\n",
		"static int\n«#ifdef A»\nf(int a)\n«#elif B»\n«f(char a)»\n«#else»\n«f(void)»\n«#endif // end»\n{\n}\n",
		"#if A\nint f();\n#endif\n{\n#if A\nint g()\n#endif\nint h()\n#if A\n#if B\n#endif\n#endif\n{\n",
		"«A_INIT» std::atomic<std::pair<int, a>> x(false);\n«A_INIT» a::b *x = 0;\nDWORD a::b<c>::f(void);\nDWORD a<b;\nLIMIT < b > c;\n",
		"DWORD «STDCALL» a::f(x y) {}\nvoid «A_API» a::b<c>::f();\nDWORD «__stdcall» a::operator=(a b);\ndword «convention» a::LIMIT();\na b<c>(d);\n",
		"class A {\n  «A_DEPRECATE_AND_INLINE()»\n  A(int a) : b(a) {}\n  «A_DEPRECATED(\"\")»\n  [[nodiscard]] int c() { return LIMIT[0]; }\n};\n",
		"void f() {\n«  #if A < 2»\n  g(a,\n«  #elif B»\n«  h(b,»\n«  #else»\n«  i(\"((\", //(»\n«  #endif»\n  c);\n}\n",
		"void f() {\n«#if 0»\n«  if (a) {»\n«#else»\n  if (b) { A(FIRST);\n«#endif»\n  }\n}\n",
		"if (a) {\n«#ifdef A»\n} else if (b) {\n«#else // no»\n«} else {»\n«#endif /* A */»\n}\n",
		"#ifdef A\nif (a) {\n#else\nif (a) ({\n#endif\n#ifdef A\nif (a) {\n#endif\n#ifdef A\nf();\n#else\ng();\n#endif\n",
		"«#if A»\nf(\n#if B\n b,\n#else\n c))\n#endif\n«#else»\n«g(»\n«#if C»\n«#endif»\n«#endif»\nd);\n",
		"void f() {\n«#ifdef A»\n  if (a) {\n«#endif /* A */»\n  g();\n«#ifdef  A»\n  }\n«#endif»\n}\n",
		"«#ifdef A»\nf({\n«#endif»\n#ifdef B\n  {\n#endif\n«#ifdef A»\n})\n«#endif»\n#ifdef B\n  }\n#endif\n",
		"if (a) {\n«#ifdef A»\n} else {\n«#endif»\n}\n#ifdef A\n}\n#endif\n#ifdef A\n(\n#elif B\n(\n#endif\n#ifdef A\n)\n#endif\n",
		"#ifdef A\n{\n#endif\n#ifndef A\n}\n#endif\n#ifdef A\n)\n#endif\n#ifdef A\n}\n)\n#endif\n",
		"«#ifdef __cplusplus»\n«extern \"C\" {»\n«#endif»\nint f();\n«#if defined(__cplusplus)»\n«} // \"C\"»\n«#endif»\n}\n",
		"#ifdef __cplusplus\nnamespace a {\n#endif\n#ifdef __cplusplus\n}\n#endif\n",
		"#ifdef __cplusplus\nextern \"C\" {\nint x;\n#endif\n#ifdef __cplusplus\n}\n#endif\n",
		"int a «__attribute__((aligned(16)))» = 1;\nstruct __attribute__((packed)) b {};\nstruct alignas(a) { int b; } c;\n",
		"void f() {\n  «__ASM volatile (\"x %0\" : \"=r\" (a))»;\n  SIZE volatile a;\n}\n",
		"«template class A_INST a<b, c>;»\ntemplate <class T> class a;\nx.template class_<a>();\n",
		"g((void («a::»*)(int) «const») &a::f, (b («a<b>::c::»*)()) &c);\nvoid f(int a) const;\n",
		"void «A_FORMAT (printf, 2, 3)» f(int a);\nvoid *«A_HOT» «A_INLINE» g(void);\nDWORD LIMIT(x);\n",
		"typename A_VECTOR«(b)» a(b());\nstruct TYPE«(a)» {\n  int b;\n};\n",
		"int f(int a) «__ksym» «__weak»;\n«__weak» int g(void);\nstatic «__inline_me» void h(void) {}\n«asmlinkage» long k(void);\nauto a = [] {\n  if constexpr (b) {}\n};\n__m128 l(void);\nstatic __m128 n(void);\n",
		"typedef int («A_PTR» *name)(int a);\nint b = (LIMIT *c)+(d);\n",
		"void f() {\n  A_ATTRIBUTE a[] = { 1 };\n  for (b = 0; b < (int)LIMIT; b++) {}\n}\nclass A {\n  int a;\npublic:\n  «A_NEW»\n};\nclass B {\n  int a;\n  «B_NO_COPY(B)»\n};\n",
		"A::A(int a) :\n«#ifdef B»\n  b(a),\n«#endif»\n  c(a) {}\n",
		"a = \"b\" R\"(\"c\")\" «A_B» \"d\";\n",
		"char *a = R\"x(A_BEGIN \" A_FUNC static)x\";\n«A_FUNC» static int f(void);\n",
		"#if A\nf(}\n#else\nf(}\n#endif\n#if A\nf(/*\n#else\nf(\n#endif */\n",
		"#if A /*\n*/\nf(\n#else /*\n*/\nf(\n#endif\n",
		"void f(void) {\n  RESET(t, p,\n    «.a = »1,\n    «.»b.c« = { [FIRST] = 2, { \"}\" } }»,\n    «.d = »g(«.e = »3)«,»\n  );\n  t x = { .a = 1, .b = { h(1, .c) }, };\n  RESET(«.a = »(t){ .b = 2, }, .a == 3, .b);\n}\n",
		"int a[] = {\n«#ifdef A»\n  1,\n«#endif»\n«#if B»\n  { 2 },\n«#else\n  { 3 },\n#endif»\n};\nenum e {\n#ifdef A\n  X,\n#endif\n};\n",
		"void f(int a,\n«#if A»\n  int b\n«#elif B\n  int c\n#endif»\n) {\n#if A\n  g();\n#endif\n  if (a &&\n«#ifdef B»\n  b ||\n«#endif»\n  c) {}\n  x =\n«#if 0\n  a +\n#else»\n  b +\n«#endif»\n  1;\n  for (a; b;\n«#if A»\n  c\n«#endif»\n  ) {}\n}\n",
		"f(\n«#if 0\n a,\n#endif»\n b);\n", "f(;\n#if A\n a\n#endif\n", "f(\n#if A\n }\n#endif\n)",
		"static t_t\n«internal» f (int a);\nstruct s «internal» g(void);\nstatic t_t h(void);\nunsigned long k(void);\nreturn a b(c);\nt_t (*p)(void);\n",
		"int a = (int)FIRST_ONE;\nvoid f() {\n  g((b)FIRST_ONE);\n  c = (int)LAST_ONE;\n  if (c) d = (int)SIZE_OF(x);\n  if (c) FLAGS = 1;\n}\nint h(int) «A_PURE»;\n",
		"int a::f() const {\n  «Q_X(const t)»;\n  Q_X(a);\n  «emit» b->c(1);\n  «Q_EMIT» c(1);\n  emit(c);\n}\nclass QX { QX(const QX &); };\n",
		"void f() {\n  g(a, SIGNAL(b(«int, t*»)), SLOT(c(«const t &»)), MAKE(d(e, g(1))), SLOT(c(t)));\n}\n",
		"struct «a_b_EXPORT» name : t {};\nt a[3] «A_GUARDED(x)»;\nt *b «A_GUARDED(x)» «A_LATER(y)»;\nvoid f() { x = «::»new (a) t; «::»delete b; a::news(); }\n",
		"class A {\npublic «Q_SLOTS»:\n  int a;\n«PUBLISHED:»\n  enum «: a::b »{ FIRST };\n  enum c : b { LAST };\n};\nint f() { FIRST: g(); d ? FIRST : LAST; }\n",
		"class «__api» name {\n};\ntypedef struct «__packed» s {\n} s_t;\n\nvoid f() { for (struct a b : c) {} class a b{c}; }\nstruct a b::f() {}\n",
		"void «__launch(N, 2)» f(int a) {}\nstatic int «format(1, 2)»\ng(char *a) {}\nstatic «__printf(1, 2)» void h(void) {}\nvoid k(int a) locks(b);\nvoid __k(int a) __locks(b) {}\n",
		"static t a[] «__init» = { 1 };\ntypedef struct { int a; } __a_t;\nvoid f() { T_TYPE template[] = { 1 }; }\n",
		"«_Success_(return)» BOOL f(«_In_» HANDLE a, «_Out_writes_(n)» char *b, «__in» DWORD c, __u32 d, __u8 const *e, int _Name_);\n",
		"«__visible» «noinline» «__cold» void f(void) {}\n«asmlinkage» «__visible» int g(void) {}\n__u32 h __weak;\nf_t a b;\n",
		"class «A_API» [[deprecated(\"\")]] name {\n};\ntypedef __u16 «__bitwise» __le16;\ntypedef unsigned __int128 __u128;\ntypedef t «FAR» * «FAR» * p;\n",
		"void f() {\n  EXPECT(«throw» a(\"\"), a);\n  return b ? c : «throw» d;\n  throw e;\n  switch (x) { case 1: throw f; }\n}\nvoid g() throw(h);\n",
		"«constexpr» a::operator bool() const {}\n«inline» a<b>::operator char() {}\ninline t a::operator+(b c) {}\n",
		"void f() { for «co_await» (auto a : b()) {} }\n",
		"void f() { g(\"%\" «PRIu64» \" \", \"%\" PRIu64); }\nextern \"C\" int g();\n«A_END_DECLS»\n",
		"RESET(t, .a = {", "f(t, «.»a« = { 1 }»;\n", "RESET(t, .", "(]}{)", ")}", "f(,", "f({ .a = 1, .b = 2 }«,»)",
		"#if", "#if A", "#if A\n#endif", "#if A\n#", "# \n«#if A»\n«#else»\n«#endif»\n{", "A_FUNC", "A_FUNC(", "A_FUNC(x", "#", "#define A \\", "'", "\"\\", "/*", "class A_FUNC", "",
	} {
		text := strings.NewReplacer("«", "", "»", "").Replace(marked)
		var want strings.Builder
		for rest := marked; rest != ""; {
			before, after, _ := strings.Cut(rest, "«")
			inside, behind, _ := strings.Cut(after, "»")
			want.WriteString(before)
			for line := range strings.Lines(inside) {
				code := strings.TrimSuffix(line, "\n")
				want.WriteString(strings.Repeat(" ", len(code)) + line[len(code):])
			}
			rest = behind
		}
		if got := WithoutMacros(text); got != want.String() {
			t.Errorf("%q becomes\n%q, want\n%q", text, got, want.String())
		}
	}
}

func TestMacrosBeforeBlocksEnd(t *testing.T) {
	for text, want := range map[string]string{
		"void f() { EACH(a, b(c)) { g(); } }\n":                         "void f() { EACH(a, b(c));{ g(); } }\n",
		"void f() { g(); each (a)\t{ h(); } }\n":                        "void f() { g(); each (a);{ h(); } }\n",
		"void f()\n{\n  if (a) each(b) {}\n  else { each(c) {} }\n}\n":  "void f()\n{\n  if (a) each(b);{}\n  else { each(c);{} }\n}\n",
		"void f() { each(a){} }\n":                                      "void f() {        {} }\n",
		"void f() {\n  each(a)\n  {\n  }\n}\n":                          "void f() {\n         \n  {\n  }\n}\n",
		"void f() { if (a) {} for (;;) {} while (b) {} switch (c) {} }": "void f() { if (a) {} for (;;) {} while (b) {} switch (c) {} }",
		"void f() { INIT(t, a){ 1, 2 }; t x = { g(1) }; }":              "void f() { INIT(t, a){ 1, 2 }; t x = { g(1) }; }",
		"void f() { struct s { s(int a) {} }; auto l = [](int a) {}; }": "void f() { struct s { s(int a) {} }; auto l = [](int a) {}; }",
		"TEST(a, b) { g(); }\nnamespace n { TEST(a, c) { g(); } }\n":    "TEST(a, b) { g(); }\nnamespace n { TEST(a, c) { g(); } }\n",
		"void f() { each(": "void f() { each(", "void f() { each(a)": "void f() { each(a)", "void f() { each(a) {": "void f() { each(a);{",
	} {
		if got := WithoutMacros(text); got != want {
			t.Errorf("%q becomes\n%q, want\n%q", text, got, want)
		}
	}
}

func TestMacrosThatDeclareBecomeDeclarations(t *testing.T) {
	for text, want := range map[string]string{
		"void f() { ASSIGN(auto a, g({1}, h)); }":                         "void f() {        auto a= g({1}, h) ; }",
		"void f() { ASSIGN(a::b<c, d> *x, g<c, d>(1), _ << 2); }":         "void f() {        a::b<c, d> *x= g<c, d>(1); _ << 2 ; }",
		"void f() { ASSIGN(const t &a, g([](int b) { return b; })); }":    "void f() {        const t &a= g([](int b) { return b; }) ; }",
		"void f() { CHECK(a, b); CHECK(a * b, c); CHECK(a b); }":          "void f() { CHECK(a, b); CHECK(a * b, c); CHECK(a b); }",
		"void f() { g(ASSIGN(auto a, b)); }":                              "void f() { g(ASSIGN(auto a, b)); }",
		"void f() { foreach (t *a, b.c()) { g(); } }":                     "void f() { foreach (t *a, b.c());{ g(); } }",
		"void f() { foreach(const t &a, b.c())\n{ g(); } }":               "void f() { for    (const t &a: b.c())\n{ g(); } }",
		"void f(t a = {}, u b = { 1, 2 });\nv = { {} };\n":                "void f(t a = 0 , u b = 0       );\nv = { {} };\n",
		"#if __has_feature(a::b) || __has_x\n#if __has_warning(\"-W\")\n": "#if __has_feature(____) || __has_x\n#if __has_warning(____)\n",
		"void f() { ASSIGN(a b,":                                          "void f() {        a b=", "void f() { ASSIGN(a b": "void f() { ASSIGN(a b", "void f() { ASSIGN(": "void f() { ASSIGN(",
	} {
		if got := WithoutMacros(text); got != want {
			t.Errorf("%q becomes\n%q, want\n%q", text, got, want)
		}
	}
}

// TestLongConditions has comments, strings and directives at the end of what is read of a condition.
func TestLongConditions(t *testing.T) {
	for _, end := range []string{"/*", "/**/", "//\n", "\"\"", "\n#else\n(\n#endif\n", "\n#"} {
		for n := maxBranches - 20; n < maxBranches+20; n++ {
			text := "#if A\n(" + strings.Repeat(" ", n) + end
			if got := WithoutMacros(text); len(got) != len(text) {
				t.Errorf("%q behind %d blanks: %d bytes of %d", end, n, len(got), len(text))
			}
		}
	}
}

func TestOperatorsCalledByNameHaveCommonNames(t *testing.T) {
	for text, want := range map[string]string{
		"a *operator->() const { return &operator*(); }\n": "a *operator->() const { return &_________(); }\n",
		"x = y.operator->()(z.operator()(1));\n":           "x = y.__________()(z.__________(1));\n",
		"p->operator+=(1); q->operator a::b<c>();\n":       "p->__________(1); q->________________();\n",
		"a &operator*();\nreturn operator ==(a);\n":        "a &operator*();\nreturn ___________(a);\n",
		"y.operator": "y.operator", "y.operator;\n(": "y.operator;\n(", "y.operator(": "y.operator(",
	} {
		if got := WithoutMacros(text); got != want {
			t.Errorf("%q becomes\n%q, want\n%q", text, got, want)
		}
	}
}

func TestWithoutMacrosTakesLinearTime(t *testing.T) {
	n := lineartest.Size(t)
	for _, s := range []string{"#/*\n", "A_FUNC(", "A_FUNC\n", "A_FUNC /*", "A_FUNC \\\n", "# \\\n", ") A_FUNC ", "class A_FUNC(\"", "A_FUNC\nx *", "enum{A_FUNC(", "A_FUNC A_FUNC(", "<A_FUNC(", "*\n", "#if (<", "#if A\n", "#if A\n#endif\n", "#if A\n(\n#else\n(\n#endif\n", "#if A\n#if A\n#if A\n#if A\n#endif\n#endif\n", "#if A\n(/*", "#if A\n(\n#endif\n", "#if A\n(\n#endif\n#if A\n)\n#endif\n", "#if A\n(\n#endif\n#if B\n)\n#endif\n", "y.operator", "A_FUNC a<", "A_FUNC a::", "f(.a={", "f(.a.a", "f(){A(x){", "f(){A(x){{", "(\n#if A\n", "(\n#if A\n#endif\n", "={\n#if A\n", "t a b(", "(}", "f(){ASSIGN(a b,", "f(){ASSIGN(a ", "f(A_FUNC(g(int ", "f(){A(const ", "(={", ") A_FUNC;", "f(){each(a b,", "#if __has_(", "import}", "{import", "export module}", "a*b(c)", "A_FUNC(a)(b){"} {
		lineartest.Check(t, fmt.Sprintf("%q", s), n, func(n int) func() {
			text := lineartest.Repeat(s, n)
			return func() {
				if got := WithoutMacros(text); len(got) != len(text) {
					t.Errorf("%q: %d bytes of %d", s, len(got), len(text))
				}
			}
		})
	}
}
