package label

import (
	"slices"
	"strings"
	"testing"

	"cortex/lib/record"
)

func TestLine(t *testing.T) {
	for text, want := range map[string]string{
		"":                      "",
		"a  b":                  "a  b",
		"a\n\tb":                "a b",
		"a\x00b\u0085":          "a b",
		strings.Repeat("é", 12): strings.Repeat("é", 9) + "…",
	} {
		if got := Line(text, 10); got != want {
			t.Errorf("Line(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestTags(t *testing.T) {
	f := &record.File{Language: "go", Tags: []string{"go", "own", ""}}
	if got, want := Tags(f, "code", record.Data, "test", "own"), []string{"code", "go", "data", "own", "test"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestListIsBounded adds names until they are four times as long as the text of a chunk.
func TestListIsBounded(t *testing.T) {
	var list List
	for line := range 100 {
		list.Add(&record.Symbol{Name: strings.Repeat("n", 10)}, line+1, 200)
		list.Add(&record.Symbol{}, line+1, 200)
	}
	if len(list.Refs) != 80 || list.Refs[79].Line != 80 {
		t.Errorf("%d names, the last %+v", len(list.Refs), list.Refs[len(list.Refs)-1])
	}
}
