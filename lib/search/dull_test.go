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
	for question, want := range map[string][]string{
		"retry attempts":       {"const maxAttempts = 5", `var errGaveUp = errors.New("too many attempts")`},
		"how often does retry": {"const maxAttempts = 5"},
		"retry":                nil,
	} {
		r := lexical(t, x, answer.Request{Queries: []string{question}, Lines: true, Filter: answer.Filter{ChunkTypes: []string{"implementations"}}})
		var got []string
		for _, l := range r.Results[0].Uses {
			got = append(got, l.Text)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %q", question, got)
		}
	}
}

// A member of a class is used by its own name.
func TestClassConstantsThatAHitUses(t *testing.T) {
	data := chunk("a.php", "Handler.MAX_LENGTH", "    // Lines 2-3\n    /** What the service allows. */\n    private const MAX_LENGTH = 4096;", func(c *record.Chunk) {
		c.ID, c.ChunkType = "code-data-a.php#Handler.MAX_LENGTH", record.Data
		c.Metadata.StartLine, c.Metadata.EndLine, c.Metadata.SymbolType, c.Metadata.SymbolSignature = 2, 3, record.Constant, "private const MAX_LENGTH = 4096"
		c.Metadata.Repeats = []record.LineRange{{1, 1}}
	})
	x := newIndex(t, []*record.Chunk{data, chunk("a.php", "Handler.cut", "function cut($message) {\n    return substr($message, 0, self::MAX_LENGTH);\n}", func(c *record.Chunk) { c.Metadata.StartLine, c.Metadata.EndLine = 10, 12 })})
	r := lexical(t, x, answer.Request{Queries: []string{"cut a message to its length"}, Lines: true, Filter: answer.Filter{ChunkTypes: []string{"implementations"}}})
	if uses := r.Results[0].Uses; len(uses) != 1 || uses[0].Number != 3 || uses[0].Text != "private const MAX_LENGTH = 4096;" {
		t.Errorf("got %+v", uses)
	}
}
