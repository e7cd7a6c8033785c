package main

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"cortex/lib/database"
	"cortex/lib/database/databasetest"
	"cortex/lib/database/write"
	"cortex/lib/record/jsonl"
	"cortex/lib/status"
	"cortex/lib/store/update"
)

// TestDatabaseStatus writes two trees and reads their status.
func TestDatabaseStatus(t *testing.T) {
	url := databasetest.Start(t).New(t)
	for _, tree := range []string{"api", "web"} {
		db, err := database.Open(t.Context(), url, database.Options{Write: true, Conns: 1})
		if err != nil {
			t.Fatal(err)
		}
		stream := `{"type":"begin","schema":1,"tree":"` + tree + `","mode":"full","files":1,"settings":{}}
{"type":"file","file_path":"a.md","language":"markdown","sha256":"` + strings.Repeat("0", 64) + `","size":5,"status":"ok","error_count":0}
{"type":"chunk","id":"doc-` + tree + `:a.md","chunk_type":"documentation","title":"a.md","text":"words","tags":["markdown"],"metadata":{"source":"doc","file_path":"` + tree + `:a.md","language":"markdown","tree":"` + tree + `","start_line":1,"end_line":1}}
{"type":"end","files":1,"errors":0}
`
		opts := update.Options{Jobs: 1, Now: func() time.Time { return time.Unix(1_700_000_000, 0) }, Warn: t.Logf, Report: func(err error) { t.Error(err) }}
		err = update.RunInto(t.Context(), jsonl.NewReader(strings.NewReader(stream), "stream"), &write.Writer{DB: db, Warn: t.Logf, Now: opts.Now}, opts)
		db.Close()
		if err != nil {
			t.Fatal(err)
		}
	}
	code, out, errs := query("status", "--database", url, "--json")
	var s status.Status
	if err := json.Unmarshal([]byte(out), &s); code != 0 || err != nil || s.Chunks != 2 || len(s.Sources) != 2 {
		t.Fatalf("status %d, %q, %q: %v", code, out, errs, err)
	}
	if api := s.Sources[0]; api.Tree != "api" || api.Generation != 1 || api.Files != 1 || api.Chunks != 1 || api.State != status.Unknown {
		t.Errorf("tree %+v", api)
	}
	code, out, errs = query("status", "--database", url, "--tree", "web")
	if code != 0 || !strings.Contains(out, "sources     tree web: generation 1 of 2023-11-14T22:13:20Z, 1 file, 1 chunk\n") || strings.Contains(out, "api") {
		t.Errorf("status %d, %q, %q", code, out, errs)
	}
	if code, _, errs = query("status", "--database", url, "--tree", "nowhere"); code != 2 || !strings.Contains(errs, `no tree "nowhere"`) {
		t.Errorf("status %d, %q", code, errs)
	}
}
