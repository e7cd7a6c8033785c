package show

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"cortex/lib/record"
	"cortex/lib/search/answer"
	"cortex/lib/search/corpus"
	"cortex/lib/search/query"
)

// highlights are those of a chunk in which the needles are looked for.
func highlights(c *record.Chunk, needles []Needle, symbol *record.SymbolRef) []answer.Highlight {
	lines := newTextLines(c)
	found, needles := lines.matches(needles)
	return highlightsOf(lines, found, needles, symbol)
}

// show runs the query over the chunk alone and gives its highlights as "line: text".
func show(t *testing.T, c *record.Chunk, q string) []string {
	t.Helper()
	node, err := query.Parse(q, 1)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, h := range highlights(c, ExactNeedles(node, nil), nil) {
		out = append(out, fmt.Sprintf("%d: %s", h.Line, h.Text))
	}
	return out
}

func TestHighlights(t *testing.T) {
	// The made-up head is the first line; the rest is the file from line 40 on.
	head, body := "// Reader.Next <b>\n", "func (r *Reader) Next() {\n\tx := readLine(r) // <mutex>\n\treturn\n}\nvar a, b sync.RWMutex\nvar c sync.\n\tRWMutex\n"
	c := &record.Chunk{ChunkType: record.Implementations, Text: head + body,
		Metadata: record.Metadata{StartLine: 40, EndLine: 46, ByteStart: 1000, ByteEnd: 1000 + len(body)}}
	tests := []struct{ query, want string }{
		{"next", "40: func (r *Reader) <mark>Next</mark>() {"},
		// What only the made-up head holds is shown by the source's words.
		{"reader.next", "40: func (r *<mark>Reader) Next</mark>() {"},
		{"next.b", "40: func (r *Reader) <mark>Next</mark>() {|44: var a, <mark>b</mark> sync.RWMutex"},
		{"symbol:next", "40: func (r *Reader) <mark>Next</mark>() {"},
		{"readline", "41: \tx := <mark>readLine</mark>(r) // <mutex>"},
		{"line", "41: \tx := read<mark>Line</mark>(r) // <mutex>"},
		{"mutex", "41: \tx := readLine(r) // <<mark>mutex</mark>>|44: var a, b sync.RW<mark>Mutex</mark>|46: \tRW<mark>Mutex</mark>"},
		{"sync.rwmutex", "44: var a, b <mark>sync.RWMutex</mark>\nvar c <mark>sync.</mark>\n\t<mark>RWMutex</mark>"},
		{"x readline", "41: \t<mark>x</mark> := <mark>readLine</mark>(r) // <mutex>"},
		{"read* OR mutx~1 -return", "41: \tx := <mark>readLine</mark>(r) // <<mark>mutex</mark>>|40: func (r *<mark>Reader</mark>) Next() {|44: var a, b sync.RW<mark>Mutex</mark>"},
		{"absent", "40: func (r *Reader) Next() {\n\tx := readLine(r) // <mutex>"},
		{"title:x", "40: func (r *Reader) Next() {\n\tx := readLine(r) // <mutex>"},
	}
	for _, tt := range tests {
		got := show(t, c, tt.query)
		for _, piece := range strings.Split(tt.want, "|") {
			found := false
			for _, g := range got {
				found = found || g == piece
			}
			if !found {
				t.Errorf("%s: got %q, want among them %q", tt.query, got, piece)
			}
		}
		if want := len(strings.Split(tt.want, "|")); len(got) != want {
			t.Errorf("%s: got %q, want %d highlights", tt.query, got, want)
		}
	}
}

func TestHighlightsOfDeclarations(t *testing.T) {
	c := &record.Chunk{ChunkType: record.Definitions, Text: "package x\n\n// Lines 10-15\ntype A struct {\n\tname string\n}\n\n// Lines 30-31\ndef name():\n",
		Metadata: record.Metadata{Language: "go", StartLine: 10, EndLine: 31, ByteEnd: 500}}
	got := show(t, c, "name")
	if want := []string{"11: \t<mark>name</mark> string", "30: def <mark>name</mark>():"}; strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := show(t, c, "lines"); len(got) != 1 || got[0] != "10: type A struct {\n\tname string" {
		t.Errorf("a comment that names lines is in no file: got %q", got)
	}
	c.ChunkType = record.Symbols
	if got := show(t, c, "struct"); len(got) != 1 || !strings.HasPrefix(got[0], "0: ") {
		t.Errorf("an outline is not in the file: got %q", got)
	}
}

func TestHighlightOfTheDeclaration(t *testing.T) {
	c := &record.Chunk{ChunkType: record.Definitions, Metadata: record.Metadata{Language: "go"},
		Text: "// Lines 10-12\n// A uses B.\ntype A struct {\n\tb B // the B of A\n\n// Lines 20-21\n// B is.\ntype B int\n"}
	tests := []struct {
		symbol record.SymbolRef
		query  string
		want   string
	}{
		{record.SymbolRef{Name: "B", Line: 21}, "b", "10: // A uses <mark>B</mark>.|12: \t<mark>b</mark> <mark>B</mark> // the <mark>B</mark> of A|21: type <mark>B</mark> int"},
		{record.SymbolRef{Name: "B", Line: 21}, "tags:go", "21: type <mark>B</mark> int"},
		{record.SymbolRef{Name: "B", Line: 21}, "uses", "10: // A <mark>uses</mark> B.|21: type <mark>B</mark> int"},
		{record.SymbolRef{Name: "pkg::A", Line: 11}, "symbol:a", "10: // <mark>A</mark> uses B.|11: type <mark>A</mark> struct {\n\tb B // the B of <mark>A</mark>"},
		{record.SymbolRef{Name: "C", Line: 11}, "absent", "11: type A struct {"},
		{record.SymbolRef{Name: "C", Line: 99}, "absent", "10: // A uses B.\ntype A struct {"},
	}
	for _, tt := range tests {
		node, err := query.Parse(tt.query, 1)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, h := range highlights(c, ExactNeedles(node, nil), &tt.symbol) {
			got = append(got, fmt.Sprintf("%d: %s", h.Line, h.Text))
		}
		if strings.Join(got, "|") != tt.want {
			t.Errorf("%s in %s: got %q, want %q", tt.symbol.Name, tt.query, got, tt.want)
		}
	}
}

func TestHighlightsOfLongLines(t *testing.T) {
	text := strings.Repeat("ü ", 5000) + "needle" + strings.Repeat(" ö", 5000)
	c := &record.Chunk{ChunkType: record.Documentation, Text: text, Metadata: record.Metadata{StartLine: 1, ByteEnd: len(text)}}
	got := highlights(c, ExactNeedles(&query.Term{Field: query.Text, Text: "needle", Boost: 1}, nil), nil)
	if len(got) != 1 || !utf8.ValidString(got[0].Text) || !strings.Contains(got[0].Text, "<mark>needle</mark>") {
		t.Fatalf("got %v", got)
	}
	if n := utf8.RuneCountInString(got[0].Text); n > answer.HighlightWidth+len(markStart+markEnd)+2 {
		t.Errorf("%d characters", n)
	}
	// A single huge phrase is cut too.
	words := strings.Repeat("a ", 2000)
	c.Text = words
	for _, h := range highlights(c, ExactNeedles(&query.Term{Field: query.Text, Text: words[:400], Phrase: true, Boost: 1}, nil), nil) {
		if n := len(strings.NewReplacer(markStart, "", markEnd, "").Replace(h.Text)); n > 2*answer.HighlightWidth+400 {
			t.Errorf("%d bytes", n)
		}
	}
}

func TestHighlightsOfNothing(t *testing.T) {
	for _, text := range []string{"", "\n\n", "{}"} {
		c := &record.Chunk{ChunkType: record.Documentation, Text: text, Metadata: record.Metadata{ByteEnd: len(text)}}
		if got := highlights(c, nil, nil); got == nil || len(got) != 0 {
			t.Errorf("%q: got %v, want an empty list", text, got)
		}
	}
}

// FuzzHighlights takes chunks whose metadata lies.
func FuzzHighlights(f *testing.F) {
	f.Add("func a() {\n\tb()\n}", "a* OR b", 3, 10)
	f.Add("x\r\ny", "y", -5, 2)
	f.Fuzz(func(t *testing.T, text, q string, from, to int) {
		node, err := query.Parse(q, 1)
		if err != nil {
			return
		}
		c := &record.Chunk{ChunkType: record.Implementations, Text: text, Metadata: record.Metadata{StartLine: 1, ByteStart: from, ByteEnd: to}}
		needles := ExactNeedles(node, nil)
		if got := highlights(c, needles, nil); len(got) > maxHighlights {
			t.Errorf("%d highlights", len(got))
		}
		if got := AllHighlights(c, needles, nil); len(got) > strings.Count(text, "\n")+1 {
			t.Errorf("%d highlights in all", len(got))
		}
	})
}

func TestHighlightsOfStems(t *testing.T) {
	s, err := corpus.NewStemmer("")
	if err != nil {
		t.Fatal(err)
	}
	text := "Nothing.\nErrors are handled.\n```\nhandled\n```\n"
	c := &record.Chunk{ChunkType: record.Documentation, Text: text, Metadata: record.Metadata{StartLine: 1, EndLine: 5, ByteEnd: len(text)}}
	node, err := query.Parse("handling", 1)
	if err != nil {
		t.Fatal(err)
	}
	got := highlights(c, ExactNeedles(node, s), nil)
	if len(got) != 1 || got[0].Text != "Errors are <mark>handled</mark>." {
		t.Errorf("%+v", got)
	}
}
