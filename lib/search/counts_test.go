package search

import (
	"testing"

	"cortex/lib/record"
	"cortex/lib/search/answer"
)

// TestCountsAgreeWithFilters asks again with each filter that is counted.
func TestCountsAgreeWithFilters(t *testing.T) {
	chunks := []*record.Chunk{
		chunk("lib/a/a.go", "Retry", "func Retry() { retry }"),
		chunk("lib/a/b.go", "Queue.Retry", "func (q *Queue) Retry() { retry }", func(c *record.Chunk) { c.Metadata.SymbolType = record.Method }),
		chunk("lib/c.py", "retry", "def retry(): pass", func(c *record.Chunk) { c.Metadata.Language = "python" }),
		chunk("lib/a/a_test.go", "TestRetry", "func TestRetry() { retry }", tagged("test")),
		chunk("main.go", "main", "func main() { retry }"),
		chunk("main2.go", "other", "func other() {}"),
	}
	x := newIndex(t, chunks)
	asked := func(change func(*Request)) *Response {
		t.Helper()
		req := Request{Queries: []string{"retry"}, Counts: true, Limit: 1}
		change(&req)
		r, err := x.Exact(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		if r.Counts.Total != r.TotalFound {
			t.Errorf("%+v: %d counted of %d", req.Filter, r.Counts.Total, r.TotalFound)
		}
		return r
	}
	all := asked(func(*Request) {}).Counts
	if all.Total != 5 || all.Folders["lib"] != 4 || all.Folders[""] != 1 || len(all.Languages) != 2 || all.Kinds["method"] != 1 {
		t.Fatalf("got %+v", all)
	}
	for language, n := range all.Languages {
		if r := asked(func(r *Request) { r.Filter.Languages = []string{language} }); r.TotalFound != n {
			t.Errorf("%s: %d, counted %d", language, r.TotalFound, n)
		}
	}
	for kind, n := range all.Kinds {
		if r := asked(func(r *Request) { r.Filter.SymbolType = kind }); r.TotalFound != n {
			t.Errorf("%s: %d, counted %d", kind, r.TotalFound, n)
		}
	}
	if r := asked(func(r *Request) { r.Filter.Tests = answer.TestsOnly }); r.TotalFound != all.Tests {
		t.Errorf("tests: %d, counted %d", r.TotalFound, all.Tests)
	}
	below := asked(func(r *Request) { r.Filter.Path, r.CountsIn = "lib/**", "lib" })
	if c := below.Counts; c.Total != 4 || c.Folders["a"] != 3 || c.Folders[""] != 1 {
		t.Errorf("below lib: %+v", c)
	}
	question, err := x.Search(t.Context(), Request{Queries: []string{"how does it retry"}, Counts: true, Limit: 2})
	if err != nil || question.Counts.Total != question.TotalFound || question.Counts.Total < 4 {
		t.Errorf("of a question: %+v, %v", question, err)
	}
}
