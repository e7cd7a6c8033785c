package search

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"cortex/lib/hint"
	"cortex/lib/record"
	"cortex/lib/search/query"
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
			if got := found(t, x, q, Filter{}); strings.Join(got, " ") != want {
				t.Errorf("%s, %s: found %q, want %q", name, q, got, want)
			}
		}
		r, err := x.Exact(t.Context(), Request{Queries: []string{"Provdier"}})
		if err != nil {
			t.Fatal(err)
		}
		if near := r.NoMatch.Terms[0].Near; len(near) == 0 || near[0].Term != "provider" {
			t.Errorf("%s: near to Provdier: %v", name, near)
		}
		for question, want := range map[string]string{"provdier": "Provider", "recieve the message": "Receive"} {
			r, err := x.Search(t.Context(), Request{Queries: []string{question}, Mode: Keyword})
			if err != nil {
				t.Fatal(err)
			}
			if got := names(r); len(got) == 0 || got[0] != want {
				t.Errorf("%s, %s: found %q, want %q first", name, question, got, want)
			}
		}
	}
}

// TestNearTermsAreAllThatAreNear compares the automata of the index with the distance itself.
func TestNearTermsAreAllThatAreNear(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	alphabet := []rune("abcdé")
	drawn := func() string {
		var b strings.Builder
		for range 2 + random.IntN(6) {
			b.WriteRune(alphabet[random.IntN(len(alphabet))])
		}
		return b.String()
	}
	var words []string
	for range 400 {
		words = append(words, drawn())
	}
	x := newIndex(t, []*record.Chunk{chunk("a.go", "a", strings.Join(words, " "))})
	text := x.text
	d := dict{query.Text, wholeTerms}
	all, err := text.terms(d, "", func(string) bool { return true }, 10_000)
	if err != nil {
		t.Fatal(err)
	}
	for range 200 {
		word, edits := drawn(), 1+random.IntN(2)
		near, err := text.near(d, word, edits, 10_000)
		if err != nil {
			t.Fatal(err)
		}
		var got, want []string
		for _, n := range near {
			got = append(got, n.term)
		}
		for _, term := range all {
			if hint.Distance(word, term, edits) <= edits {
				want = append(want, term)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s~%d: %q, want %q", word, edits, got, want)
		}
	}
}
