package mcp

import (
	"strings"
	"testing"

	"cortex/lib/status"
)

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
