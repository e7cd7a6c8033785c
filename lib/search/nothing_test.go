package search

import (
	"strings"
	"testing"

	"cortex/lib/search/answer"
)

// TestNothingToFindIsTold by Search as by Exact.
func TestNothingToFindIsTold(t *testing.T) {
	x := newIndex(t, storeOf())
	for _, tt := range []struct {
		filter answer.Filter
		want   string
	}{
		{answer.Filter{Path: "nowhere/**"}, `no file matches the path "nowhere/**"`},
		{answer.Filter{Path: "lib/Provder.go"}, `no file matches the path "lib/Provder.go"; near: lib/provider.go`},
		{answer.Filter{Languages: []string{"cobol", "zig"}}, `no file is in the language "cobol" or "zig"`},
		{answer.Filter{ChunkTypes: []string{"data"}}, `no chunk is of type "data"`},
		{answer.Filter{Tags: []string{"go", "nosuch"}}, `no chunk has the tag "nosuch"`},
		{answer.Filter{SymbolType: "macro"}, `no symbol is of the kind "macro"`},
		{answer.Filter{SymbolName: "Provdier"}, `no symbol has the name "Provdier"; near: Provider`},
		{answer.Filter{SymbolName: "Nothing*"}, `no symbol has the name "Nothing*"`},
		{answer.Filter{Path: "web/**", Languages: []string{"go"}}, `nothing satisfies all of the filter: language "go", path "web/**"`},
	} {
		for _, req := range []answer.Request{
			{Queries: []string{"handler"}, Filter: tt.filter},
			{Queries: []string{"handler", "lock"}, Mode: answer.Semantic, Filter: tt.filter},
			{Like: "code-impl-lib/provider.go#Provider", Filter: tt.filter},
		} {
			r, err := x.Search(t.Context(), req)
			if err != nil || r.NoMatch == nil || r.NoMatch.Message != tt.want || len(r.Results) > 0 || r.TotalFound != 0 {
				t.Errorf("%+v: %+v, %v", req, r, err)
			}
		}
		r, err := x.Exact(t.Context(), answer.Request{Queries: []string{"handler"}, Filter: tt.filter})
		if want := "handler.go, lib/auth/handler_test.go\n" + tt.want; err != nil || !strings.HasSuffix(r.NoMatch.Message, want) {
			t.Errorf("%+v: %q, %v, want %q", tt.filter, r.NoMatch.Message, err, want)
		}
	}
	empty := newIndex(t, nil)
	for name, ask := range map[string]func() (*answer.Response, error){
		"search": func() (*answer.Response, error) {
			return empty.Search(t.Context(), answer.Request{Queries: []string{"handler"}})
		},
		"exact": func() (*answer.Response, error) {
			return empty.Exact(t.Context(), answer.Request{Queries: []string{"handler"}})
		},
		"exact not": func() (*answer.Response, error) {
			return empty.Exact(t.Context(), answer.Request{Queries: []string{"-handler"}})
		},
		"like": func() (*answer.Response, error) { return empty.Search(t.Context(), answer.Request{Like: "a.go:1"}) },
		"semantic": func() (*answer.Response, error) {
			return empty.Search(t.Context(), answer.Request{Queries: []string{"handler"}, Mode: answer.Semantic})
		},
		"filter": func() (*answer.Response, error) {
			return empty.Search(t.Context(), answer.Request{Queries: []string{"handler"}, Filter: answer.Filter{Path: "x", Languages: []string{"go"}}})
		},
	} {
		if r, err := ask(); err != nil || r.NoMatch == nil || r.NoMatch.Message != emptyIndex {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
}
