package corpus

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"cortex/lib/hint"
	"cortex/lib/record"
	"cortex/lib/search/query"
)

// TestNearTermsAreAllThatAreNear compares the terms that the index's automata find with the edit distance.
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
	x := ofChunks(t, &record.Chunk{ID: "a", ChunkType: record.Implementations, Text: strings.Join(words, " "), Metadata: record.Metadata{FilePath: "a.go"}})
	text := x.Text
	d := Dict{query.Text, WholeTerms}
	all, err := text.Terms(d, "", func(string) bool { return true }, 10_000)
	if err != nil {
		t.Fatal(err)
	}
	for range 200 {
		word, edits := drawn(), 1+random.IntN(2)
		near, err := text.Near(d, word, edits, 10_000)
		if err != nil {
			t.Fatal(err)
		}
		var got, want []string
		for _, n := range near {
			got = append(got, n.Term)
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
