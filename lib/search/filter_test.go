package search

import (
	"slices"
	"testing"

	"cortex/lib/record"
	"cortex/lib/search/answer"
)

// TestFiltersOfQuestions uses chunks with the same words that differ in the properties that filters use.
func TestFiltersOfQuestions(t *testing.T) {
	in := func(language string) func(*record.Chunk) {
		return func(c *record.Chunk) { c.Metadata.Language = language }
	}
	of := func(kind record.Kind) func(*record.Chunk) {
		return func(c *record.Chunk) { c.Metadata.SymbolType = kind }
	}
	types := chunk("t.go", "types", "// Lines 1-3\ntype Queue struct{ retry int }\ntype Retrier interface{ Retry() }", func(c *record.Chunk) {
		c.ChunkType, c.ID = record.Definitions, "code-definitions-t.go#types"
		c.Metadata.SymbolName, c.Metadata.SymbolType = "", ""
		c.Metadata.Symbols = []record.SymbolRef{{Name: "Queue", Type: record.Struct, Line: 2}, {Name: "net.Retrier", Type: record.Interface, Line: 3}}
	})
	x := newIndex(t, []*record.Chunk{
		chunk("a.tf", "aws_queue", "resource queue { retry }", in("hcl"), of(record.Block)),
		chunk("b.sh", "retry", "retry() { queue; }", in("bash")),
		chunk("c.go", "Queue.Retry", "func (q *Queue) Retry() { retry the queue }", of(record.Method)),
		chunk("d.go", "RetryAll", "func RetryAll() { retry each queue }"),
		types,
		chunk("d_test.go", "TestRetryAll", "func TestRetryAll() { retry a queue }", tagged("test")),
	})
	for _, tt := range []struct {
		filter answer.Filter
		want   []string
	}{
		{answer.Filter{}, []string{"Queue.Retry", "RetryAll", "TestRetryAll", "aws_queue", "retry", "types"}},
		{answer.Filter{Tests: answer.TestsNo}, []string{"Queue.Retry", "RetryAll", "aws_queue", "retry", "types"}},
		{answer.Filter{Tests: answer.TestsOnly}, []string{"TestRetryAll"}},
		{answer.Filter{Tests: answer.TestsOnly, Path: "a.tf"}, nil},
		{answer.Filter{Languages: []string{"terraform"}}, []string{"aws_queue"}},
		{answer.Filter{Languages: []string{"TF", "sh"}}, []string{"aws_queue", "retry"}},
		{answer.Filter{Languages: []string{"shell"}}, []string{"retry"}},
		{answer.Filter{SymbolType: "method"}, []string{"Queue.Retry"}},
		{answer.Filter{SymbolType: "Interface"}, []string{"types"}},
		{answer.Filter{SymbolName: "retr*"}, []string{"Queue.Retry", "RetryAll", "retry", "types"}},
		{answer.Filter{SymbolName: "Queue.*"}, []string{"Queue.Retry"}},
		{answer.Filter{SymbolName: "*.Retr?"}, []string{"Queue.Retry"}},
		{answer.Filter{SymbolName: "queue", SymbolType: "struct"}, []string{"types"}},
		{answer.Filter{SymbolName: "queue", SymbolType: "interface"}, nil}, // one symbol must be both
		{answer.Filter{SymbolName: "retr*", SymbolType: "function", Languages: []string{"golang"}}, []string{"RetryAll"}},
	} {
		for _, mode := range answer.Modes {
			r, err := x.Search(t.Context(), answer.Request{Queries: []string{"retry the queue"}, Mode: mode, Filter: tt.filter, Limit: 50})
			if err != nil {
				t.Fatal(err)
			}
			got := names(r)
			slices.Sort(got)
			if !slices.Equal(got, tt.want) {
				t.Errorf("%s, %+v: found %q, want %q", mode, tt.filter, got, tt.want)
			}
			for _, h := range r.Results {
				if tt.filter.SymbolType == "interface" && (h.Symbol == nil || h.Symbol.Name != "net.Retrier") {
					t.Errorf("%+v: the hit names %+v", tt.filter, h.Symbol)
				}
			}
		}
	}
}

func TestMatchSaysWhichIndexFound(t *testing.T) {
	x := newIndex(t, storeOf())
	words := lexical(t, x, answer.Request{Queries: []string{"login errors"}})
	for mode, want := range map[answer.Mode][]answer.Match{
		answer.Keyword:  {answer.MatchKeyword},
		answer.Semantic: {answer.MatchSemantic},
		answer.Hybrid:   {answer.MatchBoth, answer.MatchSemantic, answer.MatchKeyword},
		answer.Fusion:   {answer.MatchBoth, answer.MatchSemantic, answer.MatchKeyword},
	} {
		r, err := x.Search(t.Context(), answer.Request{Queries: []string{"login errors"}, Mode: mode})
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range r.Results {
			if !slices.Contains(want, h.Match) {
				t.Errorf("%s: %s by %s", mode, h.Chunk.ID, h.Match)
			}
			byWords := hitOf(words, h.Chunk.ID) != nil
			// Fusion asks no concepts, by which words find more.
			if (mode == answer.Keyword || mode == answer.Hybrid) && byWords != (h.Match != answer.MatchSemantic) {
				t.Errorf("%s: %s by %s, by words %v", mode, h.Chunk.ID, h.Match, byWords)
			}
		}
	}
}
