package parse

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"cortex/lib/language"
	"cortex/lib/lineartest"
	"cortex/lib/parse/extract"
	"cortex/lib/parse/grammar"
	"cortex/lib/parse/manifest"
	"cortex/lib/parse/mask"
	"cortex/lib/record"
)

// TestExtractionIsLinear repeats lines of the golden cases, between comments and blanks too, and
// measures what is made of the tree; parsing and the query have their own bound. Without
// CORTEX_LONG_TESTS it takes some of the lines.
func TestExtractionIsLinear(t *testing.T) {
	n := lineartest.Size(t)
	every := 1
	if n < 100<<10 {
		every = 157
	}
	w := newWorker()
	defer w.Close()
	tried := 0
	for _, name := range languages() {
		t.Run(name, func(t *testing.T) {
			g := grammar.For(name, "x")
			p, err := g.Compile()
			if err != nil {
				t.Fatal(err)
			}
			for _, seed := range goldenLines(t, name) {
				for _, shape := range extractionShapes(name) {
					if tried++; tried%every > 0 {
						continue
					}
					lineartest.Check(t, fmt.Sprintf("%s of %q", shape.name, seed), n, func(n int) func() {
						text := shape.make(seed, n)
						masked := g.Prepare(text)
						tree, err := w.Run(p.Query, masked)
						if err != nil {
							return func() {}
						}
						tree.Captures, tree.Breaks = slices.Clone(tree.Captures), slices.Clone(tree.Breaks)
						return func() {
							e := extract.Extractor{Parser: w.Parser} // a large file leaves no room to the next
							e.Fill(&record.File{FilePath: "x", Text: text}, p, masked, tree)
						}
					})
				}
			}
		})
	}
}

// TestSharedTextIsReadOnce has texts that many definitions share: if each definition read them, the cost of a file
// would be quadratic in its size.
func TestSharedTextIsReadOnce(t *testing.T) {
	n := lineartest.Size(t)
	blanks := func(n int) string { return strings.Repeat(" ", n) }
	for name, c := range map[string]struct {
		language string
		make     func(n int) string
	}{
		"comments behind values in one line": {"javascript", func(n int) string { return lineartest.Repeat("var a = 1; /* x */ ", n) }},
		"a comment and blanks":               {"javascript", func(n int) string { return "/* x */" + blanks(n/2) + lineartest.Repeat("var a = 1;", n/2) }},
		"an attribute and blanks":            {"java", func(n int) string { return "class A { @B" + blanks(n/2) + lineartest.Repeat("int x; ", n/2) + "}" }},
		"a line of comments behind blanks":   {"go", func(n int) string { return "package p\n" + blanks(n/2) + lineartest.Repeat("/**/ ", n/2) + "\n" }},
		"comments above names": {"go", func(n int) string {
			return "package p\n" + lineartest.Repeat("//\n", n/2) + "var " + lineartest.Repeat("a, ", n/2) + "b int\n"
		}},
		"strings above names":           {"python", func(n int) string { return lineartest.Repeat("#\n", n/2) + lineartest.Repeat("a = ", n/2) + "1\n" }},
		"packages in packages":          {"scala", func(n int) string { return lineartest.Repeat("package a\n", n) }},
		"labels of a block":             {"hcl", func(n int) string { return "a " + lineartest.Repeat(`"b" `, n) + "{}\n" }},
		"quotes in the text of a macro": {"rust", func(n int) string { return "fn f() { m!(" + lineartest.Repeat("'a ", n) + "); }\n" }},
		"marks behind a definition": {"haskell", func(n int) string {
			return "a = b" + lineartest.Repeat(")", n/2) + "\n" + lineartest.Repeat("-- ^ x\n", n/2)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			g := grammar.For(c.language, "x")
			p, err := g.Compile()
			if err != nil {
				t.Fatal(err)
			}
			w := newWorker()
			defer w.Close()
			lineartest.Check(t, c.language, n, func(n int) func() {
				text := c.make(n)
				masked := g.Prepare(text)
				tree, err := w.Run(p.Query, masked)
				if err != nil {
					t.Skip(err)
				}
				tree.Captures, tree.Breaks = slices.Clone(tree.Captures), slices.Clone(tree.Breaks)
				return func() {
					e := extract.Extractor{Parser: w.Parser}
					e.Fill(&record.File{FilePath: "x", Text: text}, p, masked, tree)
				}
			})
		})
	}
}

// TestMacrosAreLinear repeats lines and tokens of C and what its preprocessor reads.
func TestMacrosAreLinear(t *testing.T) {
	n := lineartest.Size(t)
	lines := append(goldenLines(t, "c"), goldenLines(t, "cpp")...)
	for _, seed := range []string{"#define a /**/", "#if a\n#else\n", "#if (<", "A(", "AAAA(", "AAAA ", "AAAA *", "AAAA<", "AAAA::a", "/*", "//", "\\\n", "\"", "'", "* const", "operator+(", ".operator+", "enum {AAAA(a,", "template<AAAA(", "AAAA\n"} {
		lines = append(lines, seed, seed+" ", seed+"\n", "#define a "+seed+" /**/")
	}
	for _, line := range lines {
		for _, shape := range extractionShapes("c") {
			if shape.name == "one line" || shape.name == "commented" && n < 100<<10 {
				continue
			}
			lineartest.Check(t, fmt.Sprintf("%s of %q", shape.name, line), n, func(n int) func() {
				text := shape.make(line, n)
				return func() { mask.WithoutMacros(text) }
			})
		}
	}
	lineartest.Check(t, "comments and blanks in a directive", n, func(n int) func() {
		text := "#define a " + lineartest.Repeat("/**/", n/2) + strings.Repeat(" ", n/2) + "\n"
		return func() { mask.WithoutMacros(text) }
	})
}

// goldenLines are the lines of a language's golden cases.
func goldenLines(t *testing.T, name string) []string {
	var out []string
	for _, data := range cases(t, name) {
		for line := range strings.Lines(string(data)) {
			if line = strings.TrimSpace(line); line != "" && len(line) < 200 && utf8.ValidString(line) && !slices.Contains(out, line) {
				out = append(out, line)
			}
		}
	}
	return out
}

// A shape makes a text of about n bytes that repeats a line.
type shape struct {
	name string
	make func(line string, n int) string
}

func extractionShapes(name string) []shape {
	lang, _ := language.ByName(name)
	comment, block := lang.Comment+" x"+lang.CommentEnd, "/* x */"
	if lang.CommentEnd != "" {
		block = comment
	}
	return []shape{
		{"lines", func(line string, n int) string { return lineartest.Repeat(line+"\n", n) }},
		{"one line", func(line string, n int) string { return lineartest.Repeat(line+" ", n) }},
		{"comments", func(line string, n int) string {
			return lineartest.Repeat(comment+"\n", n/2) + lineartest.Repeat(line+" ", n/2)
		}},
		{"commented", func(line string, n int) string { return lineartest.Repeat(line+" "+block+" ", n) }},
		{"gap", func(line string, n int) string {
			return comment + "\n" + strings.Repeat(" ", n/2) + lineartest.Repeat(line+" ", n/2)
		}},
		{"block gap", func(line string, n int) string {
			return block + strings.Repeat(" ", n/2) + lineartest.Repeat(line+" ", n/2)
		}},
	}
}

// TestDocumentsAreLinear repeats what begins blocks, links, headings and the like in documents.
func TestDocumentsAreLinear(t *testing.T) {
	n := lineartest.Size(t)
	seeds := strings.Fields("# ## #. - -- --- + * ** *** > >> 1. 1) ` `` ``` ~~~ ~ = == === _ __ [ ]( ][ ]: [a]: [^a]: ![ ]( < <! <!-- --> </ <a <a> <? ?> <![CDATA[ & &a; \\ | |- |-| : :: :a: .. ... " +
		"/ // + ++++ ---- .... ____ @ {# {: {. a. a é 。 😀 { } {} \" ' , title: --- +++ #+begin_src #+title: TODO :a:b: * \u00a0")
	seeds = append(seeds, " ", "\t", "\n", "- a\n", "> - ", "1. > ", "a\n=\n", "a\n-\n", "# a\n", "# *a\n", "# [a][\n", "## a `\n", "|a|b|\n|-|-|\n", "a\n---\n", "---\na: b\n", "* a\n** b\n", "= a\n== b\n", "{\"cells\":[", "\"source\":[\"")
	for _, name := range []string{"markdown", "mdx", "rst", "asciidoc", "org", "jupyter"} {
		lang, ok := language.ByName(name)
		if !ok {
			t.Fatal(name)
		}
		t.Run(name, func(t *testing.T) {
			for _, seed := range seeds {
				for _, shape := range []shape{
					{"lines", func(line string, n int) string { return lineartest.Repeat(line+"\n", n) }},
					{"one line", func(line string, n int) string { return lineartest.Repeat(line, n) }},
					{"blanks", func(line string, n int) string { return lineartest.Repeat(line+" ", n/2) + strings.Repeat(" ", n/2) }},
					{"nested", func(line string, n int) string {
						return strings.Repeat("> ", min(n/64, 60)) + lineartest.Repeat(line, n/2) + "\n" + lineartest.Repeat("> "+line+"\n", n/2)
					}},
					{"front matter", func(line string, n int) string { return "---\ntags: " + lineartest.Repeat(line+"\n", n) + "---\n# a\n" }},
					{"heading", func(line string, n int) string { return lineartest.Repeat("# a "+line+"\n\n", n) }},
				} {
					lineartest.Check(t, fmt.Sprintf("%s of %q", shape.name, seed), n, func(n int) func() {
						data := []byte(shape.make(seed, n))
						return func() { parseFile("x", lang, data) }
					})
				}
			}
		})
	}
}

// TestManifestsAreLinear repeats what manifests are made of, behind long names too.
func TestManifestsAreLinear(t *testing.T) {
	n := lineartest.Size(t)
	for _, name := range []string{"go.mod", "package.json", "tsconfig.json", "deno.json", "composer.json", "Cargo.toml", "pyproject.toml", "setup.cfg"} {
		for _, frame := range [][2]string{
			{"", ""},
			{`{"name":"`, `"}`},
			{`{"name":"a","exports":{`, `"b":"./c"}}`},
			{`{"compilerOptions":{"baseUrl":"./a","paths":{`, `"b":["./c"]}}}`},
			{`{"imports":{`, `"b":"./c"}}`},
			{`{"autoload":{"psr-4":{`, `"b":"c"}}}`},
			{"[dependencies]\n", ""},
			{"module a\nreplace (\n", ")\n"},
			{"[tool.setuptools.packages]\nfind.where = [", "]"},
		} {
			for _, seed := range []string{"a", "[", "{", "\"", "'", ",", "a = [", "a = {b = ", "\"./a\":\"./b\",", "\"./a\":[\"./b\"],", "a => ./b\n", "a = {path = \"b\"}\n", "a = \"b\"\n", "//", "/*", "#", "=\n", "a.b = \"c\"\n"} {
				lineartest.Check(t, fmt.Sprintf("%s: %s of %q", name, frame[0], seed), n, func(n int) func() {
					text := frame[0] + lineartest.Repeat(seed, n) + frame[1]
					return func() { manifest.Mappings(name, text) }
				})
			}
		}
	}
	lineartest.Check(t, "long folder", n, func(n int) func() {
		text := `{"compilerOptions":{"baseUrl":"./` + lineartest.Repeat("a", n/2) + `","paths":{` + lineartest.Repeat(`"b":["./c"],`, n/2) + `"d":["./e"]}}}`
		return func() { manifest.Mappings("tsconfig.json", text) }
	})
	lineartest.Check(t, "long name", n, func(n int) func() {
		text := `{"name":"` + lineartest.Repeat("a", n/2) + `","exports":{` + lineartest.Repeat(`"./b":"./c",`, n/2) + `"./d":"./e"}}`
		return func() { manifest.Mappings("package.json", text) }
	})
}
