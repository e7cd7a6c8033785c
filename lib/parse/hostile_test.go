package parse

import (
	"fmt"
	"os"
	"sort"
	"strings"
	"testing"
	"time"

	"cortex/lib/language"
	"cortex/lib/parse/extract"
	"cortex/lib/parse/lexical"
	"cortex/lib/record"
	"cortex/lib/record/jsonl"
)

// TestHostileFilesStayCheap gives every grammar text that nests, repeats and
// breaks off. None may take long, and what is found must not swell.
func TestHostileFilesStayCheap(t *testing.T) {
	for name, text := range hostile(3000, 200) {
		for _, lang := range languages() {
			t.Run(name+"/"+lang, func(t *testing.T) { testHostile(t, lang, text) })
		}
	}
	// What takes the longest when there is more of it.
	large := hostile(50_000, 2_000)
	for _, name := range []string{"closed", "sum", "arrows", "names", "chain", "else", "backticks", "tags"} {
		for _, lang := range []string{"go", "typescript", "python"} {
			t.Run("large "+name+"/"+lang, func(t *testing.T) { testHostile(t, lang, large[name]) })
		}
	}
	for langs, texts := range hostileIn(3000) {
		for lang := range strings.FieldsSeq(langs) {
			for i, text := range texts {
				t.Run(fmt.Sprintf("own %d/%s", i, lang), func(t *testing.T) { testHostile(t, lang, text) })
			}
		}
	}
}

// hostile are texts that nest deep levels and repeat n times.
func hostile(deep, n int) map[string]string {
	return map[string]string{
		"parentheses":    strings.Repeat("(", deep),
		"brackets":       strings.Repeat("[", deep),
		"braces":         strings.Repeat("{", deep),
		"closed":         strings.Repeat("(", deep) + strings.Repeat(")", deep),
		"assigned":       "x = " + strings.Repeat("[", deep) + strings.Repeat("]", deep) + "\n",
		"sum":            "var x = " + strings.Repeat("a + ", n) + "a\n",
		"lines of sum":   "x = (" + strings.Repeat("a +\n", n) + "a)\n",
		"minus":          "x = " + strings.Repeat("- ", n) + "a\n",
		"calls":          "x" + strings.Repeat("()", n),
		"members":        "x" + strings.Repeat(".y", n),
		"functions":      strings.Repeat("function f() {\n", n),
		"funcs":          "package p\n" + strings.Repeat("func f() {\n", n),
		"classes":        strings.Repeat("class A { static f() { return ", n/20),
		"defs":           nestedDefs(n / 5),
		"arrows":         "const f = " + strings.Repeat("(a) => ", n) + "1",
		"names":          "package p\nvar " + strings.Repeat("a, ", n/2) + "a int\n",
		"documented":     "package p\n// " + strings.Repeat("long ", n/10) + "\nvar " + strings.Repeat("a, ", n/10) + "b int\n",
		"assignments":    strings.Repeat("x = 1\n", n),
		"chain":          strings.Repeat("x = ", n) + "1\n",
		"else":           "if a {}" + strings.Repeat(" else if a {}", n),
		"quotes":         strings.Repeat("\"", n+1),
		"single quotes":  strings.Repeat("'", n+1),
		"triple quotes":  strings.Repeat(`"""`, n/2+1),
		"backticks":      strings.Repeat("`${", n/3),
		"comments":       strings.Repeat("/*", n),
		"braced":         strings.Repeat("{-", n) + strings.Repeat("(*", n),
		"line comments":  strings.Repeat("// x\n# x\n-- x\n", n/4) + "def f(): pass\n",
		"attributes":     strings.Repeat("@a\n", n/4) + "class A: pass\n",
		"tags":           strings.Repeat("<a>", n/3),
		"type arguments": "let x: " + strings.Repeat("A<", n),
		"colons":         strings.Repeat("a:", n),
		"dollars":        strings.Repeat("$a$", n),
		"heredocs":       "f " + strings.Repeat("<<A ", n/10) + "\n",
		"requires":       strings.Repeat(`require("a`+"b"+`");`, n/10),
		"long name":      "var " + strings.Repeat("a", n) + " = 1\n",
		"blanks":         strings.Repeat(" ", n*5) + "x" + strings.Repeat("\n", n),
		"tabs":           strings.Repeat("\t", n) + "def f():\n" + strings.Repeat("\t", n+1) + "pass\n",
		"indents":        indents(n / 10),
		"nul":            strings.Repeat("\x00", n),
		"words":          strings.Repeat("func var class def ", n/10),
	}
}

// hostileIn are texts for some languages: their scanners and what nests in them.
func hostileIn(n int) map[string][]string {
	deep := func(begin, inner, end string) string {
		return strings.Repeat(begin, n/4) + inner + strings.Repeat(end, n/4)
	}
	return map[string][]string{
		"yaml":                   {nested(500, "a:\n"), strings.Repeat("- ", n) + "a\n", deep("[", "a", "]"), "a: |\n" + strings.Repeat(" \n", n), strings.Repeat("&a ", n)},
		"haskell":                {nested(400, "f = do\n"), deep("{-", "a", "-}"), strings.Repeat("f = let x = case y of z -> ", n/10), strings.Repeat("[| ", n/10)},
		"python":                 {nested(400, "if a:\n"), "x = " + strings.Repeat(`f"{`, 200), "x = " + strings.Repeat("lambda: ", n)},
		"just makefile":          {nested(300, "a:\n"), "a:\n" + strings.Repeat("\t{{", n) + "\n", strings.Repeat("$(", n)},
		"scala ocaml":            {nested(400, "object A:\n"), deep("/*", "a", "*/"), deep("(*", "a", "*)"), strings.Repeat(`s"${`, n/10)},
		"swift rust kotlin dart": {deep("/*", "a", "*/"), strings.Repeat(`"\(`, n/10), strings.Repeat(`"${`, n/10), strings.Repeat("#", n) + `"a`},
		"rust cpp csharp lua":    {"x = r" + strings.Repeat("#", n) + `"a`, `x = R"` + strings.Repeat("a", n) + "(a", "x = " + strings.Repeat(`"`, n) + "a", "x = [" + strings.Repeat("=", n) + "[a", strings.Repeat(`$"{`, n/10)},
		"bash ruby php":          {"cat " + strings.Repeat("<<A ", n/10) + "\n" + strings.Repeat("A\n", n/20), "<?php $x = <<<" + strings.Repeat("A", n), strings.Repeat(`"#{`, n/10), strings.Repeat("$(", n/10), "x = <<" + strings.Repeat("A", 300) + ", <<B\n"},
		"elixir julia r":         {strings.Repeat(`"#{`, n/10), strings.Repeat(`"$(`, n/10), strings.Repeat("fn -> ", n/4), strings.Repeat("if a do\n", n/4), "r\"" + strings.Repeat("-", n) + "(a"},
		"html xml":               {deep("<a>", "b", "</a>"), deep("<a b='", "c", "'>"), strings.Repeat("<"+strings.Repeat("a", 250)+">", 20), "<!DOCTYPE a [" + strings.Repeat("<!ELEMENT a (", n/4), strings.Repeat("</a>", n), "<script>" + strings.Repeat("{", n)},
		"sql":                    {strings.Repeat("$"+strings.Repeat("a", 100)+"$ ", n/20), "SELECT " + strings.Repeat("(SELECT ", n/10), strings.Repeat("CREATE TABLE a (b int);\n", n/10), "SELECT " + strings.Repeat("CASE WHEN a THEN ", n/10)},
		"c cpp":                  {strings.Repeat("#if a\n", n), strings.Repeat("#define a \\\n", n), strings.Repeat("struct {", n/4), strings.Repeat("A(b) ", n), "int x = " + strings.Repeat("(a)(b)", n), strings.Repeat("a<b<", n/4)},
		"objectivec":             {deep("[a b:", "c", "]"), "[a" + strings.Repeat(" b:c", n) + "]", "[a b:" + strings.Repeat("x ? y : ", n) + "z]", strings.Repeat("x = FOOO(;", n/4), strings.Repeat("id<A> ", n), "- (void)f" + strings.Repeat(" A_B(x)", n), strings.Repeat("#else\n- a\n", n/4), strings.Repeat("@interface A { int x; ", n/10)},
		"hcl":                    {strings.Repeat("a {\n", n/4), `a = "` + strings.Repeat("${", n/4), "a = <<A\n" + strings.Repeat("${<<B\n", n/10)},
		"json toml css":          {deep(`{"a":`, "1", "}"), deep("[", "1", "]"), strings.Repeat("[a.b]\n", n), strings.Repeat("a{", n)},
		"pascal fortran":         {strings.Repeat("begin\n", n/4), strings.Repeat("{", n), strings.Repeat("if (a) then\n", n/4), strings.Repeat("a &\n", n)},
		"java csharp zig":        {strings.Repeat("class A {", n/4), strings.Repeat("@A(", n/4), strings.Repeat("a ? b : ", n), strings.Repeat("new A() {", n/10), strings.Repeat("\\\\a\n", n)},
	}
}

func testHostile(t *testing.T, lang, text string) {
	every := 3
	switch {
	case os.Getenv("CORTEX_ALL_TESTS") != "":
		every = 1
	case testing.Short():
		every = 13
	}
	if testing.Short() && len(text) > 50_000 || len(t.Name())%every > 0 {
		t.Skip("one of many")
	}
	t.Parallel()
	start := time.Now()
	f := parseFile("x", language.Language{Name: lang}, []byte(text))
	took := time.Since(start)
	line, err := jsonl.Append(nil, f)
	if err != nil {
		t.Fatal(err)
	}
	// The keys and numbers of a symbol take less than 200 bytes, beside its texts.
	if limit := 4*len(text) + extract.SymbolBase + extract.SymbolFactor*len(text) + 200*len(f.Symbols); len(line) > limit {
		t.Errorf("%d bytes of record from %d bytes", len(line), len(text))
	}
	if f.Status == record.StatusError && f.Reason == "" {
		t.Error("no reason")
	}
	// The bound is three seconds of processor time.
	if took > time.Minute {
		t.Errorf("took %v", took)
	}
	checkFile(t, f)
}

func nestedDefs(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i%200) + "def f():\n")
	}
	return b.String()
}

func indents(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i) + "class a:\n")
	}
	return b.String() + strings.Repeat(" ", n) + "pass\n"
}

// checkFile tests what must hold for every record.
func checkFile(t *testing.T, f *record.File) {
	t.Helper()
	lines := lexical.LineStarts(f.Text)
	lineOf := func(pos int) int { return sort.Search(len(lines), func(i int) bool { return lines[i] > pos }) }
	var open []record.Symbol
	for i, s := range f.Symbols {
		if s.StartByte < 0 || s.StartByte >= s.EndByte || s.EndByte > len(f.Text) {
			t.Fatalf("symbol %q has the span %d-%d of %d bytes", s.QualifiedName, s.StartByte, s.EndByte, len(f.Text))
		}
		if got := lineOf(s.StartByte); got != s.StartLine {
			t.Fatalf("symbol %q: byte %d is on line %d, not %d", s.QualifiedName, s.StartByte, got, s.StartLine)
		}
		if got := lineOf(s.EndByte - 1); got != s.EndLine {
			t.Fatalf("symbol %q: byte %d is on line %d, not %d", s.QualifiedName, s.EndByte-1, got, s.EndLine)
		}
		if s.BodyByte != 0 && (s.BodyByte < s.StartByte || s.BodyByte > s.EndByte) {
			t.Fatalf("symbol %q: body at %d outside of %d-%d", s.QualifiedName, s.BodyByte, s.StartByte, s.EndByte)
		}
		if s.DocLine < 0 || s.DocLine > s.StartLine {
			t.Fatalf("symbol %q: doc at line %d, span at %d", s.QualifiedName, s.DocLine, s.StartLine)
		}
		if i > 0 && f.Symbols[i-1].StartByte > s.StartByte {
			t.Fatalf("symbol %q stands before its predecessor", s.QualifiedName)
		}
		for len(open) > 0 && open[len(open)-1].EndByte <= s.StartByte {
			open = open[:len(open)-1]
		}
		if len(open) > 0 && open[len(open)-1].EndByte < s.EndByte {
			t.Fatalf("symbols %q and %q overlap", open[len(open)-1].QualifiedName, s.QualifiedName)
		}
		open = append(open, s)
		if strings.ContainsAny(s.Signature, "\n") || len(s.Signature) > extract.MaxSignature {
			t.Fatalf("symbol %q has the signature %q", s.QualifiedName, s.Signature)
		}
	}
	last := 1
	for _, b := range f.Breaks {
		if b.Line() <= last || b.Line() > len(lines) || b.Depth() < 0 {
			t.Fatalf("break %v after line %d of %d", b, last, len(lines))
		}
		last = b.Line()
	}
}
