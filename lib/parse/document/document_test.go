package document

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cortex/lib/language"
	"cortex/lib/record"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	gmtext "github.com/yuin/goldmark/text"
)

// realDocuments are the documents with one of the given endings in the folders that
// the environment variable CORTEX_TEST_DOCUMENTS lists, or else in those of the
// modules that this one requires and of the Go distribution.
func realDocuments(t testing.TB, endings ...string) map[string]string {
	t.Helper()
	roots := filepath.SplitList(os.Getenv("CORTEX_TEST_DOCUMENTS"))
	if len(roots) == 0 {
		out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "all").Output()
		if err != nil {
			t.Skipf("list modules: %v", err)
		}
		root, err := exec.Command("go", "env", "GOROOT").Output()
		if err != nil {
			t.Skipf("find the Go distribution: %v", err)
		}
		roots = append(strings.Fields(string(out)), strings.TrimSpace(string(root)))
	}
	documents := map[string]string{}
	for _, root := range roots {
		_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return nil
			}
			if d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules") {
				return fs.SkipDir
			}
			for _, ending := range endings {
				if d.Type().IsRegular() && strings.HasSuffix(path, ending) {
					if data, err := os.ReadFile(path); err == nil && len(data) < 1<<20 {
						documents[path] = strings.ToValidUTF8(strings.TrimPrefix(string(data), "\ufeff"), "\ufffd")
					}
				}
			}
			return nil
		})
	}
	return documents
}

// goldmarkHeadings are the headings at the top level of a text, by an independent
// implementation: level, line, first line of the source.
func goldmarkHeadings(source string) []heading {
	src := []byte(source)
	root := goldmark.New(goldmark.WithExtensions(extension.Table)).Parser().Parse(gmtext.NewReader(src))
	var out []heading
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		h, ok := n.(*ast.Heading)
		if !ok {
			continue
		}
		found := heading{level: h.Level, line: -1}
		if h.Lines().Len() > 0 {
			found.line = 1 + strings.Count(source[:h.Lines().At(0).Start], "\n")
			found.name = string(h.Lines().Value(src))
		}
		out = append(out, found)
	}
	return out
}

// compareHeadings describes the first difference between what the scanner finds and
// what goldmark finds. Empty headings have no lines in goldmark.
func compareHeadings(source string) string {
	_, _, front := frontMatter(source)
	got := slices.DeleteFunc(scanMarkdown(source, false).headings, func(h heading) bool { return strings.HasPrefix(h.signature, "<h") })
	want := goldmarkHeadings(strings.Repeat("\n", strings.Count(source[:front], "\n")) + source[front:])
	for i := range max(len(got), len(want)) {
		switch {
		case i >= len(got):
			return fmt.Sprintf("heading %q is missing", want[i].name)
		case i >= len(want):
			return fmt.Sprintf("heading %q is none", got[i].signature)
		case got[i].level != want[i].level || want[i].line > 0 && got[i].line != want[i].line:
			return fmt.Sprintf("got level %d in line %d (%q), want level %d in line %d (%q)",
				got[i].level, got[i].line, got[i].signature, want[i].level, want[i].line, want[i].name)
		}
	}
	return ""
}

// The scanner finds the headings that goldmark finds, in every real document.
func TestHeadingsOfRealDocuments(t *testing.T) {
	if testing.Short() {
		t.Skip("reads many documents")
	}
	documents := realDocuments(t, ".md", ".markdown")
	if len(documents) < 20 {
		t.Skipf("only %d documents here", len(documents))
	}
	headings := 0
	for path, source := range documents {
		if diff := compareHeadings(source); diff != "" {
			t.Errorf("%s: %s", path, diff)
		}
		headings += len(scanMarkdown(source, false).headings)
	}
	t.Logf("%d documents, %d headings", len(documents), headings)
}

// The examples of the CommonMark specification, as goldmark carries them.
func TestHeadingsOfSpecification(t *testing.T) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/yuin/goldmark").Output()
	if err != nil {
		t.Skipf("find goldmark: %v", err)
	}
	data, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(out)), "_test", "spec.json"))
	if err != nil {
		t.Skip(err)
	}
	var examples []struct {
		Markdown string `json:"markdown"`
		Example  int    `json:"example"`
	}
	if err := json.Unmarshal(data, &examples); err != nil {
		t.Fatal(err)
	}
	for _, e := range examples {
		if diff := compareHeadings(e.Markdown); diff != "" {
			t.Errorf("example %d: %s\n%s", e.Example, diff, e.Markdown)
		}
	}
	t.Logf("%d examples", len(examples))
}

// documentOf runs markdownFile.
func documentOf(languageName, source string) *record.File {
	f := &record.File{FilePath: "x", Language: languageName, Text: source}
	Read(f, language.Language{Name: languageName, Class: language.Document})
	return f
}

// describe prints what markdownFile has found, one heading a line.
func describe(f *record.File) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "status %s\ntitle  %q\ntags   %q\n\n", f.Status, f.Title, f.Tags)
	for _, s := range f.Symbols {
		fmt.Fprintf(&b, "%3d-%-3d %s\n        signature %q\n        body      %q\n",
			s.StartLine, s.EndLine, s.QualifiedName, s.Signature, firstLine(f.Text[max(s.BodyByte, s.StartByte):s.EndByte]))
	}
	return b.Bytes()
}

func firstLine(s string) string {
	s = strings.TrimLeft(s, "\r\n")
	line, _, _ := strings.Cut(s, "\n")
	return line
}

func TestDocumentGoldens(t *testing.T) {
	for file, languageName := range map[string]string{
		"guide.md": "markdown", "toml.md": "markdown", "page.mdx": "mdx",
		"manual.rst": "rst", "manual.adoc": "asciidoc", "notes.org": "org", "notes.txt": "text",
	} {
		t.Run(file, func(t *testing.T) {
			path := filepath.Join("testdata", file)
			source, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			got := describe(documentOf(languageName, string(source)))
			golden := path + ".golden"
			if os.Getenv("UPDATE_GOLDEN") != "" {
				if err := os.WriteFile(golden, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), string(got)); diff != "" {
				t.Errorf("want -, got +:\n%s", diff)
			}
		})
	}
}

func TestHeadings(t *testing.T) {
	for name, c := range map[string]struct {
		source string
		want   []string // level and name
	}{
		"ATX":                        {"# A\n## B ##\n### C #\n#### D#\n", []string{"1 A", "2 B", "3 C", "4 D#"}},
		"setext":                     {"A\n=\n\nB\nc\n---\n", []string{"1 A", "2 B c"}},
		"seven marks":                {"####### A\n", nil},
		"no space":                   {"#A\n", nil},
		"indented code":              {"    # A\n", nil},
		"fence":                      {"```\n# A\n```\n# B\n", []string{"1 B"}},
		"longer fence":               {"````\n```\n# A\n````\n# B\n", []string{"1 B"}},
		"tildes":                     {"~~~ md\n# A\n```\n~~~\n# B\n", []string{"1 B"}},
		"fence without end":          {"# A\n```\n# B\n", []string{"1 A"}},
		"comment":                    {"<!--\n# A\n-->\n# B\n", []string{"1 B"}},
		"quote":                      {"> # A\n\n# B\n", []string{"1 B"}},
		"list":                       {"- # A\n\n  ## B\n\n# C\n", []string{"1 C"}},
		"fence in a list":            {"- x\n  ```\n  # A\n\n# B\n", []string{"1 B"}},
		"fence in a quote":           {"> ```\n# B\n", []string{"1 B"}},
		"lazy line":                  {"> a\nb\n---\n", nil},
		"table":                      {"a | b\n--- | ---\nc | d\n\nA\n---\n", []string{"2 A"}},
		"rule after a table":         {"| a |\n|---|\n| b |\n---\n", nil},
		"rule after definitions":     {"[a]: /b\n---\n", nil},
		"rule after a list":          {"- a\n---\n", nil},
		"tabs":                       {"#\tA\n-\ta\n\n\t# B\n", []string{"1 A"}},
		"CRLF":                       {"# A\r\n\r\nB\r\n---\r\n", []string{"1 A", "2 B"}},
		"no final newline":           {"# A", []string{"1 A"}},
		"markup":                     {"# *a* `b_c` [d](e) ![f](g) <br> \\# &amp; ~~h~~ <http://i>", []string{"1 a b_c d f # & h http://i"}},
		"reference":                  {"# [1.0] - x\n[1.0]: /y\n", []string{"1 1.0 - x"}},
		"no reference":               {"# a[0]\n", []string{"1 a[0]"}},
		"attributes":                 {"# A {#b .c}\n# {x}\n# B { id=\"1.2\" }\n# C { data-x }\n# D {/* #e */}\n# E {f} {=g}\n", []string{"1 A", "1 {x}", "1 B", "1 C", "1 D", "1 E {f} {=g}"}},
		"shortcodes":                 {"# {{% param NEW %}} A\n# B {{< icon x >}}\n# C {% if x %}d{% endif %}\n# {{% param %}}\n# {{ x }}\n", []string{"1 A", "1 B", "1 C d", "1 {{% param %}}", "1 {{ x }}"}},
		"front matter as an example": {"# A\n\ntab\n---\ntitle: B\nweight: 1\n---\ntext\n", []string{"1 A", "2 tab"}},
		"front matter in shortcodes": {"# A\n\n{{< tabs >}}\n{{< tab >}}\n---\ntitle: B\nweight: 1\n---\ntext\n", []string{"1 A"}},
		"empty":                      {"#\n# <br>\n", nil},
		"long":                       {"# " + strings.Repeat("é", 200), []string{"1 " + strings.Repeat("é", 119) + "…"}},
		"thematic breaks at the top": {"---\nA b, c\n---\n# B\n", []string{"2 A b, c", "1 B"}},
		"unclosed front matter":      {"---\ntitle: a\n\n# B\n", []string{"1 B"}},
		"comments in front matter":   {"---\n# c\ntitle: a\n---\n# B\n", []string{"1 B"}},
	} {
		t.Run(name, func(t *testing.T) {
			doc := scanMarkdown(c.source, false)
			var got []string
			for _, h := range doc.headings {
				if h.name != "" {
					got = append(got, fmt.Sprint(h.level, " ", h.name))
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("want -, got +:\n%s", diff)
			}
		})
	}
}

func TestAsciiDocHeadings(t *testing.T) {
	for name, c := range map[string]struct {
		source string
		want   []string // level, line and name
	}{
		"one line":            {"= A\n\n== B\n=== C ===\n", []string{"1:1 A", "2:3 B", "3:4 C"}},
		"underlined":          {"Guide\n=====\n\nUsage\n-----\ntext\n\nMore on it\n~~~~~~~~~~\n", []string{"1:1 Guide", "2:4 Usage", "3:8 More on it"}},
		"below an anchor":     {"[[x]]\nUsage\n-----\n", []string{"2:2 Usage"}},
		"below an include":    {"include::x.adoc[]\nUsage\n-----\n", []string{"2:2 Usage"}},
		"directly below":      {"Guide\n=====\nUsage\n-----\n", []string{"1:1 Guide", "2:3 Usage"}},
		"below a listing":     {"----\nx\n----\nUsage\n-----\n", []string{"2:4 Usage"}},
		"in a paragraph":      {"one\ntwo:\n----\n== x\n----\n== B\n", []string{"2:6 B"}},
		"in a listing":        {"----\n\nnode\n----\n\n== B\n", []string{"2:6 B"}},
		"one line in a text":  {"the default is (bare\n= true).\n\n# A\n# B\n\n= \n== C\n", []string{"1:4 A", "1:5 B"}},
		"below a macro":       {"endif::x[]\n== A\nimage::y.png[z]\n== B\n'''\n== C\n", []string{"2:2 A", "2:4 B", "2:6 C"}},
		"caption of a block":  {".Foo\n----\n== x\n----\n", nil},
		"attributes of block": {"[TIP]\n====\n== x\n====\n", nil},
		"text before a block": {"Type the following:\n----\n== x\n----\n", nil},
		"markup":              {"== [[a]]The `b` c\n=== D [[e]]\n==== f[[\n== [#g]#H i# j\n", []string{"2:1 The b c", "3:2 D", "4:3 f[[", "2:4 H i j"}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, h := range scanAsciiDoc(c.source).headings {
				got = append(got, fmt.Sprintf("%d:%d %s", h.level, h.line, h.name))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("want -, got +:\n%s", diff)
			}
		})
	}
}

func TestAnchorsBelongToTheSectionBelow(t *testing.T) {
	for lang, source := range map[string]string{
		"asciidoc": "== A\n\ntext\n\n[[b]]\n[role=x]\n== B\n\ntext\n",
		"rst":      "A\n=\n\ntext\n\n.. _b:\n\nB\n=\n\ntext\n",
		"markdown": "# A\n\ntext\n\n<a name=\"b\"></a>\n\n# B\n\ntext\n",
	} {
		f := documentOf(lang, source)
		a, b := f.Symbols[0], f.Symbols[1]
		if b.DocLine < 5 || a.EndLine != b.DocLine-1 || source[a.EndByte-2:a.EndByte] != "\n\n" {
			t.Errorf("%s: A ends at line %d with %q, the anchor of B is at line %d", lang, a.EndLine, source[a.StartByte:a.EndByte], b.DocLine)
		}
		if f.Symbols[0].DocLine != 0 {
			t.Errorf("%s: A has an anchor at line %d", lang, a.DocLine)
		}
	}
}

func TestHeadingsInHTML(t *testing.T) {
	for source, want := range map[string]string{
		"<h1 align=\"center\">Foo &amp; <b>bar</b></h1>\n\ntext\n\n## Use\n":                  "1:1 Foo & bar, 2:5 Use",
		"<div align=center>\n  <img src=x>\n  <h1>\n    <img alt=\"Foo\">\n  </h1>\n</div>\n": "1:3 Foo",
		"<p>a</p>\n<h2>B</h2>\n<h2>C</h2> <h2>D</h2>\n":                                       "2:2 B, 2:3 C",
		"```\n<h1>a</h1>\n```\n<!--\n<h1>a</h1>\n-->\n> <h1>a</h1>\n\n<h1>open\n\n<hr>\n":     "",
		"# <!-- note -->\n\n# A <!-- b -->\n\n# <br>\n":                                       "1:3 A",
	} {
		var got []string
		for _, h := range scanMarkdown(source, false).headings {
			if h.name != "" {
				got = append(got, fmt.Sprintf("%d:%d %s", h.level, h.line, h.name))
			}
		}
		if got := strings.Join(got, ", "); got != want {
			t.Errorf("%q\ngot  %s\nwant %s", source, got, want)
		}
	}
	if f := documentOf("mdx", "<h1>Foo</h1>\n\n<h2>{title}</h2>\n"); f.Title != "Foo" || len(f.Symbols) != 1 {
		t.Errorf("MDX: title %q, %d headings", f.Title, len(f.Symbols))
	}
}

func TestPages(t *testing.T) {
	text := "<p>" + strings.Repeat("A sentence of the manual.\n", 30) + "</p>\n"
	head := "<html><head><title>Site</title>\n<script>var a = '<h1>no</h1>'</script></head>\n<body><nav>\n<h2>Menu</h2></nav>\n"
	for name, c := range map[string]struct{ source, title, want string }{
		"document":           {head + "<h1>Guide</h1>\n" + text + "<section id=b>\n<h2>Install<a href=#b>¶</a></h2>\n" + text + "<pre>\n<h2>x</h2>\n</pre></section>", "Guide", "5-72 Guide, 38-72 Guide › Install"},
		"several titles":     {head + "<h2>A</h2>\n" + text + "<h2>B</h2>\n" + text, "Site", "5-36 A, 37-68 B"},
		"little text":        {head + "<h1>App</h1>\n<p>Loading</p>", "", ""},
		"template":           {"<h1>{{ title }}</h1>" + strings.Replace(text, "manual", "{{ name }}", 5), "", ""},
		"bound":              {"<h1>A</h1><p *ngIf=x>" + strings.Repeat("<b [x]=y></b>", 9) + text, "", ""},
		"code of a template": {head + "<h1>A</h1>\n" + text + "<p><code>{{ x }} {{ y }} {{ z }}</code><pre>{{ x }} {{ y }} {{ z }}</pre>", "A", "5-37 A"},
		"no headings":        {head + text, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			f := &record.File{FilePath: "x.html", Language: "html", Text: c.source}
			ReadPage(f)
			var got []string
			for _, s := range f.Symbols {
				got = append(got, fmt.Sprintf("%d-%d %s", s.StartLine, s.EndLine, s.QualifiedName))
			}
			if got := strings.Join(got, ", "); got != c.want || f.Title != c.title {
				t.Errorf("got  %q: %s\nwant %q: %s", f.Title, got, c.title, c.want)
			}
		})
	}
}

func TestReleases(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{"CHANGES FROM 3.3 TO 3.4\n\n* One thing of 3.3.\n\nCHANGES FROM 3.2a TO 3.3\n\n* Other.\n", "CHANGES FROM 3.3 TO 3.4, CHANGES FROM 3.2a TO 3.3"},
		{"pan-9.5.1 (2024-01-02)\n\n  * Fix.\n\npan-9.5.0 (2024-01-01)\n\n  * Add.\n", "pan-9.5.1 (2024-01-02), pan-9.5.0 (2024-01-01)"},
		{"* 1.2.3 (2020-01-01)\n  - a\n\n* 1.2.2 (2019-01-01)\n  - b\n", "1.2.3 (2020-01-01), 1.2.2 (2019-01-01)"},
		{"pan (1.2-1) unstable; urgency=low\n\n  * A.\n\n -- A <a@b>  Mon, 1 Jan 2020\n\npan (1:1.1-1) stable; urgency=low\n\n  * B.\n", "pan (1.2-1) unstable; urgency=low, pan (1:1.1-1) stable; urgency=low"},
		{"Overview of changes leading to 1.2\nMonday\n\n- a\n\nOverview of changes leading to 1.1\n- b\n\n(STABLE-1.0):\n- b\n",
			"Overview of changes leading to 1.2, Overview of changes leading to 1.1, (STABLE-1.0)"},
		{"Version 2.0:\n- a\n\nVersion 1.9:\n- b\n", "Version 2.0, Version 1.9"},
		{"v2.1\n a\n\nv2.0, 3 May 2010\n b\n", "v2.1, v2.0, 3 May 2010"},
		{"Changes\n=======\n\n2.1 (May 2010)\n a\n\n2.0 (2009)\n b\n", "Changes, 2.1 (May 2010), 2.0 (2009)"},
		{"Release 2.1 (May 2010)\n a\n\n2.0 released 2010-02-03\n b\n", "Release 2.1 (May 2010), 2.0 released 2010-02-03"},
		{"Use 1.2 or later.\n\nThe format of 1.3 is new\n\n1.2\n", ""},
		{"1.1 First\n\n1.2 Second\n", ""},
	} {
		var got []string
		for _, s := range documentOf("text", c.source).Symbols {
			got = append(got, s.Name)
		}
		if got := strings.Join(got, ", "); got != c.want {
			t.Errorf("%q\ngot  %s\nwant %s", c.source, got, c.want)
		}
	}
}

func TestDefinitions(t *testing.T) {
	for name, c := range map[string]struct{ lang, source, want string }{
		"directives": {"rst", ".. data:: SAVE_AS\n\n   The path.\n\n.. py:function:: load(a, b=1) -> int\n.. confval:: out_dir\n.. c:function:: int uv_run(uv_loop_t *loop)\n.. note:: x\n.. code-block:: py\n",
			"1 SAVE_AS, 5 load, 6 out_dir, 7 uv_run"},
		"options of a program": {"rst", ".. option:: -f FILE, --file FILE\n\n.. option:: -x\n", "1 --file, 3 -x"},
		"members": {"rst", ".. class:: Loop(x)\n\n   .. method:: run()\n\n      .. versionadded:: 2\n\n   .. attribute:: state: int\n\n.. function:: f()\n",
			"1 Loop, 3 Loop.run, 7 Loop.state, 9 f"},
		"labelled list":       {"asciidoc", "-a::\n--author=<name>::\n\tText.\ncore.editor::\nNote::\nthe text::\n`--[no-]verify`::\n`KEY`, `OTHER`;; text\nx::y[] z\n", "1 -a, 2 --author, 4 core.editor, 7 --verify, 8 KEY, 8 OTHER"},
		"labels in a listing": {"asciidoc", "----\n--a-b::\n----\n", ""},
		"list of Org":         {"org", "- ~org-x~ :: text\n- word :: text\n#+begin_src\n- a-b :: c\n#+end_src\n", "1 org-x"},
		"table of Org":        {"org", "| Key | Does |\n|---+---|\n| ~x~ | =y= |\n| =--zz= | text |\n| word | text |\n", "3 x, 4 --zz"},
		"definition list":     {"markdown", "`name`\n: Text.\n\nmaxSize\n\n:   Text.\n\nwords here\n: no\n", "1 name, 4 maxSize"},
		"table": {"markdown", "| Key | Does |\n|---|---|\n| `max_size` | text |\n| **`--out`**, `-o` | text |\n| <a id=\"x\" href=\"#x\">`http.`<br />`port`</a> | text |\n" +
			"| `join(a, b)` | text |\n| [`linked`](#l) | text |\n| DATABASE_URL | text |\n| word | `no` |\n| `200` | text |\n| `src/a.go` | text |\n| `GET /users` | text |\n| 1.2 | text |\n| `a[1] == b` | text |\n| `?` | text |\n| `on.<name>.x_y` | text |\n",
			"3 max_size, 4 --out, 5 http.port, 6 join, 8 DATABASE_URL, 16 on.name.x_y"},
		"table without bars at its edges": {"markdown", "Key | Does\n--- | ---\n`a_b` | text\n", "3 a_b"},
		"code with bars is no table":      {"markdown", "`a_b` | `c`\n\n    | `a_c` | text |\n", ""},
		"items": {"markdown", "- `--flag <x>`: text\n* `-s`, `--size` — text\n- `onEnd?(a, b)` - text\n  - **max_size** <span id=\"x\"/> sets it\n- **`key`** (string) - text\n1. `other`: text\n- `--only`\n- `--only=x` is text\n" +
			"- `word` is text\n- **Must not** have\n- [`word`](#w): text\n- **Word**: text\n- **Server-side:** text\n- **v1:** text\n- `true`: text\n- `word`\n- `a` text: `b`\n- `x/y.go`: text\n",
			"1 --flag, 2 --size, 3 onEnd, 4 max_size, 5 key, 6 other, 7 --only"},
		"items with types": {"markdown", "- `limit: number` - text\n* `names` {string|string[]} Text\n* `ids` (array, optional) Text\n- `word` (see below) is text\n* `err` {Error}\n- `a: b`\n- `.len() -> int`: text\n- `.class`: text\n- `::x`: text\n- `put(T& v)`: text\n",
			"1 limit, 2 names, 3 ids, 5 err, 7 len, 9 ::x, 10 put"},
		"options as a program lists them": {"markdown", "```\nUsage: tool [--all] FILE\n  -o, --output FILE   Write to FILE\n      --size string   how large (default 3)\n  -x=<n> | --ex=<n>  [n]umber\n  --name a   \\\n  --word is text\n  --hash=a1  # comment\n```\n",
			"3 --output, 4 --size, 5 --ex"},
		"options in text": {"text", "Options\n  -v, --verbose  Talk\n  -q             Be quiet\n", "2 --verbose, 3 -q"},
		"items with marked types": {"markdown", "- **`size`** *(int, default: 3)*: text\n- *`color`* - text\n- <code>foo-bar</code>: text\n- `opt` *optional*: text\n* `width` Integer (optional) - text\n- `word` *must* be\n- `timeout` <sup>optional</sup> - text\n",
			"1 size, 2 color, 3 foo-bar, 4 opt, 5 width, 7 timeout"},
		"elements": {"markdown", "<dl>\n<dt><code>--fast</code></dt>\n<dd><code>no</code></dd>\n<dt>word</dt>\n</dl>\n\n<table>\n<tr>\n  <td><code>maxAge</code></td>\n  <td><code>other</code></td>\n</tr>\n<tr><td><a id=\"b\"></a><code>min</code></td><td>`x`</td></tr>\n<tr><td><code>'b'</code></td></tr>\n<tr><td><code>&amp;</code></td></tr>\n</table>\n",
			"2 --fast, 9 maxAge, 12 min"},
		"components":    {"mdx", "<ParamField path=\"apiKey\" type=\"string\" required>\n  Text\n</ParamField>\n<ResponseField name='user.id' />\n<Tab name=\"max_x\">\n", "1 apiKey, 4 user.id"},
		"names in bold": {"markdown", "- **max-size:** text\n- **Max-size:** text\n- **max-size** text\n- ***out_dir*** text\n- **word:** text\n", "1 max-size, 4 out_dir"},
		"names in a table without code": {"markdown", "| Key | Does |\n|---|---|\n| maxSize | text |\n| image.tag | text |\n| JavaScript | text |\n| main.go | text |\n| v1.2 | text |\n| word | text |\n| **max_b** | text |\n| <code>code</code> | text |\n",
			"3 maxSize, 4 image.tag, 9 max_b, 10 code"},
		"below a heading":         {"markdown", "# Options\n**--out**=*dir*\nText\n**--in** text\n", "2 --out"},
		"paragraphs":              {"markdown", "**--term**\n: Text\n\n**-v**, **--verbose**=*level*\n\nText with\n`--flag` in it.\n\n`--out` is text.\n\n`word`: text\n\n**-1** is text\n", "1 --term, 4 --verbose, 9 --out"},
		"items of a change log":   {"markdown", "# 1.2.0\n\n- `key`: fixed\n\n# 1.1.0\n\n- `--flag`: added\n", ""},
		"options beside releases": {"markdown", "# tool\n\n- `--in`: text\n\n## Changes\n\n### Unreleased\n\n- `--new`: added\n\n### 1.2.0\n\n- `--gone`: removed\n\n### 1.1.0\n\n## Options\n\n- `--out`: text\n", "3 --in, 19 --out"},
		"options of systems":      {"markdown", "# tool\n\n- `--in`: text\n\n## Debian 11.2\n\n## Ubuntu 20.04\n\n## Options\n\n- `--out`: text\n", "3 --in, 11 --out"},
		"items of man":            {"roff", ".SH X\n.TP\n\\fB\\-v\\fR, \\fB\\-\\-verbose\\fR\n.TP 8\n.BI \\-\\-out= FILE\n.TP\n.B hostname: x\n.TP\nsome text\n.IP \"\\fB\\-\\-deep\\fR\" 4\n", "3 --verbose, 5 --out, 7 hostname, 10 --deep"},
		"items of mdoc":           {"roff", ".It Fl x | Fl -exclude Ns = Ns Ar f\n.It Cm accept\n.It some text\n.It Ev HOME\n", "1 --exclude, 2 accept, 4 HOME"},
		"definition list of reStructuredText": {"rst", "``--full``, ``--fs``\n    Text.\n\n    ``max_age`` (int)\n        Text.\n\n``word`` is\n   text\n\n``x``\n\n   quote\n\n``Title``\n~~~~~~~~~\n\nmaxsize\n  Text.\n\nWord\n  Text.\n\nmin_size : int\n  Text.\n\ntwo words\n  Text.\n\n  inner\n    code\n",
			"1 --full, 1 --fs, 4 max_age, 17 maxsize, 23 min_size"},
		"items and tables of reStructuredText": {"rst", "* ``--a-b``: text\n- **``key``** (int) -- text\n* ``word`` is text\n\n| ``cell`` | text |\n\n.. list-table::\n\n   * - ``first``\n     - ``other``\n",
			"1 --a-b, 2 key, 5 cell, 9 first"},
		"items and tables of AsciiDoc": {"asciidoc", "* `--a-b`: text\n* `word` is text\n\n|===\n|`cell` |text\n|`alone`\n|===\n", "1 --a-b, 5 cell"},
		"simple tables of reStructuredText": {"rst", "=======  =====\nname     type\n=======  =====\n**ids**  array\n         ``x``  more\n``key``  text\nmax_age  int\nword     text\n=======  =====\n\n**bold** text\nmax_age  int\n",
			"4 ids, 6 key, 7 max_age"},
		"rows of AsciiDoc, a cell a line": {"asciidoc", "|===\n|Name |Text\n\n|`:first`\n|`other`\n\n|max_age\n|text\n|===\n\n** `--a-b`: text\n** `word` is text\n", "4 first, 7 max_age, 11 --a-b"},
		"tags of Vim": {"text", "*x.txt*  Text\n\nx.setup({opts})   *x.setup()* *x-setup*\n  Text with *no tag* and 2*3*4\n\n   *'x_wrap'*\n>\n*:Xrun*\n",
			"1 x.txt, 3 x.setup, 3 x-setup, 6 x_wrap, 8 Xrun"},
		"tags of other text":    {"text", "Text *a*\n", ""},
		"underline is no fence": {"rst", "A\n~~~\n\n.. data:: X\n", "4 X"},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, s := range documentOf(c.lang, c.source).Symbols {
				if s.Kind == record.Key {
					got = append(got, fmt.Sprintf("%d %s", s.StartLine, s.Name))
				}
			}
			if got := strings.Join(got, ", "); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestReSTTitles(t *testing.T) {
	for source, want := range map[string]string{
		"The ``a_b`` of ``*.c``":                      "The a_b of *.c",
		"``<class 'E'>: ``x``":                        "<class 'E'>: x``",
		":mod:`os.path` --- Names of :py:func:`~a.b`": "os.path --- Names of ~a.b",
		"Edit :file:`local.ini`":                      "Edit local.ini",
		"See `this page <https://x.y>`_ or `that`__":  "See this page or that",
		"Foo |build-status| |release|_":               "Foo",
		"|release|":                                   "|release|",
		"Do *not* **really** 2 * 3 * 4":               "Do not really 2 * 3 * 4",
		"a | b | c":                                   "a | b | c",
		"It`s":                                        "It`s",
	} {
		if got := restTitle(source); got != want {
			t.Errorf("%q: got %q, want %q", source, got, want)
		}
	}
}

func TestOrgTitles(t *testing.T) {
	for source, want := range map[string]string{
		"TODO [#A] Buy milk :home:shop:":           "Buy milk",
		"Read [[https://x.y][the book]] and [[z]]": "Read the book and z",
		"~my-var~ and =-x=, a = b":                 "my-var and -x, a = b",
		"Chapters [2/7] [30%]":                     "Chapters",
		"The list [a] [1] and [[":                  "The list [a] [1] and [[",
	} {
		if got := orgTitle(source); got != want {
			t.Errorf("%q: got %q, want %q", source, got, want)
		}
	}
}

func TestPlainText(t *testing.T) {
	f := documentOf("text", "Foo 1.2\n=======\n\nName    Size\n----    ----\na          1\n\n2. Backup\n---------\nx\n\n   indented\n   --------\n")
	var got []string
	for _, s := range f.Symbols {
		got = append(got, fmt.Sprint(s.StartLine, " ", s.QualifiedName))
	}
	if diff := cmp.Diff([]string{"1 Foo 1.2", "8 Foo 1.2 › 2. Backup"}, got); diff != "" {
		t.Errorf("want -, got +:\n%s", diff)
	}
}

func TestVimHelp(t *testing.T) {
	rule, thin := strings.Repeat("=", 78)+"\n", strings.Repeat("-", 78)+"\n"
	f := documentOf("text", "*x.txt*  The x of y\n\n"+rule+"1. CONTENTS                *x-contents*\n\n"+rule+"OPTIONS   *x-options*\n\n"+thin+"   *x-deep*\nText.\n"+
		thin+"\nText.\n"+rule+" vim:ft=help:\n")
	var got []string
	for _, s := range f.Symbols {
		if s.Kind == record.Heading {
			got = append(got, fmt.Sprintf("%d-%d %s", s.StartLine, s.EndLine, s.QualifiedName))
		}
	}
	if got, want := strings.Join(got, ", "), "3-5 1. CONTENTS, 6-16 OPTIONS, 9-16 OPTIONS › x-deep"; got != want || f.Title != "The x of y" {
		t.Errorf("got  %s, %q\nwant %s", got, f.Title, want)
	}
}

func TestManualPages(t *testing.T) {
	for name, c := range map[string]struct {
		source, title string
		want          []string // level, lines and name
	}{
		"man":     {".TH FOO-BAR 8 2024 \"Foo\"\n.SH NAME\nfoo\\-bar \\- x\n.SH \"SEE ALSO\"\n.SS \\fBThe \\-\\-all\\fR\\ flag\ny\n", "foo-bar(8)", []string{"1:2-3 NAME", "1:4-6 SEE ALSO", "2:5-6 The --all flag"}},
		"mdoc":    {".\\\" .Sh NO\n.Dd $Date$\n.Dt FOO 1\n.Sh DESCRIPTION\nx\n.Ss Of it\ny\n", "foo(1)", []string{"1:4-7 DESCRIPTION", "2:6-7 Of it"}},
		"below":   {".SH\nEXIT STATUS\nx\n", "EXIT STATUS", []string{"1:1-3 EXIT STATUS"}},
		"escapes": {".SH A\\s-1B\\s0 \\f[B]C\\f(BI D\\*[x] E\\(em F\\[em] \\e G\\fBH \\[ \\\" note\n.SH x\\\n.SH \\f", "", []string{"1:1-1 AB C D E F \\ GH [", "1:2-3 x\\"}},
		"text":    {"a .SH b\n.SHx\n.PP\n", "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			f := documentOf("roff", c.source)
			var got []string
			for _, s := range f.Symbols {
				got = append(got, fmt.Sprintf("%d:%d-%d %s", 1+strings.Count(s.QualifiedName, record.Separator), s.StartLine, s.EndLine, s.Name))
			}
			if diff := cmp.Diff(c.want, got); diff != "" || name != "escapes" && f.Title != c.title {
				t.Errorf("title %q; want -, got +:\n%s", f.Title, diff)
			}
		})
	}
}

func TestTitle(t *testing.T) {
	for source, want := range map[string]string{
		"# A\n## B\n":             "A",
		"## A\n### B\n":           "A",
		"# A\n# B\n":              "A",
		"## A\n## B\n":            "",
		"## A\n# B\n":             "",
		"# 1.2\n## B\n":           "1.2",
		"# v1.2\n# v1.1\n":        "",
		"# Unreleased\n# 1\n":     "",
		"text\n":                  "",
		"---\ntitle: T\n---\n# A": "T",
		"% tool-copy(1)\n% A. Name\n\n## NAME\n## OPTIONS\n": "tool-copy(1)",
		"%x\n# A\n": "A",
	} {
		if got := documentOf("markdown", source).Title; got != want {
			t.Errorf("%q: got %q, want %q", source, got, want)
		}
	}
}

func TestFrontMatter(t *testing.T) {
	for name, c := range map[string]struct {
		source, title string
		tags          []string
		rest          string
	}{
		"YAML":             {"---\ntitle: A  b\ntags: [x, 'y z', 3, x]\nkeywords: k, l\n---\nrest", "A b", []string{"x", "y z", "3", "k", "l"}, "rest"},
		"YAML block list":  {"---\ntags:\n- x\n- y\n---\n", "", []string{"x", "y"}, ""},
		"words":            {"---\ntags: x y\n---\n", "", []string{"x", "y"}, ""},
		"TOML":             {"+++\ntitle = 'A'\ntags = ['x']\n+++\nrest", "A", []string{"x"}, "rest"},
		"broken YAML":      {"---\ntitle: [a\n---\nrest", "", nil, "rest"},
		"broken TOML":      {"+++\ntitle = \n+++\nrest", "", nil, "rest"},
		"wrong types":      {"---\ntitle: {a: b}\ntags: {c: d}\n---\nrest", "", nil, "rest"},
		"CRLF":             {"---\r\ntitle: A\r\n---\r\nrest", "A", nil, "rest"},
		"number":           {"---\ntitle: 2024\n---\n", "2024", nil, ""},
		"not at the top":   {"\n---\ntitle: A\n---\n", "", nil, "\n---\ntitle: A\n---\n"},
		"text":             {"---\nJust text\n---\n", "", nil, "---\nJust text\n---\n"},
		"broken elsewhere": {"---\nx: [\ntitle: A\n  b\ntags: [x,\ny]\nz: 'a\n---\nrest", "A b", []string{"x", "y"}, "rest"},
		"tags in a table":  {"+++\ntitle = 'A'\n[taxonomies]\ntags = [\n  'x',\n]\n+++\nrest", "A", []string{"x"}, "rest"},
		"long entry":       {"---\ntitle: " + strings.Repeat("y", maxEntry) + "\n---\nrest", "", nil, "rest"},
	} {
		t.Run(name, func(t *testing.T) {
			title, tags, n := frontMatter(c.source)
			if title != c.title || !cmp.Equal(tags, c.tags) || c.source[n:] != c.rest {
				t.Errorf("got title %q, tags %q, rest %q", title, tags, c.source[n:])
			}
		})
	}
}

// Hostile input of one MiB takes well under a second on an idle machine; the bound leaves room
// for a busy one with the race detector.
func TestHostileDocuments(t *testing.T) {
	if testing.Short() {
		t.Skip("reads large documents")
	}
	const size = 1 << 20
	fill := func(s string) string { return strings.Repeat(s, size/len(s)) }
	for name, source := range map[string]string{
		"quotes":           fill(">"),
		"quote lines":      strings.Repeat(strings.Repeat(">", 1000)+"\n", 1000),
		"lists":            fill("- "),
		"list then blanks": strings.Repeat("- ", size/4) + strings.Repeat("\n", size/2),
		"deeper lists": func() string {
			var b strings.Builder
			for i := 0; b.Len() < size; i++ {
				b.WriteString(strings.Repeat(" ", 2*i) + "- a\n")
			}
			return b.String()
		}(),
		"brackets":         "# " + fill("["),
		"bracket headings": fill("# [[[[[[[[[[[[[[[[\n"),
		"long headings":    fill("# " + strings.Repeat("[a](b)*", 140) + "\n"),
		"emphasis":         fill("# " + strings.Repeat("*a_ ", 240) + "\n"),
		"code spans":       fill("# " + strings.Repeat("`a``", 240) + "\n"),
		"entities":         fill("# " + strings.Repeat("&#x0;&", 160) + "\n"),
		"headings":         fill("#### a\n"),
		"all levels":       fill("# " + strings.Repeat("a", 100) + "\n## b\n### c\n#### d\n##### e\n###### f\n"),
		"one line":         fill("a"),
		"underlines":       fill("a\n=\n"),
		"paragraph":        fill("a\n") + "===\n",
		"definitions":      fill("[a]: b\n"),
		"rows":             "|-|\n" + fill("|`a = b`"),
		"items":            fill("- `a = b`, "),
		"names of a row":   "|-|\n|" + fill("`a_b`, "),
		"names of items":   fill("- `a_b`, `c_d`: e\n"),
		"releases":         fill("# 1.2\n- `a_b`: c\n"),
		"tags of Vim":      "*a.txt*\n" + fill("*b* "),
		"HTML":             fill("<a b='"),
		"raw HTML":         "<pre>\n" + fill("</"),
		"comments":         fill("<!--"),
		"fences":           fill("```\n"),
		"tables":           fill("|-|\n"),
		"pipes":            fill("|"),
		"front matter":     "---\na: " + strings.Repeat("[", 60_000) + "\n---\n",
		"anchors":          "---\na: &a [x]\n" + strings.Repeat("b: &b [*a,*a,*a,*a,*a,*a]\n", 2000) + "---\n",
		"maps":             "---\n" + strings.Repeat("? ", 30_000) + "a: b\n---\n",
		"TOML":             "+++\na = " + strings.Repeat("[", 60_000) + "\n+++\n",
		"title":            "---\ntitle: " + strings.Repeat("[", 4000) + "\n---\n",
		"title keys":       "+++\ntitle = {" + strings.Repeat("a.", 1900) + "b = 1}\n+++\n",
		"title anchors":    "---\ntitle: [&a [x], " + strings.Repeat("&a [*a,*a,*a,*a,*a,*a],", 170) + "]\n---\n",
		"TOML keys":        "+++\n" + strings.Repeat("a.", 30_000) + "b = 1\n+++\n",
		"tabs":             fill("\t"),
		"not closed":       "---\n" + fill("a: b\n"),
	} {
		for _, l := range []string{"markdown", "mdx", "rst", "asciidoc", "org", "roff", "text"} {
			start := time.Now()
			f := documentOf(l, source)
			if took := time.Since(start); took > 10*time.Second {
				t.Errorf("%s as %s: %v", name, l, took)
			} else if took > 100*time.Millisecond {
				t.Logf("%s as %s: %v, %d headings", name, l, took, len(f.Symbols))
			}
			checkSections(t, f)
		}
	}
}

// checkSections checks that spans are nested as the parents say, and fit the text.
func checkSections(t *testing.T, f *record.File) {
	t.Helper()
	var open []record.Symbol
	at := 0
	for _, s := range f.Symbols {
		if s.Kind == record.Key {
			continue
		}
		for len(open) > 0 && open[len(open)-1].EndByte <= s.StartByte {
			open = open[:len(open)-1]
		}
		parent, within := "", len(f.Text)
		if len(open) > 0 {
			parent, within = open[len(open)-1].QualifiedName, open[len(open)-1].EndByte
		}
		switch {
		case s.Kind != record.Heading || s.Name == "" || !strings.HasSuffix(s.QualifiedName, s.Name):
			t.Fatalf("%+v: no heading", s)
		case s.Parent != parent:
			t.Fatalf("%q in line %d: parent %q, want %q", s.Name, s.StartLine, s.Parent, parent)
		case s.StartByte < at || s.EndByte <= s.StartByte || s.EndByte > within:
			t.Fatalf("%q: bytes %d to %d", s.Name, s.StartByte, s.EndByte)
		case s.BodyByte != 0 && (s.BodyByte <= s.StartByte || s.BodyByte >= s.EndByte):
			t.Fatalf("%q: body at %d of %d to %d", s.Name, s.BodyByte, s.StartByte, s.EndByte)
		case s.StartByte > 0 && f.Text[s.StartByte-1] != '\n':
			t.Fatalf("%q does not begin a line", s.Name)
		case s.EndLine < s.StartLine:
			t.Fatalf("%q: lines %d to %d", s.Name, s.StartLine, s.EndLine)
		}
		at = s.StartByte + 1
		open = append(open, s)
	}
	// Line numbers are checked in one pass, since counting from the start for each would
	// take quadratic time.
	line, from := 1, 0
	for _, s := range f.Symbols {
		line += strings.Count(f.Text[from:s.StartByte], "\n")
		from = s.StartByte
		if s.StartLine != line {
			t.Fatalf("%q: line %d, want %d", s.Name, s.StartLine, line)
		}
	}
}

func FuzzDocument(f *testing.F) {
	for _, l := range []string{"markdown", "mdx", "rst", "asciidoc", "org", "roff", "text"} {
		f.Add(l, "---\ntitle: a\n---\n# A\n\nb\n---\n\n> c\n- d\n  ```\n  # e\n<!-- -->\n| a |\n|---|\n")
	}
	f.Fuzz(func(t *testing.T, l, source string) {
		source = strings.ToValidUTF8(source, "\ufffd")
		file := documentOf(l, source)
		checkSections(t, file)
		if n := len(file.Symbols); n > 0 && file.Symbols[n-1].EndByte != len(source) {
			t.Errorf("the last section ends at %d of %d", file.Symbols[n-1].EndByte, len(source))
		}
	})
}

func BenchmarkDocument(b *testing.B) {
	documents := realDocuments(b, ".md")
	size := 0
	for _, source := range documents {
		size += len(source)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for _, source := range documents {
			documentOf("markdown", source)
		}
	}
}
