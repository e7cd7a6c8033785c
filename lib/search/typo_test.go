package search

import (
	"slices"
	"strings"
	"testing"

	"cortex/lib/record"
	"cortex/lib/search/answer"
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
	shards := shardsWith(t, chunks(), Settings{})
	for _, tt := range []struct{ question, first, marked string }{
		{"expird records", "Compact", "<mark>expired</mark>"},
		{"expirred", "Compact", "<mark>expired</mark>"},
		{"provyder", "Provider", "<mark>Provider</mark>"},
		{"xprovider", "Provider", "<mark>Provider</mark>"},
		{"exipred", "Compact", "<mark>expired</mark>"}, // an exchange
		{"expeird", "", ""},               // two edits
		{"catz", "other", ""},             // four letters
		{"cas", "", ""},                   // three
		{"zzzz yyyy xxxx expird", "", ""}, // more than are looked up
	} {
		for name, x := range map[string]*Index{"index": x, "shards": shards} {
			r, err := x.Search(t.Context(), answer.Request{Queries: []string{tt.question}, Mode: answer.Keyword})
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
			if tt.marked != "" && !slices.ContainsFunc(r.Results[0].Highlights, func(h answer.Highlight) bool { return strings.Contains(h.Text, tt.marked) }) {
				t.Errorf("%s, %s: highlights %+v", name, tt.question, r.Results[0].Highlights)
			}
		}
	}
	// A word that occurs is not corrected.
	r := lexical(t, x, answer.Request{Queries: []string{"providing"}})
	if got := names(r); !slices.Contains(got, "other") {
		t.Errorf("found %q", got)
	}
}

// TestTranspositionIsOneEdit holds for exact search, for what is near to a word that is missing, and for questions.
func TestTranspositionIsOneEdit(t *testing.T) {
	chunks := func() []*record.Chunk {
		return []*record.Chunk{
			chunk("a.go", "Provider", "type Provider struct{ name string }"),
			chunk("b.go", "Receive", "func Receive() { receive a message; größe }"),
		}
	}
	x := newIndex(t, chunks())
	shards := shardsWith(t, chunks(), Settings{})
	for name, x := range map[string]*Index{"index": x, "shards": shards} {
		for q, want := range map[string]string{
			"Provdier~1":        "Provider",
			"recieve~1":         "Receive",
			"symbol:recieve~1":  "Receive",
			"rpovdier~1":        "",
			"rpovdier~2":        "Provider",
			"grßöe~1":           "Receive",
			"lang:og~1":         "Provider Receive",
			"symbol:Provdier~1": "Provider",
		} {
			if got := found(t, x, q, answer.Filter{}); strings.Join(got, " ") != want {
				t.Errorf("%s, %s: found %q, want %q", name, q, got, want)
			}
		}
		r, err := x.Exact(t.Context(), answer.Request{Queries: []string{"Provdier"}})
		if err != nil {
			t.Fatal(err)
		}
		if near := r.NoMatch.Terms[0].Near; len(near) == 0 || near[0].Term != "provider" {
			t.Errorf("%s: near to Provdier: %v", name, near)
		}
		for question, want := range map[string]string{"provdier": "Provider", "recieve the message": "Receive"} {
			r, err := x.Search(t.Context(), answer.Request{Queries: []string{question}, Mode: answer.Keyword})
			if err != nil {
				t.Fatal(err)
			}
			if got := names(r); len(got) == 0 || got[0] != want {
				t.Errorf("%s, %s: found %q, want %q first", name, question, got, want)
			}
		}
	}
}
