package search

import (
	"fmt"
	"slices"
	"strings"
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
		"what must I change to add a limit on retry": {"const maxAttempts = 5"},
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

// The first line of an enum is no value.
func TestTypesAreNoUses(t *testing.T) {
	data := chunk("a.rs", "Attempts", "// Lines 2-5\nenum Attempts {\n    First = 1,\n    Last = 9,\n}", func(c *record.Chunk) {
		c.ID, c.ChunkType = "code-data-a.rs#Attempts", record.Data
		c.Metadata.StartLine, c.Metadata.EndLine, c.Metadata.SymbolType, c.Metadata.SymbolSignature = 2, 5, record.Enum, "enum Attempts"
		c.Metadata.Symbols = []record.SymbolRef{{Name: "Attempts", Type: record.Enum, Line: 2}, {Name: "Attempts.Last", Type: record.Constant, Line: 4}}
		c.Metadata.Repeats = []record.LineRange{{1, 1}}
	})
	x := newIndex(t, []*record.Chunk{data, chunk("a.rs", "retry", "fn retry(attempts: Attempts) {\n    until(Attempts::Last)\n}", func(c *record.Chunk) { c.Metadata.StartLine, c.Metadata.EndLine = 10, 12 })})
	r := lexical(t, x, answer.Request{Queries: []string{"retry until the last of the attempts"}, Lines: true, Filter: answer.Filter{ChunkTypes: []string{"implementations"}}})
	if uses := r.Results[0].Uses; len(uses) != 1 || uses[0].Number != 4 {
		t.Errorf("got %+v", uses)
	}
}

// A member of a class is used by its own name.
func TestClassConstantsThatAHitUses(t *testing.T) {
	data := chunk("a.php", "Handler.MAX_LENGTH", "    // Lines 2-3\n    /** What the service allows. */\n    private const MAX_LENGTH = 4096;", func(c *record.Chunk) {
		c.ID, c.ChunkType = "code-data-a.php#Handler.MAX_LENGTH", record.Data
		c.Metadata.StartLine, c.Metadata.EndLine, c.Metadata.SymbolType, c.Metadata.SymbolSignature = 2, 3, record.Constant, "private const MAX_LENGTH = 4096"
		c.Metadata.Symbols = []record.SymbolRef{{Name: "Handler.MAX_LENGTH", Type: record.Constant, Line: 3}}
		c.Metadata.Repeats = []record.LineRange{{1, 1}}
	})
	x := newIndex(t, []*record.Chunk{data, chunk("a.php", "Handler.cut", "function cut($message) {\n    return substr($message, 0, self::MAX_LENGTH);\n}", func(c *record.Chunk) { c.Metadata.StartLine, c.Metadata.EndLine = 10, 12 })})
	r := lexical(t, x, answer.Request{Queries: []string{"cut a message to its length"}, Lines: true, Filter: answer.Filter{ChunkTypes: []string{"implementations"}}})
	if uses := r.Results[0].Uses; len(uses) != 1 || uses[0].Number != 3 || uses[0].Text != "private const MAX_LENGTH = 4096;" {
		t.Errorf("got %+v", uses)
	}
}

// A question for a value is answered by fields and variables with a value, too.
func TestFieldsThatAHitUses(t *testing.T) {
	var chunks []*record.Chunk
	for i, declared := range []string{"Level bound = Level.LOW;", "Duration bound = ofSeconds(30);", "Map bound = new HashMap<>();", "Level bound;"} {
		path := fmt.Sprintf("a%d.java", i)
		chunks = append(chunks, chunk(path, "Settings.bound", "    // Lines 2-2\n    private "+declared, func(c *record.Chunk) {
			c.ID, c.ChunkType = "code-data-"+path+"#Settings.bound", record.Data
			c.Metadata.StartLine, c.Metadata.EndLine, c.Metadata.SymbolType, c.Metadata.SymbolSignature = 2, 2, record.Field, "private "+declared
		}), chunk(path, "Settings.least", "T least() {\n    "+strings.Repeat("enter(priority);", i)+"\n    return bound;\n}", func(c *record.Chunk) { c.Metadata.StartLine, c.Metadata.EndLine = 10, 12 }))
	}
	x := newIndex(t, chunks)
	for question, want := range map[string]int{"what is the default least priority": 2, "where is priority entered": 0} {
		r := lexical(t, x, answer.Request{Queries: []string{question}, Lines: true, Filter: answer.Filter{ChunkTypes: []string{"implementations"}}})
		uses := 0
		for _, h := range r.Results {
			uses += len(h.Uses)
		}
		if uses != want || len(r.Results) == 0 {
			t.Errorf("%s: %d uses of %d hits, want %d", question, uses, len(r.Results), want)
		}
	}
}

// TestValuesOfAType: a type is shown with its values, which have chunks of their own, and without signatures.
func TestValuesOfAType(t *testing.T) {
	tier := func(id string, tier record.ChunkType, first, last int, repeats ...record.LineRange) func(*record.Chunk) {
		return func(c *record.Chunk) {
			c.ID, c.ChunkType, c.Tags = id, tier, []string{"code", "python", string(tier)}
			c.Metadata.Language, c.Metadata.StartLine, c.Metadata.EndLine, c.Metadata.Repeats = "python", first, last, repeats
			if tier != record.Implementations {
				c.Metadata.ByteEnd = 0
			}
		}
	}
	x := newIndex(t, []*record.Chunk{
		chunk("a.py", "Options", "# Lines 1-6\nclass Options:\n    name: str\n    retries: int = 3\n\n    # Lines 5-6\n    def check(self):",
			tier("code-definitions-a.py#Options", record.Definitions, 1, 6, record.LineRange{1, 1}, record.LineRange{4, 7})),
		chunk("a.py", "Options.retries", "    # Lines 3-3\n    retries: int = 3", tier("code-data-a.py#Options.retries", record.Data, 3, 3, record.LineRange{1, 1})),
		chunk("a.py", "Options.check", "    def check(self):\n        return True", tier("code-impl-a.py#Options.check", record.Implementations, 5, 6)),
	})
	r, err := x.Exact(t.Context(), answer.Request{Queries: []string{"symbol:Options"}, Lines: true})
	if err != nil {
		t.Fatal(err)
	}
	var shown []string
	for _, l := range r.Results[0].Lines() {
		shown = append(shown, strings.TrimSpace(l.Text))
	}
	if want := []string{"class Options:", "name: str", "retries: int = 3"}; !slices.Equal(shown, want) {
		t.Errorf("%s: %q, want %q", r.Results[0].Chunk.ID, shown, want)
	}
}
