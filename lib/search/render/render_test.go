package render

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"cortex/lib/hint"
	"cortex/lib/notation"
	"cortex/lib/record"
	"cortex/lib/search/answer"
	"cortex/lib/search/query"
	"cortex/lib/terminal"
)

func sample() *answer.Response {
	return &answer.Response{
		Query: "read", TotalFound: 7, TotalReturned: 2,
		Metadata: answer.ResponseMetadata{TookMS: 1.5, Source: "exact"},
		Results: []answer.Hit{{
			Chunk: answer.Chunk{ID: "code-impl-a/b.go#Read", ChunkType: record.Implementations, Title: "a/b.go: Read", Text: "x", Tags: []string{"go"},
				Metadata: record.Metadata{FilePath: "a/b.go", StartLine: 3, EndLine: 9, SymbolType: record.Function, SymbolSignature: "func  Read()\t<T>"}},
			Score: 0.5, Match: answer.MatchBoth,
			Highlights: []answer.Highlight{{Line: 4, Text: "func <mark>Read</mark>() <b> {\n\t<mark>read</mark>(1)"}, {Text: "outline \x1b[31m</mark>"}},
		}, {
			Chunk: answer.Chunk{ID: "doc-c.md", ChunkType: record.Documentation, Title: "C",
				Metadata: record.Metadata{FilePath: "tree:c.md", Tree: "tree", StartLine: 1, EndLine: 1}},
			Score: 0.25, Match: answer.MatchKeyword,
		}},
	}
}

func TestResponseForPeople(t *testing.T) {
	var out bytes.Buffer
	if err := Response(&out, sample(), Options{View: terminal.View{Dir: "/here", Root: "/repo"}}); err != nil {
		t.Fatal(err)
	}
	want := `../repo/a/b.go:3  func Read() <T>
  function · lines 3-9 · both · score 0.50
      4  func Read() <b> {
      5  	read(1)
         outline ` + "\uFFFD" + `[31m</mark>

../repo/c.md:1  C
  documentation · line 1 · keyword · score 0.25

2 of 7 hits, exact, 1.5 ms
`
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}

func TestSummaryCounts(t *testing.T) {
	for _, test := range []struct {
		written, found int
		source, want   string
	}{
		{1, 1, answer.SourceExact, "1 of 1 hit, exact, 0 ms\n"},
		{1, 2, answer.SourceExact, "1 of 2 hits, exact, 0 ms\n"},
		{1, 7, "hybrid", "1 place, hybrid, 0 ms\n"},
		{2, 7, "hybrid", "2 places, hybrid, 0 ms\n"},
	} {
		var out strings.Builder
		if err := Summary(&out, test.written, test.found, answer.ResponseMetadata{Source: test.source}, Options{}); err != nil || out.String() != test.want {
			t.Errorf("got %q, want %q, %v", out.String(), test.want, err)
		}
	}
}

// below is a folder of the tree in which the reader stands.
var below = terminal.View{Dir: "/repo/sub", Root: "/repo"}

func TestLines(t *testing.T) {
	l := &answer.MatchedLine{FilePath: "tree:a/b\x1b.go", Tree: "tree", Number: 7, Text: "\tüx read(\x1b[2J) read", Matches: [][2]int{{5, 9}, {16, 20}}}
	for _, tt := range []struct {
		column bool
		opts   Options
		want   string
	}{
		{false, Options{}, "a/b\uFFFD.go:7:\tüx read(\uFFFD[2J) read\n"},
		{true, Options{View: below}, "../a/b\uFFFD.go:7:6: \tüx read(\uFFFD[2J) read\n"},
		{false, Options{Color: true}, "\x1b[1;35ma/b\uFFFD.go\x1b[0m:\x1b[32m7\x1b[0m:\tüx \x1b[1;31mread\x1b[0m(\uFFFD[2J) \x1b[1;31mread\x1b[0m\n"},
	} {
		var out bytes.Buffer
		if err := Line(&out, l, tt.column, tt.opts); err != nil || out.String() != tt.want {
			t.Errorf("%+v: got %q, want %q, %v", tt.opts, out.String(), tt.want, err)
		}
	}
	var out bytes.Buffer
	if err := Line(&out, &answer.MatchedLine{FilePath: "a", Number: 1, Text: "x"}, true, Options{}); err != nil || out.String() != "a:1:1: x\n" {
		t.Errorf("%q, %v", out.String(), err)
	}
	out.Reset()
	if err := File(&out, "tree", "tree:a/b.go", Options{View: below, Color: true}); err != nil || out.String() != "\x1b[1;35m../a/b.go\x1b[0m\n" {
		t.Errorf("%q, %v", out.String(), err)
	}
}

func TestNamesWithALineBreakStayOneLine(t *testing.T) {
	const name = "a\nb.go:1:\u2028\u200B\x1b[2J"
	const shown = "a\uFFFDb.go:1:\uFFFD\uFFFD\uFFFD[2J"
	var files, lines, null strings.Builder
	if err := errors.Join(File(&files, "", name, Options{}), File(&null, "", name, Options{Null: true, Color: true}),
		Line(&lines, &answer.MatchedLine{FilePath: name, Number: 1, Text: "x\u2028y\x1b[31m"}, false, Options{})); err != nil {
		t.Fatal(err)
	}
	if files.String() != shown+"\n" || lines.String() != shown+":1:x\uFFFDy\uFFFD[31m\n" || null.String() != name+"\x00" {
		t.Errorf("files %q, lines %q, null %q", files.String(), lines.String(), null.String())
	}
}

func TestResponseNamesTheDeclaration(t *testing.T) {
	var out bytes.Buffer
	r := &answer.Response{TotalFound: 1, Results: []answer.Hit{{
		Chunk:  answer.Chunk{ChunkType: record.Definitions, Title: "a.go: definitions of A, B", Metadata: record.Metadata{FilePath: "a.go", StartLine: 3, EndLine: 90}},
		Symbol: &record.SymbolRef{Name: "pkg.B", Type: record.Struct, Line: 40},
		Match:  answer.MatchKeyword,
	}}}
	if err := Response(&out, r, Options{}); err != nil {
		t.Fatal(err)
	}
	if want := "a.go:40  struct pkg.B\n  struct · lines 3-90 · "; !strings.HasPrefix(out.String(), want) {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}

func TestResponseInColour(t *testing.T) {
	var out bytes.Buffer
	if err := Response(&out, sample(), Options{Color: true}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"\x1b[1;35ma/b.go:3\x1b[0m", "func \x1b[1;31mRead\x1b[0m() <b> {"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in %q", want, out.String())
		}
	}
	if strings.Contains(out.String(), "\x1b[31m") {
		t.Error("an escape sequence of the file went through")
	}
}

func TestResponseAsJSON(t *testing.T) {
	var out bytes.Buffer
	if err := Response(&out, sample(), Options{JSON: true, Color: true}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 2 || !strings.Contains(lines[0], "<mark>Read</mark>() <b>") {
		t.Fatalf("got %s", out.String())
	}
	var hit answer.Hit
	if err := json.Unmarshal([]byte(lines[0]), &hit); err != nil || hit.Chunk.Metadata.FilePath != "a/b.go" || hit.Highlights[0].Line != 4 {
		t.Errorf("%v: %+v", err, hit)
	}
}

func TestQueryError(t *testing.T) {
	for q, want := range map[string]string{
		"text:foo AND ": "query: position 14: expected a term after AND\n  text:foo AND \n               ^",
		"a\tOR":         "query: position 5: expected a term after OR\n  a OR\n      ^",
		"日本 (x":         "query: position 4: parenthesis is not closed\n  日本 (x\n       ^",
	} {
		_, err := query.Parse(q, 1)
		var fault *query.Error
		if !errors.As(err, &fault) {
			t.Fatalf("%q: %v", q, err)
		}
		got := QueryError(fault)
		if got.Error() != want || hint.Of(got) == "" {
			t.Errorf("%q: got\n%s\nwant\n%s\nhint %q", q, got, want, hint.Of(got))
		}
	}
}

// An answer within a number of rows has the first hits in full and the others by their place.
func TestResponseWithinRows(t *testing.T) {
	r := &answer.Response{}
	for n := range 10 {
		var h answer.Hit
		h.Chunk.Title = fmt.Sprintf("title%d", n)
		h.Chunk.Metadata.FilePath, h.Chunk.Metadata.StartLine, h.Chunk.Metadata.EndLine = fmt.Sprintf("f%d.go", n), 1, 9
		h.Highlights = []answer.Highlight{{Line: 1, Text: "one\ntwo\nthree"}, {Line: 7, Text: "four\nfive\nsix"}}
		r.Results = append(r.Results, h)
	}
	for lines, full := range map[int]int{0: 10, 1: 1, 20: 1, 40: 3} {
		var b strings.Builder
		if err := Response(&b, r, Options{Rows: lines}); err != nil {
			t.Fatal(err)
		}
		got := b.String()
		if n := strings.Count(got, "three"); n != full || !strings.Contains(got, "f9.go:1  title9\n") || lines >= 20 && strings.Count(got, "\n") > lines {
			t.Errorf("within %d lines %d are in full:\n%s", lines, n, got)
		}
	}
}

// Long lines go on in further rows, which count, and titles end at the last column.
func TestResponseWithinColumns(t *testing.T) {
	r := &answer.Response{}
	for n := range 5 {
		var h answer.Hit
		h.Chunk.Title = "café of a title that is long"
		h.Chunk.Metadata.FilePath, h.Chunk.Metadata.StartLine, h.Chunk.Metadata.EndLine = fmt.Sprintf("%s%d.go", strings.Repeat("a", 5*n), n), 1, 9
		h.Highlights = []answer.Highlight{{Line: 1, Text: strings.Repeat("é", 50)}}
		r.Results = append(r.Results, h)
	}
	var b strings.Builder
	if err := Response(&b, r, Options{Columns: 20, Rows: 20, Color: true}); err != nil {
		t.Fatal(err)
	}
	got := b.String()
	for _, want := range []string{"0.go:1\x1b[0m  café of a t…\n", "aaaaa1.go:1\x1b[0m  café o…\n", "aaaaaaaaaaaaaaaaaaaa4.go:1\x1b[0m\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if n := strings.Count(got, "é\x1b[0m") + strings.Count(got, "éé\n"); n != 2 {
		t.Errorf("%d hits have their lines, want 2:\n%s", n, got)
	}
}

// The line of a hit of several parts is that of the part which the title describes; parts of one definition are one.
func TestResponseNamesTheLineOfTheBestPart(t *testing.T) {
	for _, tt := range []struct {
		tier   record.ChunkType
		titles []string
		want   string
	}{
		{record.Definitions, []string{"a.go: definitions of A", "a.go: definitions of B"}, "a.go:40  definitions of B\n"},
		{record.Implementations, []string{"a.go: A", "a.go: B"}, "a.go:40  B\n"},
		{record.Implementations, []string{"a.go: B", notation.PartTitle("a.go: B", 2)}, "a.go:3  " + notation.PartTitle("B", 2) + "\n"},
	} {
		var out bytes.Buffer
		h := answer.Hit{
			Chunk: answer.Chunk{ID: "best", ChunkType: tt.tier, Title: tt.titles[1], Metadata: record.Metadata{FilePath: "a.go", StartLine: 3, EndLine: 90}},
			Parts: []answer.Part{{ID: "first", Title: tt.titles[0], StartLine: 3, EndLine: 30}, {ID: "best", Title: tt.titles[1], StartLine: 40, EndLine: 90}},
		}
		if err := Response(&out, &answer.Response{TotalFound: 1, Results: []answer.Hit{h}}, Options{}); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(out.String(), tt.want) {
			t.Errorf("%s: got %q, want %q", tt.tier, out.String(), tt.want)
		}
	}
}
