package search

import (
	"strings"
	"testing"

	"cortex/lib/hint"
	"cortex/lib/record"
	"cortex/lib/search/answer"
	"cortex/lib/search/corpus"
)

// prose returns a document whose text is the whole file.
func prose(name, text string) *record.Chunk { return chunk("docs/a.md", name, text, asDocument) }

func foundWith(t *testing.T, s Settings, chunks []*record.Chunk, query string) string {
	t.Helper()
	x, err := newInMemory(snapshot(t, chunks, nil), nil, s)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	return strings.Join(found(t, x, query, answer.Filter{}), " ")
}

func TestStemsInDocumentsAlone(t *testing.T) {
	chunks := []*record.Chunk{
		prose("forms", "It handled what handles handle."),
		prose("itself", "Several words before, and the handling of things."),
		prose("fence", "Before.\n```go\nhandled()\n```\nAfter it."),
		chunk("a.go", "code", "// handled here\nfunc handled() {}"),
		chunk("a.go", "same", "handling()"),
	}
	for query, want := range map[string]string{
		"handling":     "same itself forms",
		`"handling"`:   "same itself",
		"handle":       "forms itself",
		"handled":      "code forms fence itself",
		"handling.of":  "itself",
		"handlin~1":    "same itself",
		"title:forms":  "forms",
		"symbol:codes": "",
	} {
		if got := foundWith(t, Settings{}, chunks, query); got != want {
			t.Errorf("%s: found %q, want %q", query, got, want)
		}
	}
	if got := foundWith(t, Settings{Stemmer: corpus.NoStemmer}, chunks, "handle"); got != "forms" {
		t.Errorf("without stems: found %q", got)
	}
}

func TestStemmersOfLanguages(t *testing.T) {
	for language, words := range map[string][2]string{
		"german": {"häuser", "Hauses"}, "french": {"continuel", "continuellement"}, "russian": {"книга", "книгами"}, "Spanish ": {"chicas", "chica"},
		"greek": {"διακομιστής", "Διακομιστών"},
	} {
		if got := foundWith(t, Settings{Stemmer: language}, []*record.Chunk{prose("a", "x "+words[1]+" y")}, words[0]); got != "a" {
			t.Errorf("%s: %s does not find %s", language, words[0], words[1])
		}
	}
	_, err := newInMemory(snapshot(t, nil, nil), nil, Settings{Stemmer: "englisch"})
	if err == nil || !strings.Contains(err.Error(), `search.stemmer: unknown language "englisch"`) || !strings.Contains(hint.Of(err), `did you mean "english"?`) {
		t.Errorf("%v, hint %q", err, hint.Of(err))
	}
}
