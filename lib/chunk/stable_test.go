package chunk_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cortex/lib/chunk"
	"cortex/lib/notation"
	"cortex/lib/record"
)

// TestInsertionKeepsIdentifiers inserts a function above every top-level declaration, one at a time. All identifiers
// stay, and so do all texts of the implementations tier except those of neighbours.
func TestInsertionKeepsIdentifiers(t *testing.T) {
	inserted := map[string]string{
		".go": "func inserted() {\n\tpanic(1)\n}\n\n",
		".py": "def inserted():\n    return 1\n\n\n",
		".ts": "function inserted() {\n  return 1;\n}\n\n",
	}
	files := samples(t)
	patterns := []string{"../record/*.go", "../language/*.go"}
	if testing.Short() {
		patterns = []string{"chunk.go", "cutter.go"}
	}
	for _, pattern := range patterns {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			files[name] = parsed(name, data)
		}
	}
	places := 0
	for _, f := range files {
		text := inserted[filepath.Ext(f.FilePath)]
		if text == "" {
			continue
		}
		before := byID(chunk.File(f, "", chunk.DefaultOptions()))
		lines := strings.SplitAfter(f.Text, "\n")
		for _, s := range f.Symbols {
			line := s.StartLine
			if s.DocLine > 0 {
				line = s.DocLine
			}
			if s.Parent != "" || lines[line-1] != strings.TrimLeft(lines[line-1], " \t") {
				continue
			}
			places++
			grown := parsed(f.FilePath, []byte(strings.Join(slices.Insert(slices.Clone(lines), line-1, text), "")))
			after := byID(chunk.File(grown, "", chunk.DefaultOptions()))
			changed := 0
			for id, c := range before {
				switch {
				case after[id] == nil:
					t.Errorf("%s: insertion in line %d takes away %q", f.FilePath, line, id)
				case c.ChunkType == record.Implementations && after[id].Text != c.Text:
					changed++
				}
			}
			if changed > 1 {
				t.Errorf("%s: insertion in line %d changes %d texts", f.FilePath, line, changed)
			}
		}
	}
	if places < 100 && !testing.Short() {
		t.Errorf("%d places are too few to mean anything", places)
	}
}

func byID(chunks []*record.Chunk) map[string]*record.Chunk {
	out := make(map[string]*record.Chunk, len(chunks))
	for _, c := range chunks {
		out[c.ID] = c
	}
	return out
}

// TestMemberKeepsIdentifiers does the same with a method inserted between others.
func TestMemberKeepsIdentifiers(t *testing.T) {
	for _, test := range []struct{ path, text, insert, above string }{
		{"a.py", "class A:\n    x = 1\n\n    def f(self):\n        return 1\n\n    y = 2\n\n    def g(self):\n        return 2\n", "    def inserted(self):\n        return 3\n\n", "    def g"},
		{"a.ts", "class A {\n  x = 1;\n\n  f() {\n    return 1;\n  }\n\n  y = 2;\n\n  g() {\n    return 2;\n  }\n}\n", "  inserted() {\n    return 3;\n  }\n\n", "  g()"},
	} {
		for _, tiers := range [][]string{nil, {chunk.Implementations}} {
			opts := chunk.DefaultOptions()
			opts.Tiers = tiers
			before := chunk.File(parsed(test.path, []byte(test.text)), "", opts)
			grown := strings.Replace(test.text, test.above, test.insert+test.above, 1)
			after := byID(chunk.File(parsed(test.path, []byte(grown)), "", opts))
			for _, c := range before {
				if after[c.ID] == nil {
					t.Errorf("%s: no %q after the insertion", test.path, c.ID)
				}
			}
			if after["code-impl-"+test.path+"#A.inserted"] == nil {
				t.Errorf("%s: no chunk of the inserted method", test.path)
			}
		}
	}
}

// TestGrownDuplicate makes one of several functions of the same name longer than a
// chunk; the others keep their identifiers.
func TestGrownDuplicate(t *testing.T) {
	source := func(n int) []byte {
		return []byte("package a\n\nfunc init() {\n" + strings.Repeat("\tcall(1, 2, 3, 4)\n", n) + "}\n\nfunc init() { second() }\n\nfunc init() { third() }\n")
	}
	find := func(chunks []*record.Chunk, text string) string {
		for _, c := range chunks {
			if c.ChunkType == record.Implementations && strings.Contains(c.Text, text) {
				return c.ID
			}
		}
		return ""
	}
	small := chunk.File(parsed("a.go", source(1)), "", chunk.DefaultOptions())
	large := chunk.File(parsed("a.go", source(400)), "", chunk.DefaultOptions())
	for text, want := range map[string]string{"second()": "code-impl-a.go#init~2", "third()": "code-impl-a.go#init~3"} {
		if got := find(small, text); got != want {
			t.Errorf("%s is in %q, want %q", text, got, want)
		}
		if got := find(large, text); got != want {
			t.Errorf("after growth %s is in %q, want %q", text, got, want)
		}
	}
	if byID(large)["code-impl-a.go#init~1~2"] == nil {
		t.Error("the grown function has no second part")
	}
}

func TestTiers(t *testing.T) {
	f := samples(t)["shapes.py"]
	for _, tier := range chunk.Tiers() {
		opts := chunk.DefaultOptions()
		opts.Tiers = []string{tier}
		chunks := chunk.File(f, "", opts)
		if len(chunks) == 0 {
			t.Errorf("%s: no chunks", tier)
		}
		for _, c := range chunks {
			if string(c.ChunkType) != tier {
				t.Errorf("%s: chunk %q", tier, c.ID)
			}
		}
		if tier == chunk.Implementations {
			checkChunks(t, f, chunks, opts)
		}
	}
}

// TestLargeFunction: functions inside a very large function have their own chunks, and the lines between them keep its
// name.
func TestLargeFunction(t *testing.T) {
	inner := func(name string) string {
		return "    def " + name + "():\n" + strings.Repeat("        print('one more line of this function')\n", 60) + "\n"
	}
	text := "def outer(a):\n    between = 1\n\n" + inner("first") + "    print(between)\n    print(a)\n\n" + inner("second") + inner("third") + inner("fourth") + "    return first\n"
	f := parsed("a.py", []byte(text))
	chunks := chunk.File(f, "", chunk.DefaultOptions())
	checkChunks(t, f, chunks, chunk.DefaultOptions())
	have := byID(chunks)
	for id, want := range map[string]string{
		"code-impl-a.py#outer":         "def outer",
		"code-impl-a.py#outer~2":       "print(between)",
		"code-impl-a.py#outer.first":   "def first",
		"code-impl-a.py#outer.first~2": "# outer.first, continued",
		"code-impl-a.py#outer.fourth":  "def fourth",
	} {
		if c := have[id]; c == nil || !strings.Contains(c.Text, want) {
			t.Errorf("%s lacks %q: %+v", id, want, c)
		}
	}
}

// TestContainer cuts a function that does not fit into one chunk at the functions inside it, if they are most of it.
func TestContainer(t *testing.T) {
	function := func(name string, lines int) string {
		return "    def " + name + "():\n" + strings.Repeat("        print('one more line of this function')\n", lines) + "\n"
	}
	own := func(lines int) string {
		return "def outer(a):\n" + strings.Repeat("    print('a line of the outer function itself')\n", lines) + "\n"
	}
	for _, c := range []struct {
		name, text string
		apart      bool
	}{
		{"most of a function of more than a chunk", own(2) + function("first", 25) + function("second", 25), true},
		{"most of a function that fits into a chunk", own(2) + function("first", 8) + function("second", 8), false},
		{"the lesser part of a function of two chunks", own(50) + function("first", 10) + function("second", 10), false},
		{"the lesser part of a function of six chunks", own(200) + function("first", 10) + function("second", 10), true},
	} {
		f := parsed("a.py", []byte(c.text+"    return first\n"))
		chunks := chunk.File(f, "", chunk.DefaultOptions())
		checkChunks(t, f, chunks, chunk.DefaultOptions())
		have := byID(chunks)
		if got := have["code-impl-a.py#outer.first"] != nil && have["code-impl-a.py#outer.second"] != nil; got != c.apart {
			t.Errorf("%s: chunks of their own: %t", c.name, got)
		}
		if outline := have["code-symbols-a.py"]; outline == nil || strings.Contains(outline.Text, "second") != c.apart {
			t.Errorf("%s: the outline is %+v", c.name, outline)
		}
	}
}

func TestTestSymbols(t *testing.T) {
	f := goFile("package a\n\nfunc f() {\n}\n\nfunc g() {\n}\n", symbol(record.Function, "f", 3, 4, 11, 23), symbol(record.Function, "g", 6, 7, 25, 37))
	f.Symbols[1].Test = true
	have := byID(chunk.File(f, "", chunk.DefaultOptions()))
	for id, want := range map[string]bool{"code-impl-a.go#f": false, "code-impl-a.go#g": true, "code-definitions-a.go": false} {
		if c := have[id]; c == nil || slices.Contains(c.Tags, "test") != want {
			t.Errorf("%s: %+v, tagged as test: want %v", id, c, want)
		}
	}
}

func TestTreeAndTags(t *testing.T) {
	f := parsed("a_test.go", []byte("package a\n\nfunc TestA(t *testing.T) {}\n"))
	f.Tags = []string{"test", "go"}
	chunks := chunk.File(f, "tree", chunk.DefaultOptions())
	if len(chunks) != 4 {
		t.Errorf("%d chunks, want the outline, a signature, the package line and the function", len(chunks))
	}
	for _, c := range chunks {
		if want := fmt.Sprint([]string{"code", "go", string(c.ChunkType), "test"}); fmt.Sprint(c.Tags) != want {
			t.Errorf("%s: tags %v, want %v", c.ID, c.Tags, want)
		}
		if c.Metadata.FilePath != "tree:a_test.go" || c.Metadata.Tree != "tree" || !strings.Contains(c.ID, "-tree:a_test.go") {
			t.Errorf("%s: path %q in tree %q", c.ID, c.Metadata.FilePath, c.Metadata.Tree)
		}
	}
}

// TestFurtherPartsAreKnown: the head of every further part is read as one, and no first part has such a head.
func TestFurtherPartsAreKnown(t *testing.T) {
	opts := chunk.DefaultOptions()
	opts.CodeSize = 200
	found := map[record.ChunkType]int{}
	for name, f := range samples(t) {
		for _, c := range chunk.File(f, "tree", opts) {
			head, _, _ := strings.Cut(c.Text, "\n")
			switch {
			case c.ChunkType == record.Documentation:
				head = ""
			case c.ChunkType == record.Implementations:
				head = c.Text[:len(c.Text)-(c.Metadata.ByteEnd-c.Metadata.ByteStart)]
			}
			want := strings.Contains(head, ", continued")
			if got := notation.IsContinued(c); got != want {
				t.Errorf("%s: %s: continued is %v:\n%s", name, c.ID, got, c.Text)
			}
			if want {
				found[c.ChunkType]++
			}
		}
	}
	for _, tier := range []record.ChunkType{record.Symbols, record.Definitions, record.Data, record.Implementations} {
		if found[tier] == 0 {
			t.Errorf("no chunk of tier %s continues another", tier)
		}
	}
}
