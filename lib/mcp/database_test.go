package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"cortex/lib/database"
	"cortex/lib/database/databasetest"
	"cortex/lib/database/read"
	"cortex/lib/database/write"
	"cortex/lib/mcp"
	"cortex/lib/record/jsonl"
	"cortex/lib/store/update"
)

// fill writes a tree of one file with one chunk into the database.
func fill(t *testing.T, url, tree, text string) {
	t.Helper()
	db, err := database.Open(t.Context(), url, database.Options{Write: true, Conns: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	stream := `{"type":"begin","schema":1,"tree":"` + tree + `","mode":"full","files":1,"settings":{}}
{"type":"file","file_path":"a.md","language":"markdown","sha256":"` + strings.Repeat("0", 64) + `","size":5,"status":"ok","error_count":0}
{"type":"chunk","id":"doc-` + tree + `:a.md","chunk_type":"documentation","title":"a.md","text":"` + text + `","tags":["markdown"],"metadata":{"source":"doc","file_path":"` + tree + `:a.md","language":"markdown","tree":"` + tree + `","start_line":1,"end_line":2}}
{"type":"end","files":1,"errors":0}
`
	opts := update.Options{Jobs: 1, Now: func() time.Time { return time.Unix(1_700_000_000, 0) }, Warn: t.Logf, Report: func(err error) { t.Error(err) }}
	if err := update.RunInto(t.Context(), jsonl.NewReader(strings.NewReader(stream), "stream"), &write.Writer{DB: db, Warn: t.Logf, Now: opts.Now}, opts); err != nil {
		t.Fatal(err)
	}
}

// TestHTTPDatabase serves two trees of a database: pages and /health show the trees and follow changes.
func TestHTTPDatabase(t *testing.T) {
	server := databasetest.Start(t)
	url := server.New(t)
	t.Setenv("CORTEX_CACHE_DIR", t.TempDir())
	fill(t, url, "api", "words of lanterns")
	fill(t, url, "web", "words of harbours")
	db, err := database.Open(t.Context(), url, database.Options{Conns: 3})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	reader, err := read.New(db, read.Options{Jobs: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	opts := options(t, ".")
	opts.Repositories = []mcp.Repository{{Root: func() string { return "." }, Database: reader}}
	at, stop := serveHTTP(t, mcp.Web{}, opts)
	defer stop()
	base := strings.TrimSuffix(at, "/mcp")
	get := func(path string) string {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, base+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		status, _, text := do(t, r)
		if status != http.StatusOK {
			t.Errorf("%s: status %d: %s", path, status, text)
		}
		return text
	}
	wait := func(generation, trees, chunks int) {
		t.Helper()
		var health struct {
			Status  string
			Loading bool
			Index   struct{ Generation, Trees, Chunks int }
		}
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
		defer cancel()
		for ctx.Err() == nil {
			text := get("/health")
			if err := json.Unmarshal([]byte(text), &health); err != nil || health.Status != "ok" {
				t.Fatalf("%s: %v", text, err)
			}
			if x := health.Index; x.Generation == generation && x.Trees == trees && x.Chunks == chunks {
				return
			}
			time.Sleep(20 * time.Millisecond)
		}
		t.Fatalf("health %+v, want generation %d, %d trees, %d chunks", health, generation, trees, chunks)
	}
	wait(2, 2, 2) // the reader that follows has loaded it before anybody asks
	for query, path := range map[string]string{"lanterns": "api%3Aa.md", "harbours": "web%3Aa.md"} {
		if text := get("/?kind=exact&q=" + query); !strings.Contains(text, "path="+path) {
			t.Errorf("no %s in the page of %s:\n%s", path, query, text)
		}
	}
	for path, want := range map[string]string{"/status": "<dt>Files</dt><dd>2</dd>", "/file?path=web:a.md": "<h1>web:a.md</h1>"} {
		if text := get(path); !strings.Contains(text, want) {
			t.Errorf("no %q in the page %s:\n%s", want, path, text)
		}
	}
	if text := get("/status"); strings.Contains(text, "<dt>On disk</dt><dd>0 B</dd>") {
		t.Errorf("the index takes no room:\n%s", text)
	}
	if _, _, text := post(t, at, fmt.Sprintf(ask, 1), nil); strings.Contains(text, `"isError":true`) {
		t.Error(text)
	}
	fill(t, url, "web", "words of lighthouses")
	wait(3, 2, 2)
	if text := get("/?kind=exact&q=lighthouses"); !strings.Contains(text, "path=web%3Aa.md&amp;") {
		t.Errorf("the page does not show what has changed:\n%s", text)
	}
	if text := get("/metrics"); !strings.Contains(text, "\ncortex_serve_index_generation 3\n") {
		t.Error(text)
	}
}
