package document

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"cortex/lib/record"

	"github.com/google/go-cmp/cmp"
)

// markdown makes the record of a Markdown text with headings of the form "## Title"
// outside code between fences, which is what lib/parse makes of such a text.
func markdown(path, text string) *record.File {
	f := &record.File{Type: record.TypeFile, FilePath: path, Language: "markdown", Status: record.StatusOK, Text: text}
	type open struct{ level, index int }
	var stack []open
	closeTo := func(level, end, line int) {
		for len(stack) > 0 && stack[len(stack)-1].level >= level {
			s := &f.Symbols[stack[len(stack)-1].index]
			s.EndByte, s.EndLine = end, max(line, s.StartLine)
			stack = stack[:len(stack)-1]
		}
	}
	at, number, fenced := 0, 0, false
	for line := range strings.Lines(text) {
		number++
		body := strings.TrimLeft(line, "#")
		level := len(line) - len(body)
		if strings.HasPrefix(strings.TrimLeft(line, " "), "```") {
			fenced = !fenced
		}
		if name := strings.TrimSpace(body); !fenced && level > 0 && level < 7 && strings.HasPrefix(body, " ") && name != "" {
			closeTo(level, at, number-1)
			s := record.Symbol{Kind: record.Heading, Name: name, QualifiedName: name, Signature: strings.TrimSpace(line),
				StartLine: number, StartByte: at, BodyByte: at + len(line)}
			if len(stack) > 0 {
				s.Parent = f.Symbols[stack[len(stack)-1].index].QualifiedName
				s.QualifiedName = s.Parent + record.Separator + name
			}
			stack = append(stack, open{level, len(f.Symbols)})
			f.Symbols = append(f.Symbols, s)
			if f.Title == "" && level == 1 && !strings.Contains(name, ".") {
				f.Title = name
			}
		}
		at += len(line)
	}
	closeTo(0, len(text), number)
	for i := range f.Symbols {
		if s := &f.Symbols[i]; s.BodyByte >= s.EndByte {
			s.BodyByte = 0
		}
	}
	return f
}

// usual is the size of chunks without settings.
const usual = 1000

// cutDocument cuts a text and checks what holds for every document.
func cutDocument(t testing.TB, f *record.File, size int) []*record.Chunk {
	t.Helper()
	chunks := Chunks(f, "", size)
	checkDocument(t, f, chunks, size)
	return chunks
}

// checkDocument checks coverage, the text invariant, identifiers, parents and sizes.
func checkDocument(t testing.TB, f *record.File, chunks []*record.Chunk, size int) {
	t.Helper()
	covered := make([]bool, len(f.Text))
	whole := map[int]bool{} // offsets at which lines begin that stand whole in a chunk
	ids := map[string]bool{}
	for _, c := range chunks {
		m := c.Metadata
		if ids[c.ID] {
			t.Errorf("%s: identifier occurs twice", c.ID)
		}
		ids[c.ID] = true
		if m.ParentID != "" && !ids[m.ParentID] {
			t.Errorf("%s: parent %s does not stand before it", c.ID, m.ParentID)
		}
		if m.DocID != "doc-"+f.FilePath || (m.ParentID == "") != (c.ID == m.DocID || strings.HasPrefix(c.ID, m.DocID+"~")) {
			t.Errorf("%s: document %s, parent %q", c.ID, m.DocID, m.ParentID)
		}
		if m.ByteStart < 0 || m.ByteEnd < m.ByteStart || m.ByteEnd > len(f.Text) {
			t.Fatalf("%s: bytes %d to %d", c.ID, m.ByteStart, m.ByteEnd)
		}
		body := f.Text[m.ByteStart:m.ByteEnd]
		if !strings.HasSuffix(c.Text, body) || !utf8.ValidString(body) {
			t.Errorf("%s: the text does not end with its bytes", c.ID)
		}
		if head := "> " + m.Breadcrumb + "\n\n"; !strings.HasPrefix(c.Text+"\n\n", head) {
			t.Errorf("%s: the text does not begin with %q", c.ID, head)
		}
		if m.ByteEnd > m.ByteStart {
			first := 1 + strings.Count(f.Text[:m.ByteStart], "\n")
			if last := first + strings.Count(body, "\n"); m.StartLine != first || m.EndLine != last {
				t.Errorf("%s: lines %d to %d, want %d to %d", c.ID, m.StartLine, m.EndLine, first, last)
			}
		}
		limit := size + size/2 // headings at its beginning and its end do not count
		if n := utf8.RuneCountInString(body); n > limit {
			t.Errorf("%s: %d characters", c.ID, n)
		}
		for i := m.ByteStart; i < m.ByteEnd; i++ {
			if covered[i] && f.Text[i] > ' ' {
				t.Fatalf("%s: byte %d is in another chunk too", c.ID, i)
			}
			covered[i] = true
		}
		at := m.ByteStart
		for line := range strings.Lines(body) {
			whole[at] = whole[at] || at+len(strings.TrimRight(line, "\r\n")) == lineEnd(f.Text, at)
			at += len(line)
		}
	}
	at := 0
	for line := range strings.Lines(f.Text) {
		if strings.TrimSpace(line) != "" {
			for i := range len(strings.TrimRight(line, " \t\r\n")) {
				if !covered[at+i] {
					t.Fatalf("byte %d of %q is in no chunk", i, line)
				}
			}
			if utf8.RuneCountInString(line) <= size && !whole[at] {
				t.Errorf("line %q stands whole in no chunk", line)
			}
		}
		at += len(line)
	}
}

// lineEnd returns the offset of the end of the line that begins at byte at, without its line break.
func lineEnd(text string, at int) int {
	line, _, _ := strings.Cut(text[at:], "\n")
	return at + len(strings.TrimRight(line, "\r"))
}

func identifiers(chunks []*record.Chunk) []string {
	ids := make([]string, len(chunks))
	for i, c := range chunks {
		ids[i] = c.ID
	}
	return ids
}

// paragraphOf makes a paragraph of about n characters, in lines of about 80.
func paragraphOf(n int, word string) string {
	var b strings.Builder
	column := 0
	for b.Len() < n {
		if column > 70 {
			b.WriteString(".\n")
			column = 0
		}
		b.WriteString(word + " ")
		column += len(word) + 1
	}
	return strings.TrimRight(b.String(), " ") + ".\n\n"
}

func TestDocumentGoldens(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "*.md"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			f := markdown("docs/"+filepath.Base(path), string(data))
			f.Tags = []string{"guide"}
			var b bytes.Buffer
			for _, c := range cutDocument(t, f, 400) {
				m := c.Metadata
				fmt.Fprintf(&b, "=== %s\n    %s\n    parent %q depth %d position %d slug %q section %d chunk %d large %v split %v\n"+
					"    lines %d-%d symbol %q tags %q\n%s\n",
					c.ID, c.Title, m.ParentID, m.Depth, m.Position, m.Slug, m.SectionIndex, m.ChunkIndex, m.IsLargeParagraph,
					m.IsSplitParagraph, m.StartLine, m.EndLine, m.SymbolName, c.Tags, c.Text)
			}
			golden := path + ".golden"
			if os.Getenv("UPDATE_GOLDEN") != "" {
				if err := os.WriteFile(golden, b.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), b.String()); diff != "" {
				t.Errorf("want -, got +:\n%s", diff)
			}
		})
	}
}

func TestDocumentTree(t *testing.T) {
	big := paragraphOf(600, "lorem")
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"short":                  {"# A\n\nb\n\n## C\n\nd\n", []string{"doc-a.md"}},
		"no headings":            {big + big + big, []string{"doc-a.md", "doc-a.md#preamble", "doc-a.md#preamble~2", "doc-a.md#preamble~3"}},
		"title and sections":     {"# A\n\n## B\n\n" + big + "## C\n\n" + big, []string{"doc-a.md", "doc-a.md#b", "doc-a.md#c"}},
		"preamble":               {"x " + big + "# A\n\n## B\n\n" + big, []string{"doc-a.md", "doc-a.md#preamble", "doc-a.md#b"}},
		"badges":                 {strings.Repeat("[![b](c)](d)\n", 40) + "# A\n\n## B\n\n" + big + big, []string{"doc-a.md", "doc-a.md#b", "doc-a.md#b~2"}},
		"introduction":           {"# A\n\n" + big + "## B\n\n" + big, []string{"doc-a.md", "doc-a.md#preamble", "doc-a.md#b"}},
		"several roots":          {"# A\n\n## B\n\n" + big + "# C\n\n## B\n\n" + big, []string{"doc-a.md", "doc-a.md#b", "doc-a.md#c", "doc-a.md#c/b"}},
		"no title":               {"## A\n\n" + big + "## B\n\n" + big, []string{"doc-a.md", "doc-a.md#a", "doc-a.md#b"}},
		"nested":                 {"# A\n## B\n" + big + "### C\n" + big + "#### D\n" + big, []string{"doc-a.md", "doc-a.md#b", "doc-a.md#b/preamble", "doc-a.md#b/c", "doc-a.md#b/c/preamble", "doc-a.md#b/c/d"}},
		"small sections join":    {"# A\n## B\n" + big + "### C\nx\n### D\ny\n## E\n" + big, []string{"doc-a.md", "doc-a.md#b", "doc-a.md#e"}},
		"small after large":      {"# A\n## B\n### C\n" + big + "### D\nx\n## E\n" + big, []string{"doc-a.md", "doc-a.md#b", "doc-a.md#b/c", "doc-a.md#b/preamble", "doc-a.md#e"}},
		"equal siblings":         {"# A\n## B\n" + big + "## B\n" + big + "## B-1\n" + big, []string{"doc-a.md", "doc-a.md#b", "doc-a.md#b-1", "doc-a.md#b-1-1"}},
		"a heading Preamble":     {"# A\n" + big + "## Preamble\n" + big, []string{"doc-a.md", "doc-a.md#preamble", "doc-a.md#preamble-1"}},
		"letters of other kinds": {"# A\n## Über «uns» & Co: 1.2_x\n" + big + "## 東京\n" + big + "## !!!\n" + big, []string{"doc-a.md", "doc-a.md#über-uns--co-12_x", "doc-a.md#東京", "doc-a.md#section"}},
		"front matter":           {"---\ntitle: T\n---\n# A\n\n" + big + "## B\n" + big, []string{"doc-a.md", "doc-a.md#preamble", "doc-a.md#b"}},
		"large front matter":     {"---\ntitle: T\n" + strings.Repeat("key: a value that is long\n", 60) + "---\n# A\n\n## B\n" + big, []string{"doc-a.md", "doc-a.md~2", "doc-a.md#b"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := identifiers(cutDocument(t, markdown("a.md", c.text), usual))
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("want -, got +:\n%s", diff)
			}
		})
	}
}

// A heading is in exactly one chunk, with the text under it or with the first text below.
func TestHeadingsStandOnce(t *testing.T) {
	big := paragraphOf(600, "lorem")
	small := "Few words.\n\n"
	for name, c := range map[string]struct {
		text string
		want []string // identifiers and the headings in the chunk
	}{
		"with a text":              {"# A\n\n" + big + "## B\n\n" + big + "### C\n\n" + big, []string{"doc-a.md", "doc-a.md#preamble # A", "doc-a.md#b", "doc-a.md#b/preamble ## B", "doc-a.md#b/c ### C"}},
		"with a small text":        {"# A\n\n" + small + "## B\n\n" + small + "### C\n\n" + big + big, []string{"doc-a.md # A", "doc-a.md#b ## B", "doc-a.md#b/c ### C", "doc-a.md#b/c~2"}},
		"without a text":           {"# A\n\n## B\n\n### C\n\n" + big + "### D\n\n" + big, []string{"doc-a.md", "doc-a.md#b", "doc-a.md#b/c # A ## B ### C", "doc-a.md#b/d ### D"}},
		"before a text":            {"# A\n\n## B\n\n" + big + "### C\n\n" + big, []string{"doc-a.md", "doc-a.md#b", "doc-a.md#b/preamble # A ## B", "doc-a.md#b/c ### C"}},
		"behind front matter":      {"---\ntitle: T\n---\n# A\n\n## B\n\n" + big + big, []string{"doc-a.md", "doc-a.md#b # A ## B", "doc-a.md#b~2"}},
		"between sections":         {"# A\n\n" + small + "## B\n\n" + big + "## C\n\n## D\n\n" + big, []string{"doc-a.md # A", "doc-a.md#b ## B", "doc-a.md#d ## C ## D"}},
		"at the end":               {"# A\n\n" + small + "## B\n\n" + big + "## C\n\n" + big + "## D\n", []string{"doc-a.md # A", "doc-a.md#b ## B", "doc-a.md#c ## C ## D"}},
		"at the end of a section":  {"# A\n\n" + small + "## B\n\n### C\n\n" + big + "### D\n\n## E\n\n" + big, []string{"doc-a.md # A", "doc-a.md#b", "doc-a.md#b/c ## B ### C ### D", "doc-a.md#e ## E"}},
		"with small sections":      {"# A\n\n## B\n\n### C\n\n### D\n\n" + big + "### E\n\n" + big, []string{"doc-a.md", "doc-a.md#b", "doc-a.md#b/d # A ## B ### C ### D", "doc-a.md#b/e ### E"}},
		"with a picture":           {"# A\n\n![a](b)\n\n## B\n\n" + big + "## C\n\n" + big, []string{"doc-a.md", "doc-a.md#b # A ## B", "doc-a.md#c ## C"}},
		"underlined":               {"A\n=\n\n## B\n\n" + big + "## C\n\n" + big, []string{"doc-a.md", "doc-a.md#b ## B", "doc-a.md#c ## C"}},
		"nothing but headings":     {strings.Repeat("## A heading of some words\n\n", 60), nil},
		"a document of one chunk":  {"# A\n", []string{"doc-a.md # A"}},
		"a text before the title":  {big + "# A\n\n## B\n\n" + big, []string{"doc-a.md", "doc-a.md#preamble # A", "doc-a.md#b ## B"}},
		"several titles":           {"# A\n\n## B\n\n" + big + "# C\n\n## D\n\n" + big, []string{"doc-a.md", "doc-a.md#b # A ## B", "doc-a.md#c", "doc-a.md#c/d # C ## D"}},
		"longer than a small text": {"# A\n\n## " + strings.Repeat("long ", 60) + "\n\n### C\n\n" + big, nil},
	} {
		t.Run(name, func(t *testing.T) {
			f := markdown("a.md", c.text)
			var got []string
			for _, chunk := range cutDocument(t, f, usual) {
				at := chunk.ID
				for line := range strings.Lines(f.Text[chunk.Metadata.ByteStart:chunk.Metadata.ByteEnd]) {
					if strings.HasPrefix(line, "#") {
						at += " " + strings.TrimSpace(line)
					}
				}
				got = append(got, at)
			}
			if diff := cmp.Diff(c.want, got); c.want != nil && diff != "" {
				t.Errorf("want -, got +:\n%s", diff)
			}
		})
	}
}

// A leaf is cut between blocks; code and tables stay whole.
func TestDocumentSplit(t *testing.T) {
	const size = 400
	var options []string
	for i := range 10 {
		options = append(options, fmt.Sprintf("!!! option%d\n\n    %s", i, strings.TrimSpace(paragraphOf(60+17*i, "lorem"))))
	}
	var terms []string
	for i := range 20 {
		terms = append(terms, fmt.Sprintf("**--option%d** _path_\n\n%s", i, strings.TrimSpace(paragraphOf(60+40*(i%4), "lorem"))))
	}
	code := "```go\n" + strings.Repeat("x := 1\n\n", 40) + "```\n\n"
	table := "| a | b |\n|---|---|\n" + strings.Repeat("| cell | cell |\n", 22) + "\n"
	definitions := "[a]: https://example.org/a\n[b]:\n  https://example.org/b\n[the long label]: x/y.md\n"
	items := strings.Repeat("- an item of a list that says this and that\n", 20)
	for name, c := range map[string]struct {
		text  string
		whole []string
	}{
		"code":               {paragraphOf(300, "lorem") + code + paragraphOf(300, "ipsum"), []string{strings.TrimSpace(code)}},
		"table":              {paragraphOf(300, "lorem") + table + paragraphOf(300, "ipsum"), []string{strings.TrimSpace(table)}},
		"code in list":       {"1. Do:\n\n" + "   ```\n" + strings.Repeat("   run\n\n", 40) + "   ```\n2. And\n" + paragraphOf(300, "x"), []string{"   ```\n" + strings.Repeat("   run\n\n", 40) + "   ```"}},
		"code in quote":      {paragraphOf(200, "x") + "> ```\n" + strings.Repeat("> run it now\n", 26) + "> ```\n" + paragraphOf(200, "x"), []string{"> ```\n" + strings.Repeat("> run it now\n", 26) + "> ```"}},
		"table after a line": {paragraphOf(300, "x") + "Text:\n" + table, []string{strings.TrimSpace(table)}},
		"list":               {items, strings.Split(strings.TrimSpace(items), "\n")},
		"indented bodies":    {strings.Join(options, "\n\n") + "\n\n", options},
		"link definitions":   {paragraphOf(200, "a") + paragraphOf(130, "b") + definitions + "\n", []string{strings.TrimSpace(paragraphOf(130, "b") + definitions)}},
		"terms":              {strings.Join(terms, "\n\n") + "\n\n", terms},
		"paragraphs":         {paragraphOf(250, "a") + paragraphOf(250, "b") + paragraphOf(250, "c"), []string{strings.TrimSpace(paragraphOf(250, "b"))}},
	} {
		t.Run(name, func(t *testing.T) {
			text := "# T\n\n## S\n\n" + c.text + "## U\n\n" + paragraphOf(300, "z")
			chunks := cutDocument(t, markdown("a.md", text), size)
			for _, block := range c.whole {
				if !slices.ContainsFunc(chunks, func(c *record.Chunk) bool { return strings.Contains(c.Text, block) }) {
					t.Errorf("cut:\n%s\n%q", block, identifiers(chunks))
				}
			}
		})
	}
}

// TestManualPageIsCutAtItsItems cuts a list of options that has no blank line.
func TestManualPageIsCutAtItsItems(t *testing.T) {
	var b strings.Builder
	b.WriteString(".Sh OPTIONS\n")
	for i := range 30 {
		fmt.Fprintf(&b, ".It Fl option%d\n%s", i, strings.Repeat("It does this and that.\n", 1+i%3))
	}
	f := markdown("a.1", b.String())
	f.Language = "roff"
	for _, c := range cutDocument(t, f, 400)[1:] {
		if own := f.Text[c.Metadata.ByteStart:c.Metadata.ByteEnd]; own != "" && own[0] != '.' {
			t.Errorf("%s begins with %.40q", c.ID, own)
		}
	}
}

// TestPartsOfABlockKeepItsOpening cuts fences and a table that are larger than a chunk.
func TestPartsOfABlockKeepItsOpening(t *testing.T) {
	long := "```go " + strings.Repeat("x", 200) + "\n"
	for name, c := range map[string]struct{ language, opening, body, end, want string }{
		"fence":             {"markdown", "```go\n", strings.Repeat("x := 1\n", 200), "```\n", "```go\n"},
		"long line":         {"markdown", "~~~text\n", strings.Repeat("word ", 300) + "\n", "~~~\n", "~~~text\n"},
		"in a list":         {"markdown", "- See:\n\n  ```go\n", strings.Repeat("  x := 1\n", 200), "  ```\n", "  ```go\n"},
		"table":             {"markdown", "| a | b |\n|---|---|\n", strings.Repeat("| cell | cell |\n", 99), "", "| a | b |\n|---|---|\n"},
		"padded table":      {"markdown", "| a" + strings.Repeat(" ", 200) + "| b |\n|" + strings.Repeat("-", 200) + "|---|\n", strings.Repeat("| cell | cell |\n", 99), "", "| a | b |\n|---|---|\n"},
		"Org table":         {"org", "| a | b |\n|---+---|\n", strings.Repeat("| cell | cell |\n", 99), "", "| a | b |\n|---+---|\n"},
		"AsciiDoc table":    {"asciidoc", "|===\n|Name |Text\n\n", strings.Repeat("|cell\n|cell\n\n", 99), "|===\n", "|===\n|Name |Text\n"},
		"AsciiDoc, no head": {"asciidoc", "|===\n", strings.Repeat("|cell |cell\n", 99), "|===\n", "|===\n"},
		"grid table":        {"rst", "+---+---+\n| a | b |\n+===+===+\n", strings.Repeat("| c | d |\n+---+---+\n", 99), "", "+---+---+\n| a | b |\n+===+===+\n"},
		"simple table":      {"rst", "=== ===\na   b\n=== ===\n", strings.Repeat("c   d\n", 199), "=== ===\n", "=== ===\na   b\n=== ===\n"},
		"simple, no head":   {"rst", "=== ===\n", strings.Repeat("c   d\n", 199), "=== ===\n", "=== ===\n"},
		"list table":        {"rst", ".. list-table::\n   :header-rows: 1\n\n   * - a\n     - b\n", strings.Repeat("   * - c\n     - d\n", 99), "", ".. list-table::\n   :header-rows: 1\n\n   * - a\n     - b\n"},
		"directive":         {"rst", ".. code-block:: go\n", strings.Repeat("\n   x := 1\n   y := 2\n", 99), "", ".. code-block:: go\n"},
		"Org":               {"org", "#+begin_src go\n", strings.Repeat("x := 1\n", 200), "#+end_src\n", "#+begin_src go\n"},
		"long opening":      {"markdown", long, strings.Repeat("x := 1\n", 200), "```\n", ""},
		"no fence":          {"markdown", "x := 0\n", strings.Repeat("x := 1\n", 200), "", ""},
		"behind blanks":     {"markdown", "```go\n", strings.Repeat("\n\nx := 1\n", 200), "```\n", "```go\n"},
	} {
		t.Run(name, func(t *testing.T) {
			f := markdown("a.md", c.opening+c.body+c.end+"\nThe end.\n")
			f.Language = c.language
			chunks := cutDocument(t, f, 400)
			inside := 0
			for _, chunk := range chunks {
				m := chunk.Metadata
				if m.ByteStart <= strings.Index(f.Text, c.opening) || m.ByteStart >= len(c.opening+c.body) {
					continue
				}
				inside++
				head := strings.TrimSuffix(chunk.Text, f.Text[m.ByteStart:m.ByteEnd])
				if want := "> " + m.Breadcrumb + "\n\n" + c.want; head != want && m.ByteStart >= len(c.opening) {
					t.Errorf("%s: stands below %q, want %q", chunk.ID, head, want)
				}
			}
			if inside < 2 {
				t.Errorf("%d parts begin within the block: %q", inside, identifiers(chunks))
			}
		})
	}
}

// Text that is too long for one chunk is cut at the ends of sentences, then between words,
// then anywhere between characters.
func TestLongLines(t *testing.T) {
	for name, c := range map[string]struct{ text, ends string }{
		"sentences":  {strings.Repeat("This is a sentence of some words. ", 60), ". "},
		"Chinese":    {strings.Repeat("這是一個很長的句子。", 120), "。"},
		"words":      {strings.Repeat("word ", 400), " "},
		"characters": {strings.Repeat("é", 1500), "é"},
	} {
		t.Run(name, func(t *testing.T) {
			chunks := cutDocument(t, markdown("a.md", c.text), 400)
			for _, chunk := range chunks[1 : len(chunks)-1] {
				if !strings.HasSuffix(chunk.Text, c.ends) || !chunk.Metadata.IsSplitParagraph || !chunk.Metadata.IsLargeParagraph {
					t.Errorf("%s: %q", chunk.ID, chunk.Text)
				}
			}
			if len(chunks) < 4 {
				t.Errorf("got %q", identifiers(chunks))
			}
		})
	}
}

func TestDocumentListsWhatItDeclares(t *testing.T) {
	text := "A\n=\n\n" + paragraphOf(1500, "lorem") + ".. option:: --all\n\n   Text.\n\n" + paragraphOf(1500, "ipsum") + ".. option:: --last\n\n.. _b:\n\nB\n-\n\n" + paragraphOf(600, "dolor")
	f := &record.File{FilePath: "a.rst", Language: "rst", Status: record.StatusOK, Text: text}
	section := func(kind record.Kind, name, first, last string, doc string) {
		start, end := strings.Index(text, first), len(text)
		if last != "" {
			end = strings.Index(text, last)
		}
		line := func(at int) int { return strings.Count(text[:at], "\n") + 1 }
		s := record.Symbol{Kind: kind, Name: name, QualifiedName: name, StartByte: start, EndByte: end, StartLine: line(start), EndLine: line(end - 1)}
		if doc != "" {
			s.DocLine = line(strings.Index(text, doc))
		}
		f.Symbols = append(f.Symbols, s)
	}
	section(record.Heading, "A", "A\n=", ".. _b:", "")
	section(record.Key, "--all", ".. option:: --all", "\n\n   Text", "")
	section(record.Key, "--last", ".. option:: --last", "\n\n.. _b:", "")
	section(record.Heading, "B", "B\n-", "", ".. _b:")
	lines := strings.Split(text, "\n")
	var got []string
	for _, c := range Chunks(f, "", usual) {
		for _, s := range c.Metadata.Symbols {
			got = append(got, s.Name)
			if s.Type != record.Key || s.Line < c.Metadata.StartLine || s.Line > c.Metadata.EndLine || !strings.HasSuffix(lines[s.Line-1], s.Name) {
				t.Errorf("%s has %+v, lines %d to %d", c.ID, s, c.Metadata.StartLine, c.Metadata.EndLine)
			}
		}
		if strings.HasSuffix(c.ID, "#b") != strings.Contains(c.Text, "_b:") {
			t.Errorf("%s has the anchor of another section:\n%s", c.ID, c.Text)
		}
	}
	if diff := cmp.Diff([]string{"--all", "--last"}, got); diff != "" {
		t.Errorf("want -, got +:\n%s", diff)
	}
}

func TestPageIsCutAtItsElements(t *testing.T) {
	pre := "<pre>\n" + strings.Repeat("code\n\n", 60) + "</pre>\n"
	text := "<h1>A</h1>\n" + strings.Repeat("<p>"+strings.TrimSpace(paragraphOf(300, "lorem"))+"</p>\n", 4) + pre + strings.Repeat("<p>"+strings.TrimSpace(paragraphOf(300, "ipsum"))+"</p>\n", 4)
	f := &record.File{FilePath: "a.html", Language: "html", Status: record.StatusOK, Text: text,
		Symbols: []record.Symbol{{Kind: record.Heading, Name: "A", QualifiedName: "A", StartLine: 1, EndLine: strings.Count(text, "\n"), EndByte: len(text), BodyByte: 11}}}
	chunks := Chunks(f, "", usual)
	for _, c := range chunks {
		if strings.Count(c.Text, "<p>") != strings.Count(c.Text, "</p>") || strings.Contains(c.Text, "code") && strings.Count(c.Text, "code") != 60 {
			t.Errorf("%s cuts an element:\n%s", c.ID, c.Text)
		}
	}
	if len(chunks) < 3 {
		t.Errorf("%d chunks", len(chunks))
	}
}

func TestDocumentForms(t *testing.T) {
	text := "# A\n\nintro\n\n## B\n\n" + paragraphOf(1500, "lorem") + "## C\n\n" + paragraphOf(600, "ipsum")
	want := identifiers(cutDocument(t, markdown("a.md", text), usual))
	for name, changed := range map[string]string{
		"CRLF":             strings.ReplaceAll(text, "\n", "\r\n"),
		"no final newline": strings.TrimSpace(text),
		"more blank lines": strings.ReplaceAll(text, "\n\n", "\n\n  \n\n"),
	} {
		got := identifiers(cutDocument(t, markdown("a.md", changed), usual))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: want -, got +:\n%s", name, diff)
		}
	}
	noBlank := strings.ReplaceAll(text, "\n\n", "\n")
	cutDocument(t, markdown("a.md", noBlank), usual)
}

func TestDocumentMetadata(t *testing.T) {
	f := markdown("docs/a.md", "# A\n\n## B\n\n"+paragraphOf(600, "x")+"### C\n\n"+paragraphOf(600, "y"))
	f.Tags = []string{"t", "doc"}
	chunks := Chunks(f, "lib", usual)
	c := chunks[len(chunks)-1]
	want := record.Metadata{
		Source: "doc", FilePath: "lib:docs/a.md", Tree: "lib", Language: "markdown", StartLine: 13, EndLine: 22,
		ByteStart: c.Metadata.ByteStart, ByteEnd: c.Metadata.ByteEnd, SymbolName: "A › B › C", SymbolType: "heading",
		SymbolSignature: "### C", DocID: "doc-lib:docs/a.md", ParentID: "doc-lib:docs/a.md#b", Depth: 2, Position: 1, Slug: "c",
		Breadcrumb: "A › B › C", SectionIndex: 3, ChunkIndex: 1,
	}
	want.StartLine, want.EndLine = c.Metadata.StartLine, c.Metadata.EndLine
	if diff := cmp.Diff(want, c.Metadata); diff != "" {
		t.Errorf("want -, got +:\n%s", diff)
	}
	if diff := cmp.Diff([]string{"doc", "markdown", "documentation", "t"}, c.Tags); diff != "" {
		t.Errorf("tags: want -, got +:\n%s", diff)
	}
	if c.Title != "A › B › C" || c.ID != "doc-lib:docs/a.md#b/c" {
		t.Errorf("title %q, id %q", c.Title, c.ID)
	}
}

// realDocuments are the Markdown files in the folders that the environment variable
// CORTEX_TEST_DOCUMENTS lists, or else in those of the modules that this one requires
// and of the Go distribution.
func realDocuments(t testing.TB) map[string]string {
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
			if err != nil || !d.Type().IsRegular() || !strings.HasSuffix(path, ".md") {
				return nil
			}
			if data, err := os.ReadFile(path); err == nil && len(bytes.TrimSpace(data)) > 0 && len(data) < 1<<20 {
				documents[path] = strings.ToValidUTF8(string(data), "\ufffd")
			}
			return nil
		})
	}
	return documents
}

func TestRealDocuments(t *testing.T) {
	if testing.Short() {
		t.Skip("cuts many files")
	}
	documents := realDocuments(t)
	count := 0
	for path, text := range documents {
		f := markdown("a.md", text)
		for _, size := range []int{usual, 300} {
			chunks := Chunks(f, "", size)
			checkDocument(t, f, chunks, size)
			checkWhole(t, text, chunks, size)
			count += len(chunks)
		}
		if t.Failed() {
			t.Fatalf("in %s", path)
		}
	}
	t.Logf("%d documents, %d chunks", len(documents), count)
}

// checkWhole checks that code between fences at the left margin is in one chunk if it is
// within the limit.
func checkWhole(t *testing.T, text string, chunks []*record.Chunk, size int) {
	t.Helper()
	at, from := 0, -1
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(line, "```"); ok {
			if strings.Contains(rest, "`") {
				return
			}
			if from < 0 {
				from = at
			} else if strings.TrimSpace(rest) == "" {
				end := lineEnd(text, at)
				if utf8.RuneCountInString(text[from:end]) < size &&
					!slices.ContainsFunc(chunks, func(c *record.Chunk) bool { return c.Metadata.ByteStart <= from && end <= c.Metadata.ByteEnd }) {
					t.Errorf("cut:\n%s", text[from:end])
				}
				from = -1
			}
		}
		at += len(line)
	}
}

// Inserting a section or a paragraph removes no identifier.
func TestInsertionKeepsIdentifiers(t *testing.T) {
	if testing.Short() {
		t.Skip("cuts many documents")
	}
	const addition = "Inserted words that say nothing in particular, but enough of them.\n\n"
	documents := realDocuments(t)
	tried, lost := 0, 0
	for path, text := range documents {
		if len(text) > 60_000 || len(text) < 4000 {
			continue
		}
		f := markdown("a.md", text)
		before := identifiers(cutDocument(t, f, usual))
		for i, s := range f.Symbols {
			if i == 0 || i%10 != 0 {
				continue
			}
			level := len(s.Signature) - len(strings.TrimLeft(s.Signature, "#"))
			section := strings.Repeat("#", max(level, 2)) + " A heading that is new\n\n" + strings.Repeat(addition, 5)
			changed := text[:s.StartByte] + "\n" + section + text[s.StartByte:]
			after := map[string]bool{}
			for _, id := range identifiers(cutDocument(t, markdown("a.md", changed), usual)) {
				after[id] = true
			}
			for _, id := range before {
				// Parts are numbered in order, so an insertion renumbers the parts after it.
				tried++
				if !after[id] && !strings.Contains(id, "~") {
					lost++
					t.Logf("%s: %q before line %d takes %s away", path, section[:30], s.StartLine, id)
				}
			}
		}
	}
	t.Logf("%d identifiers tried, %d lost", tried, lost)
	if lost*1000 > tried {
		t.Errorf("%d of %d identifiers lost", lost, tried)
	}
}

// Hostile headings and text of one MiB take well under a second on an idle machine; the
// bound leaves room for a busy one with the race detector.
func TestHostileDocuments(t *testing.T) {
	if testing.Short() {
		t.Skip("cuts large files")
	}
	const size = 1 << 20
	fill := func(s string) string { return strings.Repeat(s, size/len(s)) }
	for name, text := range map[string]string{
		"one line":    fill("a"),
		"stops":       fill(". "),
		"sentences":   fill("A. "),
		"spaces":      "x." + fill(" ") + "x",
		"lines":       fill("a\n"),
		"headings":    fill("## a\n"),
		"alternating": fill("## a\n" + strings.Repeat("b", 300) + "\n## c\n"),
		"fences":      fill("```\n"),
		"markers":     fill("- "),
		"quotes":      fill(">"),
		"tables":      fill("|-|\n"),
		"pipes":       "a|b\n" + fill("|-"),
		"badges":      "![" + fill("!["),
		"levels":      fill("# a\n## a\n### a\n#### a\n##### a\n###### a\n" + strings.Repeat("b", 400) + "\n"),
	} {
		f := markdown("a.md", text)
		start := time.Now()
		chunks := Chunks(f, "", usual)
		if took := time.Since(start); took > time.Minute {
			t.Errorf("%s: %v", name, took)
		} else if took > 100*time.Millisecond {
			t.Logf("%s: %v, %d chunks", name, took, len(chunks))
		}
	}
	// No parser makes such symbols.
	nested := &record.File{FilePath: "a.md", Language: "markdown", Status: record.StatusOK, Text: fill("a\n")}
	for i := range 100_000 {
		nested.Symbols = append(nested.Symbols, record.Symbol{Kind: record.Heading, Name: strings.Repeat("n", 100), StartByte: 2 * i, EndByte: len(nested.Text) - i})
	}
	cutDocument(t, nested, usual)
}

func FuzzMarkdownSplitter(f *testing.F) {
	f.Add("# A\n\nb\n\n## C\n\n```\nd\n\n```\n| a |\n|---|\n| b |\n", uint16(0), 0, 5, 1)
	f.Add("---\na: b\n---\n## "+strings.Repeat("x", 300)+"\n"+strings.Repeat("Y. z\r\n", 99)+"> - ```\n", uint16(200), 3, 9, 100)
	f.Fuzz(func(t *testing.T, text string, most uint16, start, end, body int) {
		text = strings.ToValidUTF8(text, "\ufffd")
		if strings.TrimSpace(text) == "" {
			return
		}
		size := max(int(most), 200)
		file := markdown("a.md", text)
		cutDocument(t, file, size)
		// This heading is at a place where no parser finds one.
		start, end, body = min(max(start, 0), len(text)), min(max(end, 0), len(text)), min(max(body, 0), len(text))
		if start <= end {
			file.Symbols = append(file.Symbols, record.Symbol{Kind: record.Heading, Name: "x", StartByte: start, EndByte: end, BodyByte: body})
			slices.SortStableFunc(file.Symbols, func(a, b record.Symbol) int { return a.StartByte - b.StartByte })
			cutDocument(t, file, size)
		}
	})
}

func BenchmarkDocumentChunks(b *testing.B) {
	var files []*record.File
	size := 0
	for _, text := range realDocuments(b) {
		files = append(files, markdown("a.md", text))
		size += len(text)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for _, f := range files {
			Chunks(f, "", size)
		}
	}
}
