package search

import (
	"errors"
	"testing"
	"unicode/utf8"

	"cortex/lib/record"
	"cortex/lib/search/answer"
)

// FuzzExact asks queries of a small index: each has an answer, or an error with its place.
func FuzzExact(f *testing.F) {
	for _, q := range []string{
		`handler AND (tags:go OR -"error handling")^2`, `symbol:/^new.*r$/ path:/\.go/ -lang:go`, `std::vector --flag $var @decorator`, `*mutex* te?t a*`,
		`provdier~2 absent title:x`, `日本語 🚀 "привет мир"`, `NOT (a OR b) c^3`, `chunk_type:symbols tags:te* symbol_type:function`, `"((" \( -/x/`, "\xff\x00 \\",
	} {
		f.Add(q)
	}
	chunks := append(storeOf(),
		chunk("lib/provider.go", "outline", "lib/provider.go\n2 types:\n  Provider", func(c *record.Chunk) { c.ID, c.ChunkType = "code-symbols-lib/provider.go", record.Symbols }),
		chunk("lib/provider.go", "definitions", "// Lines 1-1\ntype Provider struct\n\n// Lines 2-9\nfunc NewProvider()", func(c *record.Chunk) {
			c.ID, c.ChunkType, c.Metadata.Repeats = "code-definitions-lib/provider.go", record.Definitions, []record.LineRange{{1, 1}, {3, 5}}
		}))
	snap := snapshot(f, chunks, nil)
	x, err := newInMemory(snap, nil, Settings{})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { x.Close() })
	f.Fuzz(func(t *testing.T, q string) {
		r, err := x.Exact(t.Context(), answer.Request{Queries: []string{q}, Limit: -1})
		var fault *QueryError
		switch {
		case errors.As(err, &fault):
			if fault.Position < 1 || fault.Position > utf8.RuneCountInString(q)+1 || fault.Problem == "" {
				t.Errorf("%q: %#v", q, fault)
			}
			return
		case err != nil:
			t.Fatalf("%q: %v", q, err)
		}
		checkResponse(t, r)
		if (r.NoMatch != nil) != (r.TotalFound == 0) || r.NoMatch != nil && r.NoMatch.Message == "" {
			t.Errorf("%q: %d hits and %+v", q, r.TotalFound, r.NoMatch)
		}
		found, err := x.Find(t.Context(), answer.Request{Queries: []string{q}, Limit: -1})
		if err != nil {
			t.Fatal(err)
		}
		last := -1
		err = found.Lines(func(l MatchedLine) error {
			if last = 0; l.Number < 1 || l.FilePath == "" {
				t.Errorf("%q: %+v", q, l)
			}
			for _, m := range l.Matches {
				if m[0] < last || m[1] <= m[0] || m[1] > len(l.Text) {
					t.Errorf("%q: %+v", q, l)
				}
				last = m[1]
			}
			return nil
		})
		if err != nil || (last < 0) != (r.TotalFound == 0) {
			t.Errorf("%q: %d hits and no line, %v", q, r.TotalFound, err)
		}
	})
}
