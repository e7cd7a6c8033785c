package search

import (
	"slices"
	"testing"

	"cortex/lib/record"
	"cortex/lib/search/answer"
)

// A hit is shown with the constants and errors that it uses if they have a word of the question. A local variable is no
// use of a name in another case.
func TestConstantsThatAHitUses(t *testing.T) {
	data := chunk("a.go", "", "// Lines 3-6\nconst maxAttempts = 5\nvar errGaveUp = errors.New(\"too many attempts\")\nconst attemptsUnused = 7\nvar Attempts = 0", func(c *record.Chunk) {
		c.ID, c.ChunkType = "code-data-a.go", record.Data
		c.Metadata.StartLine, c.Metadata.EndLine, c.Metadata.SymbolType = 3, 6, ""
		c.Metadata.Symbols = []record.SymbolRef{{Name: "maxAttempts", Type: record.Constant, Line: 3}, {Name: "errGaveUp", Type: record.Variable, Line: 4}, {Name: "attemptsUnused", Type: record.Constant, Line: 5}, {Name: "Attempts", Type: record.Variable, Line: 6}}
		c.Metadata.Repeats = []record.LineRange{{1, 1}}
	})
	x := newIndex(t, []*record.Chunk{data, chunk("a.go", "Retry", "func Retry() error {\n\tattempts := 0\n\tfor range maxAttempts {\n\t\tcall()\n\t}\n\treturn errGaveUp\n}")})
	r := lexical(t, x, answer.Request{Queries: []string{"retry attempts"}, Lines: true, Filter: answer.Filter{ChunkTypes: []string{"implementations"}}})
	var got []string
	for _, l := range r.Results[0].Uses {
		got = append(got, l.Text)
	}
	if want := []string{"const maxAttempts = 5", `var errGaveUp = errors.New("too many attempts")`}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}
