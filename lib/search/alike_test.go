package search

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"cortex/lib/record"
	"cortex/lib/search/answer"
)

// settings returns a chunk of a file of settings that declares the keys, each in its own line from the first on.
func settings(path string, first int, text string, keys ...string) *record.Chunk {
	return chunk(path, "", text, func(c *record.Chunk) {
		c.ID, c.ChunkType, c.Metadata.SymbolType = fmt.Sprintf("code-data-%s#%d", path, first), record.Data, ""
		c.Metadata.StartLine, c.Metadata.EndLine = first, first+strings.Count(text, "\n")
		c.Metadata.ByteStart, c.Metadata.ByteEnd = 100*first, 100*first+len(text)
		for i, key := range keys {
			c.Metadata.Symbols = append(c.Metadata.Symbols, record.SymbolRef{Name: key, Type: record.Key, Line: first + i})
		}
	})
}

// shownOf returns the places of the hits of an answer, each with those of its twins.
func shownOf(t *testing.T, x *Index, req answer.Request) (places []string, total int) {
	t.Helper()
	r, err := x.Exact(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range r.Results {
		place := h.Chunk.Metadata.FilePath
		for _, twin := range h.Twins {
			place += fmt.Sprintf(" +%s:%d", twin.FilePath, twin.StartLine)
		}
		places = append(places, place)
	}
	slices.Sort(places)
	return places, r.TotalFound
}

// Places that show the same line are one hit of an answer, in one file or several. A line that declares another key, is
// in another function or heads another section is a hit of its own.
func TestSameLinesAreOneHit(t *testing.T) {
	other := "queue := NewQueue(job)\n\tqueue.Push(job, weights)\n\tqueue.Flush()"
	for _, tt := range []struct {
		query  string
		chunks []*record.Chunk
		want   []string
	}{
		{"overflow", []*record.Chunk{
			settings("a.conf", 3, "overflow: no"), settings("a.conf", 9, "\toverflow: no"), settings("b.conf", 5, "overflow: no"),
			settings("c.conf", 7, "overflow: yes"),
		}, []string{"a.conf +a.conf:9 +b.conf:5", "c.conf"}},
		{"timeout", []*record.Chunk{
			settings("a.yml", 3, "timeout: 30", "http.timeout"), settings("a.yml", 9, "timeout: 30", "db.timeout"), settings("b.yml", 4, "timeout: 30", "http.timeout"),
		}, []string{"a.yml", "a.yml +b.yml:4"}},
		{"title", []*record.Chunk{
			settings("a.kt", 3, "// Lines 3-4\n@NotBlank\nval title: String", "Book.title"), settings("b.kt", 3, "// Lines 3-4\n@NotBlank\nval title: String", "Feed.title"),
		}, []string{"a.kt", "b.kt"}},
		{"Drain", []*record.Chunk{
			chunk("a.go", "First", "func First() {\n\tDrain(x)\n}"), chunk("b.go", "Second", "func Second() {\n\tDrain(x)\n}"),
			chunk("v3/c.go", "Third", "func Third(all []Item) {\n\tfor _, x := range all {\n\t\tDrain(x)\n\t}\n}"),
			chunk("v4/c.go", "Third", "func Third(all []Item) {\n\tfor _, x := range all {\n\t\tDrain(x)\n\t}\n}"),
			chunk("d.go", "Third", "func Third(job Job) {\n\t"+other+"\n\tDrain(x)\n}"),
		}, []string{"a.go", "b.go", "d.go", "v3/c.go +v4/c.go:10"}},
		{"retries", []*record.Chunk{
			section("a.md", "#retries", 3, "## Retries\nA job is tried again after a pause.", asHeading), section("b.md", "#retries", 8, "## Retries\nNone.", asHeading),
		}, []string{"a.md", "b.md"}},
		{"ERR_7", []*record.Chunk{
			settings("web/locales/en.json", 7, `"ERR_7": "File not found"`, "codes.ERR_7"), settings("web/locales/de.json", 7, `"ERR_7": "Datei fehlt"`, "codes.ERR_7"),
			settings("web/locales/de.json", 9, `"ERR_7": "Fehler sieben"`, "titles.ERR_7"),
		}, []string{"web/locales/de.json", "web/locales/en.json +web/locales/de.json:7"}},
	} {
		x := newIndex(t, tt.chunks)
		if got, total := shownOf(t, x, answer.Request{Queries: []string{tt.query}, Lines: true}); !slices.Equal(got, tt.want) || total != len(tt.want) {
			t.Errorf("%s: %q, %d hits, want %q", tt.query, got, total, tt.want)
		}
		// Every hit is there for who reads hits, and not an answer.
		if got, total := shownOf(t, x, answer.Request{Queries: []string{tt.query}}); len(got) != len(tt.chunks) || total != len(tt.chunks) {
			t.Errorf("%s: %q, %d hits", tt.query, got, total)
		}
	}
}

func asHeading(c *record.Chunk) {
	c.Metadata.Symbols = []record.SymbolRef{{Name: "Retries", Type: record.Heading, Line: c.Metadata.StartLine}}
}

// Parts of a long text overlap. A part that shows no other line than the parts before it is no further hit.
func TestOverlappingPartsAreCountedOnce(t *testing.T) {
	x := newIndex(t, []*record.Chunk{
		settings("names.txt", 1, "alpha\nbeta\nnear gamma"), settings("names.txt", 3, "near gamma\ndelta"), settings("names.txt", 4, "delta\nfar gamma"),
	})
	if got, total := shownOf(t, x, answer.Request{Queries: []string{"gamma"}, Lines: true}); len(got) != 2 || total != 2 {
		t.Errorf("%q, %d hits", got, total)
	}
}

// Pages of answers go on where the one before ended.
func TestSameLinesAndPages(t *testing.T) {
	var chunks []*record.Chunk
	for n := range 40 {
		chunks = append(chunks, settings(fmt.Sprintf("%02d.conf", n), 3, fmt.Sprintf("overflow: %d", n%8)))
	}
	x := newIndex(t, chunks)
	all, _ := shownOf(t, x, answer.Request{Queries: []string{"overflow"}, Lines: true, Limit: -1})
	if len(all) != 8 {
		t.Fatalf("%q", all)
	}
	for offset := range all {
		if got, _ := shownOf(t, x, answer.Request{Queries: []string{"overflow"}, Lines: true, Offset: offset, Limit: 1}); !strings.HasPrefix(all[offset], got[0][:7]) {
			t.Errorf("at %d: %q, want %q", offset, got, all[offset])
		}
	}
}
