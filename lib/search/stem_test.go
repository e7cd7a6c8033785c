package search

import (
	"slices"
	"strings"
	"testing"

	"cortex/lib/hint"
	"cortex/lib/record"
)

// prose is a document whose text is all of the file.
func prose(name, text string) *record.Chunk { return chunk("docs/a.md", name, text, asDocument) }

func foundWith(t *testing.T, s Settings, chunks []*record.Chunk, query string) string {
	t.Helper()
	x, err := New(t.Context(), snapshot(t, chunks, nil), nil, s)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	return strings.Join(found(t, x, query, Filter{}), " ")
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
	if got := foundWith(t, Settings{Stemmer: NoStemmer}, chunks, "handle"); got != "forms" {
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
	for _, name := range Stemmers() {
		s, err := newStemmer(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range []string{"", "ab", "running", "ünïcödé", "книга", "ουδες", "日本語", "x_y", "a1b", strings.Repeat("ing", 100)} {
			if stem, ok := s.stemOf(word); ok && (stem == "" || name == NoStemmer || !isPlainWord(word)) {
				t.Errorf("%s: stem of %q is %q", name, word, stem)
			}
		}
	}
	_, err := New(t.Context(), snapshot(t, nil, nil), nil, Settings{Stemmer: "englisch"})
	if err == nil || !strings.Contains(err.Error(), `search.stemmer: unknown language "englisch"`) || !strings.Contains(hint.Of(err), `did you mean "english"?`) {
		t.Errorf("%v, hint %q", err, hint.Of(err))
	}
}

// TestAnalyserVersions makes sure that indexes of different settings are told apart.
func TestAnalyserVersions(t *testing.T) {
	var versions []string
	for _, name := range Stemmers() {
		s, err := newStemmer(name)
		if err != nil {
			t.Fatal(err)
		}
		versions = append(versions, s.analyserVersion())
	}
	slices.Sort(versions)
	if len(slices.Compact(versions)) != len(Stemmers()) {
		t.Errorf("%q", versions)
	}
	byDefault, err := newStemmer("")
	if err != nil || byDefault.language != DefaultStemmer {
		t.Errorf("%v, %v", byDefault, err)
	}
}

func TestHighlightsOfStems(t *testing.T) {
	s, err := newStemmer("")
	if err != nil {
		t.Fatal(err)
	}
	c := prose("a", "Nothing.\nErrors are handled.\n```\nhandled\n```\n")
	got := highlights(c, exactNeedles(parsed(t, "handling"), s), nil)
	if len(got) != 1 || got[0].Text != "Errors are <mark>handled</mark>." {
		t.Errorf("%+v", got)
	}
}
