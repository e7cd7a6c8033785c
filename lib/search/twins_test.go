package search

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"cortex/lib/record"
	"cortex/lib/search/answer"
)

const retryText = `func Retry(ctx Context, attempts int, call func() error) error {
	for n := 0; n < attempts; n++ {
		if err := call(); err == nil || ctx.Done() {
			return err
		}
		wait(ctx, backoff(n))
	}
	return errors.New("%s: too many attempts")
}`

// Files that say nearly the same are one hit, which lists the others as twins.
func TestTwinsAreOneHit(t *testing.T) {
	var chunks []*record.Chunk
	for _, version := range []string{"v3", "v4", "v5"} {
		chunks = append(chunks, chunk("api/"+version+"/retry.go", "Retry", fmt.Sprintf(retryText, version)))
	}
	chunks = append(chunks,
		chunk("other/retry.go", "Retry", "func Retry(job Job) { attempts.Add(job); queue.Push(job, attempts.Of(job)) }"),
		chunk("api/v3/retry.go", "RetryAll", fmt.Sprintf(retryText, "v3")),
	)
	x := newIndex(t, chunks)
	r := lexical(t, x, answer.Request{Queries: []string{"retry attempts"}})
	if r.TotalFound != 3 || len(r.Results) != 3 {
		t.Errorf("%d hits of %d: %q", len(r.Results), r.TotalFound, ids(r))
	}
	twins := 0
	for _, h := range r.Results {
		twins += len(h.Twins)
		if len(h.Twins) > 0 && (len(h.Twins) != 2 || h.Twins[0].FilePath != "api/v4/retry.go" || h.Twins[0].StartLine != 10 || h.Twins[1].FilePath != "api/v5/retry.go") {
			t.Errorf("twins %+v", h.Twins)
		}
	}
	if twins != 2 {
		t.Errorf("%d twins", twins)
	}
}

// Copies of a document are one hit too, where several of its sections are found.
func TestTwinsOfDocuments(t *testing.T) {
	var chunks []*record.Chunk
	for _, folder := range []string{"docs", "docs-next"} {
		path := folder + "/retries.md"
		chunks = append(chunks, section(path, "", 1, ""),
			section(path, "#one", 3, "Attempts of a retry before the job fails."),
			section(path, "#two", 9, "Attempts of a retry before the job ends."))
	}
	r := lexical(t, newIndex(t, chunks), answer.Request{Queries: []string{"attempts of a retry"}})
	if len(r.Results) != 1 || len(r.Results[0].Parts) != 2 {
		t.Fatalf("%q: %+v", ids(r), r.Results[0].Parts)
	}
	if twins := r.Results[0].Twins; len(twins) != 1 || twins[0].FilePath != "docs-next/retries.md" || twins[0].StartLine != 3 || twins[0].EndLine != 9 {
		t.Errorf("twins %+v", twins)
	}
}

// Translations of a file of messages are one hit with it: they have its keys, and other texts.
func TestTranslationsAreTwins(t *testing.T) {
	text := func(texts ...string) string {
		var b strings.Builder
		for i, key := range []string{"patient.merge.title", "patient.merge.select", "patient.merge.warning", "patient.save"} {
			fmt.Fprintf(&b, "%s=%s\n", key, texts[i])
		}
		return b.String()
	}
	var chunks []*record.Chunk
	for path, text := range map[string]string{
		"res/messages.properties":    text("Merge two patients", "Select the patients", "This cannot be undone", "Save"),
		"res/messages_de.properties": text("Zwei Patienten vereinigen", "Die Patienten", "Das ist endgültig", "Speichern"),
		"res/messages_fr.properties": text("Fusionner deux patients", "Choisir les patients", "Cela est définitif", "Enregistrer"),
		"res/other_fr.properties":    text("Fusionner deux patients", "Choisir les patients", "Cela est définitif", "Enregistrer"),
	} {
		chunks = append(chunks, chunk(path, "", text, func(c *record.Chunk) { c.ChunkType, c.Metadata.SymbolType, c.Metadata.Symbols = record.Data, "", nil }))
	}
	r := lexical(t, newIndex(t, chunks), answer.Request{Queries: []string{"merge patients"}})
	if len(r.Results) != 2 || r.Results[0].Chunk.Metadata.FilePath != "res/messages.properties" || len(r.Results[0].Twins) != 2 || len(r.Results[1].Twins) != 0 {
		t.Errorf("%q, twins %+v", ids(r), r.Results[0].Twins)
	}
}

// So are translations whose keys are symbols, with the language in the keys or not, and also if the file that was
// translated names no language.
func TestTranslatedKeysAreTwins(t *testing.T) {
	for _, files := range []map[string]string{
		{"app/values/strings.xml": "string.", "app/values-de/strings.xml": "string.", "app/values-fr/strings.xml": "string."},
		{"config/locales/en.yml": "en.", "config/locales/de.yml": "de.", "config/locales/fr.yml": "fr."},
	} {
		var chunks []*record.Chunk
		texts := map[string]string{"de": "Zwei Patienten vereinigen", "fr": "Fusionner deux patients"}
		for path, prefix := range files {
			text := "Merge two patients"
			for language, translated := range texts {
				if strings.Contains(path, language) {
					text = translated
				}
			}
			chunks = append(chunks, chunk(path, "", "merge_patients title of the page "+text, func(c *record.Chunk) {
				c.ID, c.ChunkType, c.Metadata.SymbolType = "code-data-"+path, record.Data, ""
				c.Metadata.Symbols = []record.SymbolRef{{Name: prefix + "merge_patients", Type: record.Key, Line: 1}}
			}))
		}
		r := lexical(t, newIndex(t, chunks), answer.Request{Queries: []string{"merge patients"}})
		if len(r.Results) != 1 || len(r.Results[0].Twins) != 2 {
			t.Errorf("hits %q", ids(r))
		}
	}
}

// Pages go on where the one before ended, whatever twins there are.
func TestTwinsAndPages(t *testing.T) {
	var chunks []*record.Chunk
	for n := range 12 {
		chunks = append(chunks, chunk(fmt.Sprintf("a/retry%d.go", n), fmt.Sprintf("Retry%c", 'A'+n/3), fmt.Sprintf(retryText, "same")))
	}
	x := newIndex(t, chunks)
	all := lexical(t, x, answer.Request{Queries: []string{"retry attempts"}, Limit: -1})
	if len(all.Results) != 4 || all.TotalFound != 4 {
		t.Fatalf("%d hits of %d: %q", len(all.Results), all.TotalFound, ids(all))
	}
	var paged []string
	for offset := range 4 {
		paged = append(paged, ids(lexical(t, x, answer.Request{Queries: []string{"retry attempts"}, Limit: 1, Offset: offset}))...)
	}
	if !slices.Equal(paged, ids(all)) {
		t.Errorf("pages %q, all %q", paged, ids(all))
	}
}
