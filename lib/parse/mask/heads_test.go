package mask

import "testing"

func TestHeadsThatMacrosWrite(t *testing.T) {
	for text, want := range map[string]string{
		"double WRAP(cosine)(double x) { return x; }\n":                                                             "double      cosine (double x) { return x; }\n",
		"RUN_F(Fixture, name)(a &b) {\n}\n":                                                                         "RUN_F          name (a &b) {\n}\n",
		"class A {\n  METHOD_(ULONG, Add)() override { return f(a)(b); }\n};":                                       "class A {\n  METHOD_        Add () override { return f(a)(b); }\n};",
		"API int (f) (int a) {\n  if (a)(b);\n}\n":                                                                  "    int (f) (int a) {\n  if (a)(b);\n}\n",
		"struct A { bool operator()(int a) const { return CALL(a)(b); } };\n":                                       "struct A { bool operator()(int a) const { return CALL(a)(b); } };\n",
		"typedef NS_ENUM(NSInteger, State) {\n  On = 1,\n};\n":                                                      "        enum               State  {\n  On = 1,\n};\n",
		"typedef /* a typedef */ A_ENUM(B) {\n} /* c */;\n":                                                         "                        enum   B  {\n} /* c */;\n",
		"DECLARE_INTERFACE_(IThing, IUnknown)\n{\n  int a;\n};\n":                                                   "struct             IThing           \n{\n  int a;\n};\n",
		"class A {\n  virtual void f() {};\n  int a{}; int g() const { };\n};":                                      "class A {\n  virtual void f() {} \n  int a{}; int g() const { } \n};",
		"class A {\n public:\n  void f() {};\n struct x : NAMED(\"a\") {};\n};":                                     "class A {\n public:\n  void f() {} \n struct x : NAMED(\"a\") {};\n};",
		"void f() {\n  FOREACH_ENUM(Kind, k) {\n  }\n}\n":                                                           "void f() {\n  FOREACH_ENUM(Kind, k);{\n  }\n}\n",
		"DRIVER(name) = {\n  .a = 1,\n};\nstatic DEFINE_LOCK(lock);\nstatic DEFINE_EACH(int, each);\nCALL(name);\n": "DRIVER name  = {\n  .a = 1,\n};\nstatic DEFINE_LOCK lock ;\nstatic DEFINE_EACH      each ;\nCALL(name);\n",
		"char *f(a, b)\nint a;\nchar *b;\n{\n}\nint *g(int a) {\n  b;\n}\n":                                         "char *f(a, b)\n      \n        \n{\n}\nint *g(int a) {\n  b;\n}\n",
		"module;\nexport module a.b:c;\nimport std;\nexport import <b>;\nexport int f();\nmodule a;\n":              "       \n                    \n           \n                  \n       int f();\nmodule a;\n",
		"class A {\n  struct b : c<f(d)> {};\n  t e = [](int) {};\n};\nclass f F_BASE {\n};\n":                      "class A {\n  struct b : c<f(d)> {};\n  t e = [](int) {};\n};\nclass f F_BASE {\n};\n",
		"class A {\n  // a://b() {};\n  c() //:// d\n  {};\n};\n":                                                   "class A {\n  // a://b() {};\n  c() //:// d\n  {};\n};\n",
		"class A final {};\nt a = (t) {};\nvoid f() { h([] () {}); }\n":                                             "class A final {};\nt a = (t) {};\nvoid f() { h([] () {}); }\n",
	} {
		if got := WithoutMacros(text); got != want {
			t.Errorf("%q becomes\n%q, want\n%q", text, got, want)
		}
		for end := range text { // a text may end anywhere
			WithoutMacros(text[:end])
		}
	}
}
