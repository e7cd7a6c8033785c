package search

import (
	"testing"
)

// TestNothingToFindIsTold by Search as by Exact.
func TestNothingToFindIsTold(t *testing.T) {
	x := newIndex(t, corpus())
	for _, tt := range []struct {
		filter Filter
		want   string
	}{
		{Filter{Path: "nowhere/**"}, `no file matches the path "nowhere/**"`},
		{Filter{Languages: []string{"cobol", "zig"}}, `no file is in the language "cobol" or "zig"`},
		{Filter{ChunkTypes: []string{"data"}}, `no chunk is of type "data"`},
		{Filter{Tags: []string{"go", "nosuch"}}, `no chunk has the tag "nosuch"`},
		{Filter{SymbolType: "macro"}, `no symbol is of the kind "macro"`},
		{Filter{SymbolName: "Nothing*"}, `no symbol has the name "Nothing*"`},
		{Filter{Path: "web/**", Languages: []string{"go"}}, `nothing satisfies all of the filter: language "go", path "web/**"`},
	} {
		for _, req := range []Request{
			{Queries: []string{"handler"}, Filter: tt.filter},
			{Queries: []string{"handler", "lock"}, Mode: Semantic, Filter: tt.filter},
			{Like: "code-impl-lib/provider.go#Provider", Filter: tt.filter},
		} {
			r, err := x.Search(t.Context(), req)
			if err != nil || r.NoMatch == nil || r.NoMatch.Message != tt.want || len(r.Results) > 0 || r.TotalFound != 0 {
				t.Errorf("%+v: %+v, %v", req, r, err)
			}
		}
		r, err := x.Exact(t.Context(), Request{Queries: []string{"handler"}, Filter: tt.filter})
		if want := "handler: 2 matches, none of them admitted by the filter\n" + tt.want; err != nil || r.NoMatch.Message != want {
			t.Errorf("%+v: %q, %v, want %q", tt.filter, r.NoMatch.Message, err, want)
		}
	}
	empty := newIndex(t, nil)
	for name, ask := range map[string]func() (*Response, error){
		"search":    func() (*Response, error) { return empty.Search(t.Context(), Request{Queries: []string{"handler"}}) },
		"exact":     func() (*Response, error) { return empty.Exact(t.Context(), Request{Queries: []string{"handler"}}) },
		"exact not": func() (*Response, error) { return empty.Exact(t.Context(), Request{Queries: []string{"-handler"}}) },
		"like":      func() (*Response, error) { return empty.Search(t.Context(), Request{Like: "a.go:1"}) },
		"semantic": func() (*Response, error) {
			return empty.Search(t.Context(), Request{Queries: []string{"handler"}, Mode: Semantic})
		},
		"filter": func() (*Response, error) {
			return empty.Search(t.Context(), Request{Queries: []string{"handler"}, Filter: Filter{Path: "x", Languages: []string{"go"}}})
		},
	} {
		if r, err := ask(); err != nil || r.NoMatch == nil || r.NoMatch.Message != emptyIndex {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
}
