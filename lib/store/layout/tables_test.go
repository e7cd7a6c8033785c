package layout

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cortex/lib/record"
	"cortex/lib/store/shard"
)

// TestRows encodes files as rows of a table and decodes them; truncated rows are invalid.
func TestRows(t *testing.T) {
	files := []*shard.File{
		{Record: record.File{Type: record.TypeFile, FilePath: "a.go", Status: record.StatusOK, SHA256: strings.Repeat("a", 64), Size: 1 << 40}},
		{Tree: "t", Created: "2024-01-01T00:00:00Z", Updated: "2025-01-01T00:00:00Z", Chunks: [5]int{1, 2, 3, 4, 5000}, Unembedded: 7, Record: record.File{
			Type: record.TypeFile, FilePath: "d/é.md", Language: "markdown", Status: record.StatusPartial, ErrorCount: 300, Reason: "r\n", Package: "p",
			Title: strings.Repeat("long ", 100), Tags: []string{"", "one", "two"}}},
	}
	var rows []byte
	var whole []int
	for _, f := range files {
		rows = appendRow(rows, f)
		whole = append(whole, len(rows))
	}
	got, ok := decodeRows(string(rows))
	if diff := cmp.Diff(files, got); !ok || diff != "" {
		t.Error(diff)
	}
	for n := 1; n < len(rows); n++ {
		if _, ok := decodeRows(string(rows[:n])); ok != (n == whole[0]) {
			t.Errorf("%d bytes of the rows: %v", n, ok)
		}
	}
}
