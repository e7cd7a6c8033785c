package update

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"cortex/lib/record"
	"cortex/lib/record/jsonl"
	"cortex/lib/store"
	"cortex/lib/store/layout"
)

func checkGolden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.MkdirAll("testdata", 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (UPDATE_GOLDEN=1 writes it anew): %s", path, diff)
	}
}

// varied is a store with some of everything.
func varied(t *testing.T) string {
	t.Helper()
	dir := newDir(t)
	items := []any{begin(record.Full, 24)}
	for i := range 6 {
		path := fmt.Sprintf("a/%d.go", i)
		items = append(items, file(path, "ok"), code("code-impl-"+path+"#F", path, "text"), data(code("code-data-"+path, path, "data")))
	}
	for i := range 12 {
		path := fmt.Sprintf("a very long folder name/that does not fit/on a narrow screen/together with/its file %d.py", i)
		f := file(path, "partial")
		f.Language, f.Size, f.ErrorCount = "python", 1234567, i+1
		c := code("code-impl-"+path+"#F", path, "text")
		c.Metadata.Language = "python"
		items = append(items, f, c)
	}
	broken := file("broken\x1b[31m.xyz", "error")
	broken.Language, broken.Reason = "", "parser gave up"
	items = append(items, broken)
	for i, reason := range []string{"binary", "binary", "binary", "binary", "too large: 3000000 bytes"} {
		f := file(fmt.Sprintf("s%d.bin", i), "skipped")
		f.Reason = reason
		items = append(items, f)
	}
	mustApply(t, dir, stream(t, append(items, end(24))...))
	return dir
}

func TestStatus(t *testing.T) {
	dir := varied(t)
	status, err := store.ReadStatus(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	status.Store = "/home/u/project/.cortex"
	var b strings.Builder
	if err := status.Write(&b, clock(4)()); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(b.String()) {
		if utf8.RuneCountInString(strings.TrimSpace(line)) > 80 {
			t.Errorf("too long: %s", line)
		}
	}
	checkGolden(t, "status.txt", b.String())
	b.Reset()
	if err := status.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	var again store.Status
	if err := json.Unmarshal([]byte(b.String()), &again); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(status, &again); diff != "" {
		t.Error(diff)
	}
	checkGolden(t, "status.json", b.String())
}

func TestManifestFile(t *testing.T) {
	checkGolden(t, layout.ManifestName, contents(t, varied(t))[layout.ManifestName])
}

func TestShard(t *testing.T) {
	checkGolden(t, "00.jsonl", contents(t, stored(t))[layout.ShardPath("00.jsonl")])
}

func TestResult(t *testing.T) {
	r := Result{Files: map[record.Status]int{"ok": 1200, "skipped": 3}, Added: 5, Chunks: 4321, Generation: 7, Written: true, Elapsed: 1500 * time.Millisecond}
	want := "1,203 files read: 1,200 ok, 3 skipped; 4,321 chunks in the index: 5 added, 0 changed, 0 removed; generation 7, 1.5 s"
	if got := r.String(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestCat(t *testing.T) {
	dir := stored(t)
	second := begin(record.Full, 1)
	second.Tree, second.Settings = "docs", map[string]string{"parse": "p2"}
	mustApply(t, dir, stream(t, second, file("r.md", "ok"), inTree("docs", code("doc-docs:r.md", "r.md", "read me")), end(1)), at(2))
	mustApply(t, dir, stream(t, code("stray", "nowhere.go", "no file record")), at(3))
	checkCatIsFixedPoint(t, dir)
	checkCatIsFixedPoint(t, varied(t))

	var b strings.Builder
	if err := store.Cat(context.Background(), dir, jsonl.NewWriter(&b), store.CatOptions{Floats: true}); err != nil {
		t.Fatal(err)
	}
	checkContains(t, b.String(), `"embedding":[0.5,-1,3]`)
	again := newDir(t)
	mustApply(t, again, b.String())
	want, got := contents(t, dir), contents(t, again)
	delete(want, layout.ManifestName)
	delete(got, layout.ManifestName)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
