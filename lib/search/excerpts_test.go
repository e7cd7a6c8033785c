package search

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"cortex/lib/record"
	"cortex/lib/search/answer"
)

// read returns the excerpts of the first hit of a query.
func read(t *testing.T, x *Index, q string, around answer.Around) []answer.Excerpt {
	t.Helper()
	around.Read = true
	var list []answer.Excerpt
	found, err := x.Find(t.Context(), answer.Request{Queries: []string{q}, Limit: 1, Context: around})
	if err != nil {
		t.Fatal(err)
	}
	if err := found.Each(func(h *answer.Hit) error {
		if h.Context != nil {
			t.Errorf("%s: context %+v beside excerpts", q, h.Context)
		}
		list = h.Excerpts
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return list
}

func TestExcerpts(t *testing.T) {
	x := newIndex(t, tiers())
	for _, tt := range []struct {
		query  string
		around answer.Around
		want   string
	}{
		{"call", answer.Around{}, "5:\tcall(name)"},
		{"call", answer.Around{Before: 1, After: 9}, "4:func Open(name string) {\n\tcall(name)\n}\n\ntype Store struct {\n\tname string\n}"},
		{"call", answer.Around{Full: true}, "3:// Open opens.\nfunc Open(name string) {\n\tcall(name)\n}"},
		{"symbol:Open", answer.Around{Full: true}, "3:// Open opens.\nfunc Open(name string) {\n\tcall(name)\n}"},
		{"symbol:Store", answer.Around{Full: true}, "8:type Store struct {\n\tname string\n}"},
		{"symbol:Store", answer.Around{Whole: true}, "3:// Open opens.\nfunc Open(name string)|8:type Store struct {\n\tname string\n}"},
		{"chunk_type:symbols", answer.Around{Whole: true}, "0:a.go: a go\n10 lines of go, package a\n1 type:\n  Store, struct, lines 8-10\n1 function:\n  Open, lines 3-6"},
		{"chunk_type:symbols", answer.Around{Full: true}, "0:a.go: a go\n10 lines of go, package a\n1 type:\n  Store, struct, lines 8-10\n1 function:\n  Open, lines 3-6"},
	} {
		var parts []string
		for _, e := range read(t, x, tt.query, tt.around) {
			parts = append(parts, string(rune('0'+e.StartLine))+":"+e.Text)
			if want := e.StartLine + strings.Count(e.Text, "\n"); e.StartLine > 0 && e.EndLine != want {
				t.Errorf("%s: ends in line %d, want %d", tt.query, e.EndLine, want)
			}
		}
		if got := strings.Join(parts, "|"); got != tt.want {
			t.Errorf("%s, %+v: got %q, want %q", tt.query, tt.around, got, tt.want)
		}
	}
}

// An index with a wrong length of a file, a thousand million lines, must not take memory for them.
func TestExcerptsOfALyingIndexAreBounded(t *testing.T) {
	chunks := tiers()
	for _, c := range chunks {
		c.Metadata.EndLine = 1e9
	}
	long := chunk("long.go", "long.Long", "func Long() {}\n", func(c *record.Chunk) { c.Metadata.StartLine, c.Metadata.EndLine = 1, 1e9 })
	x := newIndex(t, append(chunks, long))
	for _, q := range []string{"call", "symbol:Store", "symbol:Long"} {
		for _, around := range []answer.Around{{Full: true}, {Whole: true}, {Before: 50, After: 50}} {
			lines := 0
			for _, e := range read(t, x, q, around) {
				lines += 1 + strings.Count(e.Text, "\n")
			}
			if lines > 10_001 {
				t.Errorf("%s, %+v: %d lines", q, around, lines)
			}
		}
	}
}

// The definition of a field is its paragraph, not the type around it.
func TestExcerptsOfAField(t *testing.T) {
	text := "// Lines 1-40\ntype Store struct {\n\tpath string\n\n\t// name is what people see.\n\tname string\n\tsize int\n\n\topen bool\n}\n"
	c := &record.Chunk{
		ID: "code-definitions-a.go", ChunkType: record.Definitions, Title: "a.go", Text: text,
		Metadata: record.Metadata{Source: record.SourceCode, FilePath: "a.go", Language: "go", StartLine: 1, EndLine: 40,
			Symbols: []record.SymbolRef{{Name: "Store", Type: record.Struct, Line: 1}, {Name: "Store.name", Type: record.Field, Line: 5}}},
	}
	x := newIndex(t, []*record.Chunk{c})
	list := read(t, x, "symbol:Store.name", answer.Around{Full: true})
	if len(list) != 1 || list[0].StartLine != 4 || list[0].Text != "\t// name is what people see.\n\tname string\n\tsize int" {
		t.Errorf("got %+v", list)
	}
}

// The definition of a value that has a chunk of its own is that chunk, not the type around it.
func TestExcerptsOfAValue(t *testing.T) {
	piece := func(id string, kind record.ChunkType, first, last int, text string, symbol record.SymbolRef) *record.Chunk {
		return &record.Chunk{
			ID: id, ChunkType: kind, Title: id, Text: text,
			Metadata: record.Metadata{Source: record.SourceCode, FilePath: "a.java", Language: "java", StartLine: first, EndLine: last, SymbolName: symbol.Name, SymbolType: symbol.Type},
		}
	}
	x := newIndex(t, []*record.Chunk{
		piece("code-definitions-a.java#A", record.Definitions, 1, 9, "// Lines 1-9\nclass A {\n  /** How often. */\n  int limit =\n    3;\n  int other = 4;\n\n  // Lines 8-8\n  void f()\n}\n", record.SymbolRef{Name: "A", Type: record.Class}),
		piece("code-data-a.java#A.limit", record.Data, 2, 4, "// Lines 2-4\n  /** How often. */\n  int limit =\n    3;\n", record.SymbolRef{Name: "A.limit", Type: record.Variable}),
	})
	checkWhole(t, x, map[string][2]int{"symbol:A": {1, 9}, "symbol:limit": {2, 4}})
}

// part is a chunk with the lines [first, last] of a function.
func part(id string, first, last int) *record.Chunk {
	var b strings.Builder
	for n := first; n <= last; n++ {
		fmt.Fprintf(&b, "line %d of %s\n", n, strings.NewReplacer("~", " ", ".", " ").Replace(id))
	}
	name, text := strings.Split(id, "~")[0], b.String()
	return &record.Chunk{
		ID: "code-impl-a.go#" + id, ChunkType: record.Implementations, Title: id, Text: text,
		Metadata: record.Metadata{Source: record.SourceCode, FilePath: "a.go", Language: "go", StartLine: first, EndLine: last, ByteEnd: len(text),
			SymbolName: name, SymbolType: record.Function, Symbols: []record.SymbolRef{{Name: name, Type: record.Function, Line: first}}},
	}
}

// further is a part of a function that continues another part.
func further(id string, first, last int) *record.Chunk {
	c := part(id, first, last)
	c.Text = "// " + c.Metadata.SymbolName + ", continued\n" + c.Text
	return c
}

// checkWhole compares the lines of the definitions around hits of queries.
func checkWhole(t *testing.T, x *Index, want map[string][2]int) {
	t.Helper()
	for query, want := range want {
		list := read(t, x, query, answer.Around{Full: true})
		if len(list) != 1 || list[0].StartLine != want[0] || list[0].EndLine != want[1] {
			t.Errorf("%s: got %+v, want lines %d-%d", query, list, want[0], want[1])
		}
	}
}

// The whole definition has all of its parts and the functions between them, but not another declaration of its name.
func TestExcerptsOfAWholeDefinition(t *testing.T) {
	x := newIndex(t, []*record.Chunk{
		part("outer", 1, 4), part("outer.inner", 5, 8), further("outer~2", 9, 12), further("outer~3", 13, 15), part("other", 17, 19), part("outer~4", 21, 22),
	})
	found, err := x.Find(t.Context(), answer.Request{Queries: []string{"symbol:outer OR symbol:other"}, Context: answer.Around{Full: true, Read: true}})
	if err != nil {
		t.Fatal(err)
	}
	if found.Total() != 4 { // outer, inner, other and the second outer
		t.Errorf("%d hits, want each definition once", found.Total())
	}
	checkWhole(t, x, map[string][2]int{
		`"line 2"`: {1, 15}, `"line 10"`: {1, 15}, `"line 15"`: {1, 15}, `"line 6"`: {5, 8}, `"line 18"`: {17, 19}, `"line 21"`: {21, 22},
	})
}

// A function whose name begins with another one's is not inside that, and the third declaration of a name has parts of
// its own.
func TestExcerptsOfOverloads(t *testing.T) {
	x := newIndex(t, []*record.Chunk{part("get", 1, 2), part("getAll", 4, 5), part("get~2", 7, 8), part("put", 10, 11), part("get~3", 13, 14), further("get~3~2", 15, 16), part("get~4", 18, 19),
		part("set", 21, 22), further("set~1~2", 23, 24), part("set~2", 26, 27)})
	checkWhole(t, x, map[string][2]int{`"line 1"`: {1, 2}, `"line 4"`: {4, 5}, `"line 7"`: {7, 8}, `"line 13"`: {13, 16}, `"line 16"`: {13, 16}, `"line 18"`: {18, 19},
		`"line 21"`: {21, 24}, `"line 24"`: {21, 24}, `"line 26"`: {26, 27}})
	for query, want := range map[string]int{"symbol:get": 5, "symbol:set": 2} { // the overloads, and getAll
		found, err := x.Find(t.Context(), answer.Request{Queries: []string{query}, Context: answer.Around{Full: true, Read: true}})
		if err != nil || found.Total() != want {
			t.Errorf("%s: %d hits, %v", query, found.Total(), err)
		}
	}
}

// Of code between functions the paragraph of the match is shown, since no definition is around it.
func TestExcerptsBetweenFunctions(t *testing.T) {
	text := "import a\nimport b\n\nstart(a)\nstop(b)\n\nlast()\n"
	between := &record.Chunk{
		ID: "code-impl-a.py", ChunkType: record.Implementations, Title: "a.py", Text: text,
		Metadata: record.Metadata{Source: record.SourceCode, FilePath: "a.py", Language: "python", StartLine: 1, EndLine: 7, ByteEnd: len(text)},
	}
	script := chunk("b.sh", "", text, func(c *record.Chunk) { c.ID, c.Metadata.StartLine, c.Metadata.EndLine = "code-impl-b.sh", 1, 7 })
	f := part("f", 9, 12)
	f.ID, f.Metadata.FilePath = "code-impl-a.py#f", "a.py"
	x := newIndex(t, []*record.Chunk{between, script, f})
	for query, want := range map[string][2]int{"stop path:a.py": {4, 5}, "stop path:b.sh": {1, 7}} {
		if list := read(t, x, query, answer.Around{Full: true}); len(list) != 1 || list[0].StartLine != want[0] || list[0].EndLine != want[1] {
			t.Errorf("%s: %+v, want lines %d-%d", query, list, want[0], want[1])
		}
	}
}

// A type that does not fit into one chunk is one hit with all of its lines, which the outline gives.
func TestExcerptsOfALongType(t *testing.T) {
	piece := func(id string, first, last int, name string, symbols ...record.SymbolRef) *record.Chunk {
		p := part(id, first, last)
		p.ID, p.ChunkType = "code-definitions-a.go"+id, record.Definitions
		p.Text = fmt.Sprintf("// Lines %d-%d\n%s", first, last, p.Text)
		if len(symbols) == 0 || symbols[0].Name != name {
			p.Text = "// class " + name + ", continued\n" + p.Text
		}
		p.Metadata.SymbolName, p.Metadata.SymbolType, p.Metadata.Symbols = name, record.Class, symbols
		return p
	}
	class := func(name string, line int) record.SymbolRef {
		return record.SymbolRef{Name: name, Type: record.Class, Line: line}
	}
	outline := part("", 1, 40)
	outline.ID, outline.ChunkType, outline.Metadata.Symbols, outline.Metadata.SymbolName = "code-symbols-a.go", record.Symbols, nil, ""
	outline.Text = "a.go: a go\n3 types:\n  Long, class, lines 3-20\n  Long.Inner, class, lines 12-14\n  Next, class, lines 22-40"
	x := newIndex(t, []*record.Chunk{
		outline,
		piece("", 1, 6, "Long", class("Long", 3)), piece("~2", 7, 10, "Long"), piece("~3", 11, 20, "Long", class("Long.Inner", 12)),
		piece("~4", 22, 30, "Next", class("Next", 22)), piece("~5", 31, 40, "Next"),
	})
	for query, want := range map[string]int{"symbol:Long": 1, "symbol:(Long OR Next)": 2, "symbol:(Long OR Inner)": 2, "symbol:Next": 1} {
		found, err := x.Find(t.Context(), answer.Request{Queries: []string{query}, Context: answer.Around{Full: true, Read: true}})
		if err != nil || found.Total() != want {
			t.Errorf("%s: %d hits, %v, want %d", query, found.Total(), err, want)
		}
	}
	checkWhole(t, x, map[string][2]int{"symbol:Long": {1, 20}, "symbol:Next": {22, 40}, `"line 8"`: {7, 10}, "symbol:(Next OR Long.Nothing)": {22, 40}, "symbol:Inner": {11, 14}})
}

// Beside the type Conn, a field conn is a place.
func TestExcerptsOfNamesInAnotherCase(t *testing.T) {
	declare := func(path, text, name string, kind record.Kind) *record.Chunk {
		p := part("x", 1, 1)
		p.ID, p.ChunkType, p.Text, p.Metadata.FilePath = "code-definitions-"+path, record.Definitions, "// Lines 1-1\n"+text+"\n", path
		p.Metadata.SymbolName, p.Metadata.Symbols = name, []record.SymbolRef{{Name: name, Type: kind, Line: 1}}
		return p
	}
	x := newIndex(t, []*record.Chunk{
		declare("a.go", "type Conn struct{}", "Conn", record.Struct),
		declare("b.go", "conn *Conn", "server.conn", record.Field),
		declare("c.go", "func Start() {}", "Start", record.Function),
	})
	for query, want := range map[string]string{
		"symbol:Conn": "a.go", "symbol:conn": "b.go", "symbol:CONN": "a.go b.go", "symbol:(Conn OR start)": "a.go c.go", "symbol:C*n": "a.go b.go",
	} {
		found, err := x.Find(t.Context(), answer.Request{Queries: []string{query}, Context: answer.Around{Full: true, Read: true}})
		if err != nil {
			t.Fatal(err)
		}
		var whole []string
		if err := found.Each(func(h *answer.Hit) error {
			if h.Excerpts != nil {
				whole = append(whole, h.Chunk.Metadata.FilePath)
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		slices.Sort(whole)
		if got := strings.Join(whole, " "); got != want {
			t.Errorf("%s: whole are %q, want %q", query, got, want)
		}
	}
}
