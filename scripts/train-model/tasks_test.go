package main

import (
	"slices"
	"strings"
	"testing"

	"cortex/lib/record"
)

func TestStrip(t *testing.T) {
	for _, test := range []struct{ language, text, want string }{
		{"go", "// Doc.\nfunc f() { // why\n\treturn \"http://x\" /* in\nside */ + 1\n}", "func f() { \n\treturn \"http://x\"  + 1\n}"},
		{"python", "def f():\n    \"\"\"Doc.\n\n    More.\"\"\"\n    return 1  # one", "def f():\n    return 1  "},
		{"haskell", "-- | Doc\nf x = x {- id -} -- end", "f x = x  "},
		{"lua", "--[[ long\n]]\nf() -- x", "f() "},
		{"ruby", "# doc\ndef f\n  \"#{x}\"\nend", "def f\n  \"#{x}\"\nend"},
		{"html", "<p>a<!-- b --></p>", "<p>a</p>"},
		{"c", "int x; /* never closed", "int x; "},
		{"json", "{\"a\": 1}", "{\"a\": 1}"},
	} {
		if got := commenterOf(test.language).strip(test.text); got != test.want {
			t.Errorf("%s: got %q, want %q", test.language, got, test.want)
		}
	}
}

func TestWithoutDoc(t *testing.T) {
	text := "/**\n * Opens the file, and more.\n */\nvoid open() {\n    x = file;\n}"
	if got, want := withoutDoc(text, "Opens the file, and more."), "/**\n */\nvoid open() {\n    x = file;\n}"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestFirstSentence(t *testing.T) {
	for doc, want := range map[string]string{
		"":                         "",
		"Opens a file. Then more.": "Opens a file",
		"Opens {@link File} of <b>x</b>\n@param x the x": "Opens File of x",
		"Reads e.g.this and that\n\nMore":                "Reads e.g.this and that",
		"\n  Two\n  lines here.\n":                       "Two lines here",
	} {
		if got := firstSentence(doc); got != want {
			t.Errorf("%q: got %q, want %q", doc, got, want)
		}
	}
}

func TestWithoutName(t *testing.T) {
	if got, want := withoutName("Open() opens what File.Open, not Opener, opens", "Open"), "opens what not Opener, opens"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestAsks(t *testing.T) {
	for s, want := range map[string]bool{
		"returns the number of open files": true,
		"opens":                            false,
		"TODO write this one day":          false,
		"Deprecated: use something else":   false,
		strings.Repeat("word ", 61):        false,
	} {
		if asks(s) != want {
			t.Errorf("%q: got %v", s, !want)
		}
	}
}

func TestSections(t *testing.T) {
	chunk := func(heading, text, made string, index int) *record.Chunk {
		return &record.Chunk{Text: made + text, Metadata: record.Metadata{FilePath: "doc/a.md", Language: "markdown", SymbolName: heading, ByteEnd: len(text), ChunkIndex: index}}
	}
	long := strings.Repeat("Words of the section. ", 10)
	c := &collector{data: &data{Repository: repository{Use: useTest}}}
	for _, ch := range []*record.Chunk{
		chunk("Guide", "# Guide\n\n"+long, "> Guide\n\nOpen a file\n\n", 1),
		chunk("Guide › Open a file", "## Open a `file`\n\nFirst. "+long, "> Guide › Open a file\n\n", 1),
		chunk("Guide › Open a file", "Second. "+long, "> Guide › Open a file\n\n", 2),
		chunk("Guide › Too short", "## Too short\n\nNothing.", "> Guide › Too short\n\n", 1),
	} {
		c.section(ch)
	}
	c.ask()
	if len(c.Sections.Candidates) != 1 || len(c.Sections.Questions) != 1 {
		t.Fatalf("%d candidates, %d questions", len(c.Sections.Candidates), len(c.Sections.Questions))
	}
	got := c.Sections.Candidates[0].Passage
	if c.Sections.Questions[0].Query != "Open a file" || !strings.HasPrefix(got, "Guide doc/a.md\nFirst. ") || !strings.Contains(got, "Second. ") || strings.Contains(got, "Open a") {
		t.Errorf("question %q, passage %q", c.Sections.Questions[0].Query, got)
	}
}

func TestFileScores(t *testing.T) {
	scores := fileScores([]float32{1, 4, 7, 3}, fileOf([]candidate{{Name: "a"}, {Name: "b"}, {Name: "a"}, {Name: "a"}}))
	if want := []float32{(7 + 11.0/3) / 2, (4 + 4.0/3) / 2, -1, -1}; !slices.Equal(scores, want) {
		t.Errorf("got %v, want %v", scores, want)
	}
}

func TestFuse(t *testing.T) {
	if got, want := fuse([]float32{0, 2, 4}, []float32{1, 0.5, 0}, setting{weight: 0.5, pool: 10}), []float32{0.5, 0.5, 0.5}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got, want := fuse([]float32{0, 0, 0}, []float32{1, 0.5, 0}, setting{weight: 0.5, pool: 10}), []float32{0.5, 0.25, 0}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestBM25(t *testing.T) {
	b := newBM25([]string{"a.go: readLine\nreads the lines of files", "b.go: close\nthe file is closed", "c.go: wait\nthe time"}, []string{"readLine", "close", "wait"}, 1, false)
	for query, want := range map[string]int32{"reading a line": 0, "closing": 1, "readline": 0, "times": 2} {
		if best := top(b.score(query), 1)[0]; best != want {
			t.Errorf("%q finds %d, want %d", query, best, want)
		}
	}
	if scores := b.score("the of is"); slices.Max(scores) != 0 {
		t.Errorf("stop words score %v", scores)
	}
	whole := newBM25([]string{"read line", "read_line", "readLine"}, nil, 1, true)
	if scores := whole.score("read_line"); scores[0] != 0 || scores[1] <= 0 || scores[2] != 0 {
		t.Errorf("whole words score %v", scores)
	}
}
