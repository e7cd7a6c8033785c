package mcp

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"cortex/lib/record"
	"cortex/lib/request"
	"cortex/lib/search"
	"cortex/lib/search/answer"
	"cortex/lib/search/render/brief"
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
			Chunk: answer.Chunk{
				ID: fmt.Sprintf("code-impl-lib/a%d.go#F", i), ChunkType: record.Implementations, Title: "F",
				Text:     strings.Repeat("\tif a < b && c > d { return \"größer\" }\n", n),
				Tags:     []string{"code", "go", "implementations"},
				Metadata: record.Metadata{Source: "code", FilePath: fmt.Sprintf("lib/a%d.go", i), StartLine: 1, EndLine: n, SymbolSignature: "func F() string"},
			},
			Score: 1 / float64(i+1), Match: answer.MatchBoth,
			Highlights: []search.Highlight{{Line: 1, Text: "a <mark>b</mark>"}},
		})
	}
	return r
}

// highlighted is the response with long highlights.
func highlighted(r *search.Response) *search.Response {
	for i := range r.Results {
		r.Results[i].Highlights = []search.Highlight{{Line: 1, Text: strings.Repeat("<mark>a</mark> ", 40)}}
	}
	return r
}

func decode(t *testing.T, text string) search.Response {
	t.Helper()
	var a search.Response
	if err := json.Unmarshal([]byte(text), &a); err != nil {
		t.Fatalf("%v in %.300s", err, text)
	}
	return a
}

func TestAnswerThatFitsIsWhole(t *testing.T) {
	r := response(3, 1)
	text, err := answerJSON(r, 20000, nil, nil)
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

// TestAnswerHasAllOfAHit compares the answer with the JSON of package search.
func TestAnswerHasAllOfAHit(t *testing.T) {
	r := response(3)
	r.Results[0].Symbol = &record.SymbolRef{Name: "Index.Search", Type: record.Method, Line: 7}
	text, err := answerJSON(r, 20000, nil, nil)
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
	text, err := answerJSON(&search.Response{Query: "x"}, 500, nil, nil)
	want := `{"query":"x","results":[],"total_found":0,"total_returned":0,"metadata":{"took_ms":0,"source":""}}`
	if err != nil || text != want {
		t.Errorf("got %s, %v", text, err)
	}
	bare := &search.Response{Results: []search.Hit{{}}}
	text, err = answerJSON(bare, 500, nil, nil)
	if err != nil || !strings.Contains(text, `"highlights":[]`) || !strings.Contains(text, `"tags":[]`) {
		t.Errorf("null for an empty list: %s, %v", text, err)
	}
}

func TestAnswerIsCutToSize(t *testing.T) {
	for _, test := range []struct {
		name     string
		response *search.Response
		tokens   int
		details  string // of the results: whole, cut, short and place by their initials
		note     string
	}{
		{"whole, then short, then places", response(9, 9, 9, 9, 9, 9, 9, 9, 9, 9), 1500, "wwwwwsssss|wwwwwcssss", "4 results are shortened to stay within max_tokens; raise it, lower limit or narrow the search"},
		{"a long one behind short ones is cut", response(2, 2, 200), 1000, "wwc", "1 result ends early to stay"},
		{"short, then places", highlighted(response(slices.Repeat([]int{20}, 8)...)), 1200, "wcppppp", "5 results are only places, 1 result is left out"},
		{"the best is cut", response(1000), 500, "c", "1 result ends early to stay"},
		{"the best leaves room for others", response(1000, 2, 2), 1000, "cpp", "1 result ends early, 2 results are only places"},
		{"places are left out", response(slices.Repeat([]int{9}, 40)...), 1000, "", "results are left out"},
	} {
		t.Run(test.name, func(t *testing.T) {
			text, err := answerJSON(test.response, test.tokens, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			if n := len(text); n > brief.BytesPerToken*test.tokens || n < 3*test.tokens {
				t.Errorf("%d bytes for %d tokens", n, test.tokens)
			}
			a := decode(t, text)
			if !a.Truncated || !strings.Contains(a.Note, test.note) {
				t.Errorf("truncated %v, note %q", a.Truncated, a.Note)
			}
			if a.TotalReturned != len(a.Results) || a.TotalFound != test.response.TotalFound {
				t.Fatalf("%d results, said to be %d of %d", len(a.Results), a.TotalReturned, a.TotalFound)
			}
			details := ""
			for i, r := range a.Results {
				whole := test.response.Results[i]
				if r.Chunk.ID != whole.Chunk.ID || r.Score != whole.Score || r.Chunk.Metadata.FilePath != whole.Chunk.Metadata.FilePath || r.Chunk.Metadata.EndLine != whole.Chunk.Metadata.EndLine {
					t.Errorf("result %d is %s at %s", i, r.Chunk.ID, r.Chunk.Metadata.FilePath)
				}
				ok := false
				switch r.Detail {
				case "":
					details += "w"
					ok = r.Chunk.Text == whole.Chunk.Text && len(r.Highlights) == 1
				case answer.DetailCut:
					details += "c"
					ok = strings.HasPrefix(whole.Chunk.Text, r.Chunk.Text) && strings.HasSuffix(r.Chunk.Text, "\n") && len(r.Highlights) == 1
				case answer.DetailShort:
					details += "s"
					ok = r.Chunk.Text == "func F() string" && len(r.Highlights) == 1
				case answer.DetailPlace:
					details += "p"
					ok = r.Chunk.Text == "" && len(r.Highlights) == 0
				}
				if !ok {
					t.Errorf("result %d, %q: text %q, highlights %v", i, r.Detail, r.Chunk.Text, r.Highlights)
				}
			}
			if test.details != "" && !slices.Contains(strings.Split(test.details, "|"), details) {
				t.Errorf("results are %s, want %s", details, test.details)
			}
		})
	}
}

// TestAnswerKeepsToAnyBudget tries all sizes for answers with many results.
func TestAnswerKeepsToAnyBudget(t *testing.T) {
	r := response(3, 40, 1, 0, 100, 7, 7, 7, 2, 30, 5, 5)
	r.Query = strings.Repeat("what \"goes\" wrong; ", 1000)
	seen := 0
	for tokens := 500; tokens < 8000; tokens += 37 {
		text, err := answerJSON(r, tokens, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(text) > brief.BytesPerToken*tokens {
			t.Errorf("%d bytes for %d tokens", len(text), tokens)
		}
		a := decode(t, text)
		order := map[answer.Detail]int{"": 0, answer.DetailCut: 0, answer.DetailShort: 1, answer.DetailPlace: 2}
		for i, h := range a.Results[1:] {
			// A short result may follow a place that was shortened for lack of room.
			if h.Detail == "" && order[a.Results[i].Detail] > 0 {
				t.Errorf("%d tokens: result %d is whole, the one before is not", tokens, i+1)
			}
		}
		if len(a.Results) < seen {
			t.Errorf("%d tokens: %d results, fewer than for less", tokens, len(a.Results))
		}
		seen = len(a.Results)
	}
	if seen != 12 || len(r.Query) < 10_000 || r.Results[1].Detail != "" {
		t.Errorf("%d results at last; the response itself has changed", seen)
	}
}

// A single result that does not fit is shortened to its place.
func TestAnswerLargerThanItsBudget(t *testing.T) {
	r := response(5)
	r.Results[0].Chunk.Title = strings.Repeat("t", 5000)
	text, err := answerJSON(r, 500, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if a := decode(t, text); len(a.Results) != 1 || a.Results[0].Detail != answer.DetailPlace || !a.Truncated {
		t.Errorf("got %.200s", text)
	}
}

func TestAnswerSaysContextOnce(t *testing.T) {
	r := response(2, 2)
	r.Results[0].Context = &search.Excerpt{StartLine: 1, EndLine: 4, Text: "one\ntwo\nthree\nfour"}
	r.Results[1].Context = &search.Excerpt{StartLine: 2, EndLine: 3, Text: "two\nthree"}
	text, err := answerJSON(r, 20000, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	a := decode(t, text)
	if got := a.Results[0]; got.Chunk.Text != "one\ntwo\nthree\nfour" || got.Context.Text != "" || got.Context.EndLine != 4 {
		t.Errorf("lines that have all of the hit: %q, %+v", got.Chunk.Text, got.Context)
	}
	if got := a.Results[1]; got.Chunk.Text != r.Results[1].Chunk.Text || got.Context.Text != "two\nthree" {
		t.Errorf("other lines: %q, %+v", got.Chunk.Text, got.Context)
	}
	if r.Results[0].Context.Text == "" {
		t.Error("the response itself has changed")
	}
}

// BenchmarkAnswer shortens 100 results of 2,000 characters to the default size.
func BenchmarkAnswer(b *testing.B) {
	lines := make([]int, 100)
	for i := range lines {
		lines[i] = 50
	}
	r := response(lines...)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := answerJSON(r, request.JSONTokens, nil, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// TestAnswerBeginsWithDoubt: a doubt comes before the hits, so that the reader knows their value.
func TestAnswerBeginsWithDoubt(t *testing.T) {
	r := &search.Response{Query: "x", Doubt: "nothing like it", Metadata: search.ResponseMetadata{Doubtful: true}, Results: []search.Hit{{Score: 0.1}}, TotalReturned: 1}
	text, err := answerJSON(r, request.JSONTokens, nil, nil)
	if err != nil || !strings.HasPrefix(text, `{"doubt":"nothing like it","query":"x",`) || !strings.Contains(text, `"doubtful":true`) {
		t.Errorf("%s, %v", text, err)
	}
}
