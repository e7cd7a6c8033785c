package mcp_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

func TestExactSaysWhyNothingMatches(t *testing.T) {
	root := t.TempDir()
	index(t, root, library()...)
	session := connect(t, options(t, root), "")
	for query, want := range map[string]string{
		"Bakcoff":           `"no_match":{"message":"Bakcoff: no match; near: backoff (2)","terms":[{"term":"Bakcoff","near":[{"term":"backoff","count":2}]}]}`,
		"archive backoff":   `"apart":["archive","backoff"]`,
		"backoff OR absent": `"total_found":2`,
	} {
		text, failed := call(t, session, "cortex_exact", object{"query": query})
		if failed || !strings.Contains(text, want) || strings.Contains(text, "no_match") != strings.Contains(text, `"total_found":0`) {
			t.Errorf("%s: %s", query, text)
		}
	}
}

// TestExactTakesSeveralQueries asks several queries at once. An error points into the query that has it.
func TestExactTakesSeveralQueries(t *testing.T) {
	root := t.TempDir()
	index(t, root, library()...)
	session := connect(t, options(t, root), "")
	for _, test := range []struct {
		query any
		want  string
	}{
		{[]string{"deleteBefore", "archive"}, "code-impl-session/expiry.go#RemoveExpired doc-guide.md#install"},
		{[]string{"deleteBefore"}, "code-impl-session/expiry.go#RemoveExpired"},
		{[]string{"/deleteBefore", "archive/"}, "code-impl-session/expiry.go#RemoveExpired doc-guide.md#install"},
		{[]string{"archive", "-backoff archive", "archive"}, "doc-guide.md#install"},
		{[]string{"backoff -path:test", "archive OR absent"}, "code-impl-net/retry.go#Backoff doc-guide.md#install"},
	} {
		ids := found(t, session, "cortex_exact", object{"query": test.query})
		slices.Sort(ids)
		if got := strings.Join(ids, " "); got != test.want {
			t.Errorf("%v: found %s, want %s", test.query, got, test.want)
		}
	}
	for _, test := range []struct {
		query any
		want  string
	}{
		{[]string{"backoff", "(archive"}, "parenthesis is not closed (add ) at the end, or write \\( to search for the text)\n  (archive\n  ^"},
		{[]string{"archive", "language:klingon"}, "position 10: unknown language \"klingon\""},
		{[]string{"archive", "language:klingon"}, "\n  language:klingon\n           ^"},
		{[]string{}, "query: missing or blank"},
		{[]string{"a", " "}, "query: an item is blank"},
		{[]any{"a", 1}, "query: expected a list of strings"},
		{strings.Split(strings.Repeat("a ", 11), " ")[:11], "query: 11 items, at most 10"},
	} {
		if text, failed := call(t, session, "cortex_exact", object{"query": test.query}); !failed || !strings.Contains(text, test.want) {
			t.Errorf("%v: %s", test.query, text)
		}
	}
}

func TestExactPages(t *testing.T) {
	root := t.TempDir()
	index(t, root, library()...)
	session := connect(t, options(t, root), "")
	seen := map[string]bool{}
	for offset := range 4 {
		text, failed := call(t, session, "cortex_exact", object{"query": "backoff OR archive", "limit": 1, "offset": offset})
		var page struct {
			Results []struct{ Chunk struct{ ID string } }
			Total   int `json:"total_found"`
		}
		if err := json.Unmarshal([]byte(text), &page); err != nil || failed || page.Total != 3 {
			t.Fatalf("offset %d: %v: %s", offset, err, text)
		}
		if want := 1; offset < 3 && len(page.Results) != want || offset == 3 && len(page.Results) != 0 {
			t.Fatalf("offset %d: %s", offset, text)
		}
		for _, r := range page.Results {
			seen[r.Chunk.ID] = true
		}
	}
	if len(seen) != 3 {
		t.Errorf("pages have %v", seen)
	}
	if text, failed := call(t, session, "cortex_exact", object{"query": "x", "offset": -1}); !failed || !strings.Contains(text, "offset: expected a whole number from 0 to") {
		t.Errorf("%v: %s", failed, text)
	}
}
