package mcp_test

import (
	"encoding/json"
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
	if text, failed := call(t, session, "cortex_exact", object{"query": "x", "offset": -1}); !failed || !strings.Contains(text, "offset: -1 is out of range") {
		t.Errorf("%v: %s", failed, text)
	}
}
