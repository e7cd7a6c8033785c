package search

import (
	"strings"
	"testing"

	"cortex/lib/record"
	"cortex/lib/search/answer"
)

// TestHeadingThatIsTheQuestion asks for a heading word for word, among sections that repeat its words.
func TestHeadingThatIsTheQuestion(t *testing.T) {
	x := newIndex(t, []*record.Chunk{
		section("docs/settings.md", "", 1, ""),
		section("docs/settings.md", "#files/serve-method", 3, "Redirects to the storage if it has an address, otherwise streams."),
		section("docs/usage.md", "", 1, ""),
		section("docs/usage.md", "#files", 3, strings.Repeat("The serve method of files: which method serves files, and how to serve by another method. ", 6)),
		section("docs/usage.md", "#serving", 9, strings.Repeat("A method to serve: FILES_SERVE_METHOD, the serve method. ", 6)),
	})
	for _, question := range []string{"serve method", "the Serve Method"} {
		r := lexical(t, x, answer.Request{Queries: []string{question}})
		if got := r.Results[0].Chunk.ID; got != "doc-docs/settings.md#files/serve-method" {
			t.Errorf("%s: %s", question, got)
		}
	}
	r := lexical(t, x, answer.Request{Queries: []string{"serve files by another method"}})
	if got := r.Results[0].Chunk.Metadata.FilePath; got != "docs/usage.md" {
		t.Errorf("a question of other words: %s", got)
	}
}
