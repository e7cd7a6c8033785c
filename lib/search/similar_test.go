package search

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"cortex/lib/record"
	"cortex/lib/search/answer"
)

// copies has a function, the same with other names, one on another subject, and the file's outline.
func copies() []*record.Chunk {
	at := func(start, end int) func(*record.Chunk) {
		return func(c *record.Chunk) { c.Metadata.StartLine, c.Metadata.EndLine = start, end }
	}
	body := "func %s(w io.Writer, records []Record) error {\n\tfor _, r := range records {\n\t\tif err := encodeRecord(w, r); err != nil {\n\t\t\treturn fmt.Errorf(\"write %%s: %%w\", r.Name, err)\n\t\t}\n\t}\n\treturn flushWriter(w)\n}"
	return []*record.Chunk{
		chunk("lib/out.go", "WriteAll", fmt.Sprintf(body, "WriteAll"), at(10, 17)),
		chunk("lib/out.go", "WriteAll~2", "further records of the same flushWriter encodeRecord", at(18, 20)),
		chunk("lib/out.go", "WriteAll.inner", "inner func: further records of the same flushWriter encodeRecord", at(21, 23)),
		chunk("lib/out.go", "WriteAll~3~2", "also records of the same flushWriter encodeRecord", at(24, 25)),
		chunk("lib/out.go", "dumpAll", fmt.Sprintf(body, "dumpAll"), at(40, 47)),
		chunk("old/out.go", "storeAll", fmt.Sprintf(body, "storeAll"), at(1, 8), tagged("test")),
		chunk("lib/color.go", "blend", "func blend(red, green, blue float64) float64 {\n\treturn red*green + blue\n}", at(1, 3)),
		chunk("lib/out.go", "", "lib/out.go\n2 functions:\n  WriteAll, dumpAll encodeRecord flushWriter", func(c *record.Chunk) {
			c.ID, c.ChunkType = "code-symbols-lib/out.go", record.Symbols
			c.Metadata.SymbolName, c.Metadata.StartLine, c.Metadata.EndLine = "", 1, 60
		}),
	}
}

func TestLikeAPlace(t *testing.T) {
	x := newIndex(t, copies())
	shards, err := newSharded(snapshot(t, copies(), x.embedder), x.embedder, Settings{}, 7)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		like   string
		mode   answer.Mode
		filter answer.Filter
		want   []string // first
		source string
	}{
		{"lib/out.go:12", "", answer.Filter{}, []string{"dumpAll", "storeAll"}, "hybrid"},
		{"lib/out.go:12", answer.Keyword, answer.Filter{}, []string{"dumpAll", "storeAll"}, "keyword"},
		{"lib/out.go:12", answer.Semantic, answer.Filter{}, []string{"dumpAll", "storeAll"}, "semantic"},
		{"lib/out.go:12", answer.Fusion, answer.Filter{}, []string{"dumpAll", "storeAll"}, "hybrid"},
		{"code-impl-lib/out.go#WriteAll", answer.Auto, answer.Filter{}, []string{"dumpAll", "storeAll"}, "hybrid"},
		{"./lib/out.go:42", "", answer.Filter{}, []string{"WriteAll", "storeAll"}, "hybrid"},
		{"lib/out.go:33", "", answer.Filter{}, []string{"WriteAll", "storeAll"}, "hybrid"}, // nothing there: the nearest
		{"color.go:2", answer.Keyword, answer.Filter{}, nil, "keyword"},
		{"lib/out.go:12", "", answer.Filter{Tags: []string{"test"}}, []string{"storeAll"}, "hybrid"},
	} {
		ask := answer.Request{Like: tt.like, Mode: tt.mode, Filter: tt.filter, Explain: true}
		r, err := x.Search(t.Context(), ask)
		if err != nil {
			t.Errorf("%s: %v", tt.like, err)
			continue
		}
		checkResponse(t, r)
		got := names(r)
		if len(got) < len(tt.want) || !slices.Equal(got[:len(tt.want)], tt.want) || r.Metadata.Source != tt.source {
			t.Errorf("%s, %s: found %q by %s, want %q first by %s", tt.like, tt.mode, got, r.Metadata.Source, tt.want, tt.source)
		}
		if tt.filter.Tags != nil && len(got) != 1 {
			t.Errorf("%+v: found %q", tt.filter, got)
		}
		own := "WriteAll"
		if strings.HasSuffix(tt.like, "42") || strings.HasSuffix(tt.like, "33") {
			own = "dumpAll"
		}
		if own == "WriteAll" && slices.ContainsFunc(got, func(name string) bool { return strings.HasPrefix(name, "WriteAll") && tt.like != "color.go:2" }) {
			t.Errorf("%s: found a part of the place: %q", tt.like, got)
		}
		if slices.Contains(got, own) && tt.like != "color.go:2" || slices.Contains(ids(r), "code-symbols-lib/out.go") {
			t.Errorf("%s: found the place itself or an outline: %q", tt.like, ids(r))
		}
		for _, h := range r.Results {
			if len(h.Reasons) == 0 {
				t.Errorf("%s: %s has no reasons", tt.like, h.Chunk.ID)
			}
		}
		// Reading all chunks gives the same.
		other, err := shards.Search(t.Context(), ask)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(names(other), got) {
			t.Errorf("%s: found %q with an index, %q without", tt.like, got, names(other))
		}
	}
	// A copy has the greatest similarity by words.
	r := lexical(t, x, answer.Request{Like: "old/out.go:3"})
	if r.Results[0].Score < 0.95 {
		t.Errorf("score of a copy: %g", r.Results[0].Score)
	}
	// Answers print places with their last line, and several ranges of one place.
	for _, like := range []string{"lib/out.go:12-20", "lib/out.go:12-20,31-40", "lib/out.go:12,31"} {
		want, err := x.Search(t.Context(), answer.Request{Like: "lib/out.go:12"})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := x.Search(t.Context(), answer.Request{Like: like}); err != nil || !slices.Equal(names(got), names(want)) {
			t.Errorf("%s: found %v, want %q: %v", like, got, names(want), err)
		}
	}
	for like, want := range map[string]string{
		"lib/out.go:12-": "expected a file and a line",
		"lib/out.go:-12": "expected a file and a line",
		"lib/out.go:1-x": "expected a file and a line",
		"lib/out.go":     "expected a file and a line",
		"lib/out.go:":    "expected a file and a line",
		"lib/out.go:0":   "expected a file and a line",
		":7":             "expected a file and a line",
		"lib/none.go:1":  "no such file in the index",
		"out.go:1":       "2 files match",
		"lib/out.go:700": "the file has 60 lines in the index",
	} {
		if _, err := x.Search(t.Context(), answer.Request{Like: like}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", like, err, want)
		}
	}
	if _, err := x.Search(t.Context(), answer.Request{Like: "lib/out.go:12", Queries: []string{"x"}}); err == nil {
		t.Error("a question and a place were accepted together")
	}
}

func TestLikeAPlaceWithoutEmbeddings(t *testing.T) {
	x, err := newInMemory(snapshot(t, copies(), nil), nil, Settings{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := x.Search(t.Context(), answer.Request{Like: "lib/out.go:12"})
	if err != nil || r.Metadata.Source != "keyword" || names(r)[0] != "dumpAll" {
		t.Errorf("got %v, %v", r, err)
	}
	r, err = shardsWith(t, []*record.Chunk{chunk("a.go", "alone", "func alone() {}")}, Settings{}).Search(t.Context(), answer.Request{Like: "a.go:10"})
	if err != nil || len(r.Results) > 0 || r.NoMatch == nil || r.NoMatch.Message != "nothing else shares a word or a meaning with the place" {
		t.Errorf("got %+v, %v", r, err)
	}
	if _, err := x.Search(t.Context(), answer.Request{Like: "lib/out.go:12", Mode: answer.Semantic}); err == nil {
		t.Error("a search by meaning alone found something")
	}
}
