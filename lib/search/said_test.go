package search

import (
	"slices"
	"testing"

	"cortex/lib/search/answer"
)

func TestAnswerNamesWordsThatItHas(t *testing.T) {
	hits := []answer.Hit{{Chunk: answer.Chunk{Text: "func Redirect(w Writer)"}}, {Chunk: answer.Chunk{Text: "status_code = 302"}}}
	got := saidBy(hits, []string{"redirect", "isdir", "fin", "code", "writ", "func", "status", "writer", "chunk"})
	if want := []string{"redirect", "code", "writ", "func", "status", "writer"}; !slices.Equal(got, want) {
		t.Errorf("%q, not %q", got, want)
	}
	if got := saidBy(nil, []string{"redirect"}); got != nil {
		t.Errorf("%q of no hit", got)
	}
}
