package parse

import (
	"strings"
	"testing"
	"time"

	"cortex/lib/language"
	"cortex/lib/record"
)

// TestHostileFilesStayCheap gives every grammar text that nests, repeats and
// breaks off. None may take long, and what is found must not swell.
func TestHostileFilesStayCheap(t *testing.T) {
	const deep, n = 100_000, 10_000
	inputs := map[string]string{
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
		"defs":           nestedDefs(2000),
		"arrows":         "const f = " + strings.Repeat("(a) => ", n) + "1",
		"names":          "package p\nvar " + strings.Repeat("a, ", n/2) + "a int\n",
		"documented":     "package p\n// " + strings.Repeat("long ", 1000) + "\nvar " + strings.Repeat("a, ", n/10) + "b int\n",
		"assignments":    strings.Repeat("x = 1\n", n),
		"chain":          strings.Repeat("x = ", n) + "1\n",
		"else":           "if a {}" + strings.Repeat(" else if a {}", n),
		"quotes":         strings.Repeat("\"", n+1),
		"triple quotes":  strings.Repeat(`"""`, n/2+1),
		"backticks":      strings.Repeat("`${", n/3),
		"comments":       strings.Repeat("/*", n),
		"line comments":  strings.Repeat("// x\n# x\n", n/4) + "def f(): pass\n",
		"attributes":     strings.Repeat("@a\n", n/4) + "class A: pass\n",
		"tags":           strings.Repeat("<a>", n/3),
		"type arguments": "let x: " + strings.Repeat("A<", n),
		"colons":         strings.Repeat("a:", n),
		"requires":       strings.Repeat(`require("a`+"b"+`");`, n/10),
		"long name":      "var " + strings.Repeat("a", n) + " = 1\n",
		"blanks":         strings.Repeat(" ", n*5) + "x" + strings.Repeat("\n", n),
		"tabs":           strings.Repeat("\t", n) + "def f():\n" + strings.Repeat("\t", n+1) + "pass\n",
		"indents":        indents(500),
		"nul":            strings.Repeat("\x00", n),
		"words":          strings.Repeat("func var class def ", n/10),
	}
	for name, text := range inputs {
		for _, lang := range languages() {
			t.Run(name+"/"+lang, func(t *testing.T) {
				t.Parallel()
				start := time.Now()
				f := File("x", language.Language{Name: lang}, []byte(text))
				took := time.Since(start)
				line, err := record.Append(nil, f)
				if err != nil {
					t.Fatal(err)
				}
				if limit := 4*len(text) + symbolBase + symbolFactor*len(text); len(line) > limit {
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
			})
		}
	}
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
	lines := lineStarts(f.Text)
	x := extraction{text: f.Text, lines: lines}
	var open []record.Symbol
	for i, s := range f.Symbols {
		if s.StartByte < 0 || s.StartByte >= s.EndByte || s.EndByte > len(f.Text) {
			t.Fatalf("symbol %q has the span %d-%d of %d bytes", s.QualifiedName, s.StartByte, s.EndByte, len(f.Text))
		}
		if got := x.line(s.StartByte); got != s.StartLine {
			t.Fatalf("symbol %q: byte %d is on line %d, not %d", s.QualifiedName, s.StartByte, got, s.StartLine)
		}
		if got := x.line(s.EndByte - 1); got != s.EndLine {
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
		if strings.ContainsAny(s.Signature, "\n") || len(s.Signature) > maxSignature {
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
