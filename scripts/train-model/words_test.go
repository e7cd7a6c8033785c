package main

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cortex/lib/embed/bag"
)

// small is general knowledge of a few words: words for animals are near each other, and so are words for money.
const small = `the 0.1 0.1 0.1
dog 1 0 0.1
, 1 1 1
puppy 0.9 0.1 0
hound 1 0.1 0.1
money 0 1 0.1
coin 0.1 0.9 0
cash 0 1 0
`

func smallGeneral(t *testing.T) *general {
	t.Helper()
	file := filepath.Join(t.TempDir(), "words.txt")
	if err := os.WriteFile(file, []byte(small), 0o644); err != nil {
		t.Fatal(err)
	}
	g, err := readGeneral(file, 100)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestReadGeneral(t *testing.T) {
	if got, want := smallGeneral(t).words, []string{"the", "dog", "puppy", "hound", "money", "coin", "cash"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, text := range []string{"", ", 1 2\n", "dog 1 2\ncat 1\n", "dog 1 x\n"} {
		file := filepath.Join(t.TempDir(), "words.txt")
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := readGeneral(file, 100); err == nil {
			t.Errorf("%q: no error", text)
		}
	}
}

// A word that the previous model lacks starts near the words that general knowledge has near it.
func TestStartGuessesWords(t *testing.T) {
	r := smallRecipe()
	before := newTrainer(r, []string{"dog", "puppy", "money", "coin"})
	d := r.Dimensions
	copy(before.table[d:2*d], before.table[:d])
	copy(before.table[3*d:], before.table[2*d:3*d])
	for p := range before.logs {
		for row := range before.logs[p] {
			before.logs[p][row] = float32(row) / 10
		}
	}
	parts := before.quantise("before")
	tr := newTrainer(r, []string{"dog", "puppy", "money", "coin", "hound", "cash", "unheard"})
	had, err := tr.start(parts)
	if err != nil {
		t.Fatal(err)
	}
	if want := []bool{true, true, true, true, false, false, false}; !slices.Equal(had, want) {
		t.Errorf("had %v, want %v", had, want)
	}
	if n := tr.fill(smallGeneral(t), func(row int32) bool { return had[row] }); n != 2 {
		t.Errorf("%d words guessed, want 2", n)
	}
	row := func(i int) []float32 {
		v := slices.Clone(tr.table[i*d : (i+1)*d])
		normalise(v)
		return v
	}
	for _, test := range []struct{ word, near, far int }{{4, 0, 2}, {5, 2, 0}} {
		if near, far := dot(row(test.word), row(test.near)), dot(row(test.word), row(test.far)); near < far+0.3 {
			t.Errorf("word %d: cosine %.2f with what is near, %.2f with what is far", test.word, near, far)
		}
	}
	// A blend of a model with itself is the model.
	model := tr.quantise("after")
	for i, x := range blend(model, model, 0.5).Rows {
		if diff := int(int8(x)) - int(int8(model.Rows[i])); diff < -1 || diff > 1 {
			t.Fatalf("component %d is %d, expected %d", i, int8(x), int8(model.Rows[i]))
		}
	}
	if _, err := tr.start(&bag.Parts{Dimensions: 128}); err == nil {
		t.Error("a model of other dimensions: no error")
	}
}

func TestSaid(t *testing.T) {
	c := readConcepts()
	d := &data{Pairs: []pair{
		{kindDoc, "Redirects the request to another url", "web/http.go: redirectRequest (function)\nfunc redirectRequest(url string) { w.Header().Set(\"Location\", url) }", 7},
		{kindMention, "Redirects the request to another url", "web/http.go: redirect (function)\n", 8},
	}}
	said := c.said(d, rand.New(rand.NewPCG(1, 2)))
	if len(said.Pairs) == 0 {
		t.Fatal("nothing is said in other words")
	}
	for _, p := range said.Pairs {
		if p.Kind != kindSaid || p.About != 7 || p.Query == d.Pairs[0].Query || p.Passage != d.Pairs[0].Passage {
			t.Errorf("got %+v", p)
		}
	}
	if pairs := c.pairs().Pairs; len(pairs) < 10_000 || !strings.ContainsAny(pairs[0].Passage, "\n") {
		t.Errorf("%d pairs, the first %+v", len(pairs), pairs[0])
	}
}

func TestAnswered(t *testing.T) {
	d := &data{Pairs: []pair{{kindDoc, "x", "a.go: Open (function)\nfunc Open() {}", draw("a.go", "Open")}}}
	got := answered(d, []written{
		{Path: "a.go", Line: 1, Name: "Open", Questions: []string{"look into it", "peek"}},
		{Path: "b.go", Line: 1, Name: "Gone", Questions: []string{"is nowhere"}},
	}, t.TempDir())
	if len(got) != 2 || got[1].Query != "peek" || got[0].Kind != kindAsked || got[0].Query != "look into it" || got[0].Passage != d.Pairs[0].Passage {
		t.Errorf("got %+v", got)
	}
}
