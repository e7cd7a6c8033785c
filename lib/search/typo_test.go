package search

import (
	"slices"
	"strings"
	"testing"

	"cortex/lib/record"
)

func TestTyposInQuestions(t *testing.T) {
	chunks := func() []*record.Chunk {
		return []*record.Chunk{
			chunk("a.go", "Compact", "func Compact() { throw away expired records }"),
			chunk("b.go", "Provider", "type Provider struct{ name string }"),
			chunk("c.go", "other", "func other() { providing for the rest; cats }"),
		}
	}
	x := newIndex(t, chunks())
	once, err := Once(t.Context(), snapshot(t, chunks(), nil), nil, Settings{})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ question, first, marked string }{
		{"expird records", "Compact", "<mark>expired</mark>"},
		{"expirred", "Compact", "<mark>expired</mark>"},
		{"provyder", "Provider", "<mark>Provider</mark>"},
		{"xprovider", "Provider", "<mark>Provider</mark>"},
		{"expierd", "", ""},               // two edits
		{"catz", "other", ""},             // four letters
		{"cas", "", ""},                   // three
		{"zzzz yyyy xxxx expird", "", ""}, // more than are looked up
	} {
		for name, x := range map[string]*Index{"index": x, "scan": once} {
			r, err := x.Search(t.Context(), Request{Queries: []string{tt.question}, Mode: Keyword})
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if len(r.Results) > 0 {
				_, got, _ = strings.Cut(r.Results[0].Chunk.ID, "#")
			}
			if got != tt.first {
				t.Errorf("%s, %s: found %q, want %q first", name, tt.question, names(r), tt.first)
				continue
			}
			if tt.marked != "" && !slices.ContainsFunc(r.Results[0].Highlights, func(h Highlight) bool { return strings.Contains(h.Text, tt.marked) }) {
				t.Errorf("%s, %s: highlights %+v", name, tt.question, r.Results[0].Highlights)
			}
		}
	}
	// A word that is found means itself.
	r := lexical(t, x, Request{Queries: []string{"providing"}})
	if got := names(r); !slices.Contains(got, "other") {
		t.Errorf("found %q", got)
	}
}
