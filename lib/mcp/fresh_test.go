package mcp

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cortex/lib/source"
	"cortex/lib/status"
	"cortex/lib/store"
)

// TestPatience: a question to several repositories waits longer for the first check of each.
func TestPatience(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, store.Dir)
	write(t, dir, some(3, 1))
	var f freshness
	defer f.files.Close()
	if got := f.patience(maxCheckAll); got != mostCatchUp {
		t.Errorf("got %s before the first check", got)
	}
	list := func(string) (source.Options, error) { return source.Options{}, nil }
	if _, err := f.files.Look(t.Context(), dir, root, list, time.Minute); err != nil {
		t.Fatal(err)
	}
	if got := f.patience(maxCheckAll); got != maxCheckAll {
		t.Errorf("got %s after a check", got)
	}
}

func TestTellNewer(t *testing.T) {
	for _, test := range []struct {
		newer status.Newest
		want  string
	}{
		{status.Newest{Files: 1, First: []string{"a.go"}}, "1 file is newer than the index: a.go."},
		{status.Newest{Files: 2, First: []string{"a.go", "b/c.go"}}, "2 files are newer than the index: a.go, b/c.go."},
		{status.Newest{Files: 300, First: []string{"a.go", "b/c.go"}}, "300 files are newer than the index: a.go, b/c.go and 298 more."},
		{status.Newest{Files: 1, First: []string{"a\n\x1b[2Jb.go"}}, "1 file is newer than the index: a��[2Jb.go."},
		{status.Newest{Files: 1, First: []string{strings.Repeat("long/", 50) + "a.go"}}, "1 file is newer than the index: " + strings.Repeat("long/", 10) + " … /" + strings.Repeat("long/", 4) + "a.go."},
	} {
		if got := tellNewer(test.newer); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}
