package show

import (
	"strings"
	"testing"

	"cortex/lib/record"
)

// A line that is too long to be shown whole is shown from the sentence on that has most words of the question, and a
// row of a table from its beginning.
func TestLongLinesAreShownWhereTheyMatch(t *testing.T) {
	filler := strings.Repeat("Much is said about other things. ", 8)
	for _, tt := range []struct{ text, want string }{
		{"Sessions expire. " + filler, "Sessions expire. Much"},
		{filler + "A session that is idle has expired. " + filler, "A session that is idle"},
		{"A session is idle. " + filler + "Another one is not idle.", "A session is idle."},
		{"| a | " + filler + " idle sessions expire |", "| a | Much"},
		{strings.Repeat("x", 300) + " idle sessions expire", "idle sessions expire"},
	} {
		c := &record.Chunk{ChunkType: record.Documentation, Text: tt.text, Metadata: record.Metadata{StartLine: 1, EndLine: 1, ByteEnd: len(tt.text)}}
		needles := PlainNeedles("when do idle sessions expire")
		text := newTextLines(c)
		matched, needles := text.matches(needles)
		l := tellingLines(c, text, matched, needles, &Finder{})[0]
		if got := l.Text[l.From:]; !strings.HasPrefix(got, tt.want) {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

// A declaration is shown in full if its name was asked for, not if a message has a word of it.
func TestNamesThatWereAskedFor(t *testing.T) {
	for _, tt := range []struct {
		query string
		want  bool
	}{
		{"find_decorator", true}, {"decorator", true}, {"find decorator", true}, {"decorator scope", true}, {"find decorator style", true},
		{"decorator style", false}, {"could not find the decorator", true}, {"could not decorator", false},
	} {
		c := &record.Chunk{ChunkType: record.Implementations, Text: "def find_decorator(scope):\n    pass", Metadata: record.Metadata{
			StartLine: 1, EndLine: 2, ByteEnd: 35, SymbolName: "find_decorator", SymbolSignature: "def find_decorator(scope)"}}
		text := newTextLines(c)
		matched, needles := text.matches(PlainNeedles(tt.query))
		if got := tellingLines(c, text, matched, needles, &Finder{Exact: true})[0].Names; got != tt.want {
			t.Errorf("%q: got %v, want %v", tt.query, got, tt.want)
		}
	}
}
