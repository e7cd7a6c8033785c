package search

import (
	"slices"
	"testing"

	"cortex/lib/record"
	"cortex/lib/search/answer"
)

func TestTagsCountInQuestions(t *testing.T) {
	chunks := func() []*record.Chunk {
		return []*record.Chunk{
			section("a.md", "#one", 1, "How the parts work together, at length and with care for each.", tagged("deployment", "Ops")),
			section("b.md", "#two", 1, "Notes on deployment of a thing, and on much else that is of no interest here, at length."),
			chunk("c.go", "c", "func c() { other }", tagged("test")),
		}
	}
	shards, err := newSharded(snapshot(t, chunks(), nil), nil, Settings{}, 7)
	if err != nil {
		t.Fatal(err)
	}
	for name, x := range map[string]*Index{"index": newIndex(t, chunks()), "shards": shards} {
		for question, want := range map[string][]string{
			"deployment": {"one", "two"},
			"ops":        {"one"},
			// Tags that Cortex itself adds say nothing about the subject.
			"code": nil, "doc": nil, "documentation": nil, "markdown": nil, "test": nil,
		} {
			r, err := x.Search(t.Context(), answer.Request{Queries: []string{question}, Mode: answer.Keyword})
			if err != nil {
				t.Fatal(err)
			}
			if got := names(r); !slices.Equal(got, want) {
				t.Errorf("%s, %s: found %q, want %q", name, question, got, want)
			}
		}
	}
}
