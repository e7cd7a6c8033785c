package mcp

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"cortex/lib/record"
	"cortex/lib/search"
)

// response has n results with texts of the given numbers of lines.
func response(lines ...int) *search.Response {
	r := &search.Response{
		Query:         "who & what <here>",
		Results:       []search.Hit{},
		TotalFound:    len(lines) + 7,
		TotalReturned: len(lines),
		Metadata:      search.ResponseMetadata{TookMS: 1.5, Source: "hybrid"},
	}
	for i, n := range lines {
		r.Results = append(r.Results, search.Hit{
			Chunk: search.Chunk{
				ID: fmt.Sprintf("code-impl-lib/a%d.go#F", i), ChunkType: record.Implementations, Title: "F",
				Text:     strings.Repeat("\tif a < b && c > d { return \"größer\" }\n", n),
				Tags:     []string{"code", "go", "implementations"},
				Metadata: record.Metadata{Source: "code", FilePath: fmt.Sprintf("lib/a%d.go", i), StartLine: 1, EndLine: n},
			},
			Score: 1 / float64(i+1), Match: search.MatchBoth,
			Highlights: []search.Highlight{{Line: 1, Text: "a <mark>b</mark>"}},
		})
	}
	return r
}

func decode(t *testing.T, text string) searchAnswer {
	t.Helper()
	var a searchAnswer
	if err := json.Unmarshal([]byte(text), &a); err != nil {
		t.Fatalf("%v in %.300s", err, text)
	}
	return a
}

func TestAnswerThatFitsIsWhole(t *testing.T) {
	r := response(3, 1)
	text, err := answer(r, 20000)
	if err != nil {
		t.Fatal(err)
	}
	const start = `{"query":"who & what <here>","results":[{"chunk":{"id":"code-impl-lib/a0.go#F","chunk_type":"implementations","title":"F","text":"\tif a < b && c > d`
	if !strings.HasPrefix(text, start) {
		t.Errorf("starts with %.300s", text)
	}
	const end = `"total_found":9,"total_returned":2,"metadata":{"took_ms":1.5,"source":"hybrid"}}`
	if !strings.HasSuffix(text, end) {
		t.Errorf("ends with %s", text[max(0, len(text)-200):])
	}
	a := decode(t, text)
	if a.Results[0].Chunk.Text != r.Results[0].Chunk.Text || a.Results[1].Score != 0.5 || a.Results[0].Highlights[0].Text != "a <mark>b</mark>" {
		t.Errorf("changed: %+v", a)
	}
}

// TestAnswerHasAllOfAHit compares with the JSON of package search itself.
func TestAnswerHasAllOfAHit(t *testing.T) {
	r := response(3)
	r.Results[0].Symbol = &record.SymbolRef{Name: "Index.Search", Type: record.Method, Line: 7}
	text, err := answer(r, 20000)
	if err != nil {
		t.Fatal(err)
	}
	want, err := encode(r.Results[0])
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text, want) || !strings.Contains(want, `"symbol":{"name":"Index.Search"`) {
		t.Errorf("got  %s\nwant %s in it", text, want)
	}
}

func TestAnswerWithoutResults(t *testing.T) {
	text, err := answer(&search.Response{Query: "x"}, 500)
	want := `{"query":"x","results":[],"total_found":0,"total_returned":0,"metadata":{"took_ms":0,"source":""}}`
	if err != nil || text != want {
		t.Errorf("got %s, %v", text, err)
	}
	bare := &search.Response{Results: []search.Hit{{}}}
	text, err = answer(bare, 500)
	if err != nil || !strings.Contains(text, `"highlights":[]`) || !strings.Contains(text, `"tags":[]`) {
		t.Errorf("null for an empty list: %s, %v", text, err)
	}
}

func TestAnswerIsCutToSize(t *testing.T) {
	for _, test := range []struct {
		name       string
		response   *search.Response
		tokens     int
		results    int   // at least
		cut, whole []int // results whose text is cut and whole
		note       string
	}{
		{"the long text is shortened, the short ones stay", response(2, 200, 2), 1000, 3, []int{1}, []int{0, 2},
			"the text of 1 result ends early to stay within max_tokens; raise it, lower limit or narrow the search"},
		{"then results are left out", response(30, 30, 30, 30, 30, 30, 30, 30, 30, 30), 1500, 4, []int{0, 3}, nil, "results are left out"},
		{"the best stays", response(1000), 500, 1, []int{0}, nil, "the text of 1 result ends early"},
		{"short results are left out whole", response(1, 1, 1, 1, 1, 1, 1, 1, 1, 1), 500, 3, nil, []int{0, 1, 2}, "results are left out"},
	} {
		t.Run(test.name, func(t *testing.T) {
			text, err := answer(test.response, test.tokens)
			if err != nil {
				t.Fatal(err)
			}
			if n := utf8.RuneCountInString(text); n > 4*test.tokens || n < 3*test.tokens {
				t.Errorf("%d characters for %d tokens", n, test.tokens)
			}
			a := decode(t, text)
			if !a.Truncated || !strings.Contains(a.Note, test.note) {
				t.Errorf("truncated %v, note %q", a.Truncated, a.Note)
			}
			if len(a.Results) < test.results || a.TotalReturned != len(a.Results) || a.TotalFound != test.response.TotalFound {
				t.Fatalf("%d results, said to be %d of %d", len(a.Results), a.TotalReturned, a.TotalFound)
			}
			for i, r := range a.Results {
				whole := test.response.Results[i].Chunk.Text
				if !strings.HasPrefix(whole, r.Chunk.Text) || r.Truncated != (r.Chunk.Text != whole) {
					t.Errorf("result %d: truncated %v, %d of %d bytes", i, r.Truncated, len(r.Chunk.Text), len(whole))
				}
				if r.Truncated && !strings.HasSuffix(r.Chunk.Text, "\n") {
					t.Errorf("result %d is cut within a line: ...%q", i, r.Chunk.Text[max(0, len(r.Chunk.Text)-20):])
				}
			}
			for _, i := range test.cut {
				if !a.Results[i].Truncated {
					t.Errorf("result %d is not cut", i)
				}
			}
			for _, i := range test.whole {
				if a.Results[i].Truncated {
					t.Errorf("result %d is cut", i)
				}
			}
		})
	}
}

// One result that cannot fit is answered all the same, without its text.
func TestAnswerLargerThanItsBudget(t *testing.T) {
	r := response(5)
	r.Results[0].Chunk.Title = strings.Repeat("t", 5000)
	text, err := answer(r, 500)
	if err != nil {
		t.Fatal(err)
	}
	if a := decode(t, text); len(a.Results) != 1 || a.Results[0].Chunk.Text != "" || !a.Truncated {
		t.Errorf("got %.200s", text)
	}
}

func TestHead(t *testing.T) {
	for _, test := range []struct {
		text  string
		chars int
		want  string
		cut   bool
	}{
		{"", 0, "", false},
		{"abc", 3, "abc", false},
		{"abc", 2, "ab", true},
		{"abc", 0, "", true},
		{"äöü", 2, "äö", true},
		{"one\ntwo\nthree", 10, "one\ntwo\n", true},
		{"a\nlong line without an end", 10, "a\nlong lin", true},
		{"\xff\xfe\xfd", 2, "\xff\xfe", true},
	} {
		if got, cut := head(test.text, test.chars); got != test.want || cut != test.cut {
			t.Errorf("head(%q, %d) = %q, %v", test.text, test.chars, got, cut)
		}
	}
}

// BenchmarkAnswer cuts 100 results of 2,000 characters to the default size.
func BenchmarkAnswer(b *testing.B) {
	lines := make([]int, 100)
	for i := range lines {
		lines[i] = 50
	}
	r := response(lines...)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := answer(r, defaultTokens); err != nil {
			b.Fatal(err)
		}
	}
}
