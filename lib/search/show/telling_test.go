package show

import (
	"strings"
	"testing"

	"cortex/lib/record"
	"cortex/lib/search/wording"
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

// Of a list of macros, the one that was asked for is shown with its condition and its comment: the others are no
// comments above it.
func TestOtherMacrosAreDropped(t *testing.T) {
	text := "// Lines 1-3\n#ifndef A\n#define A 1\n#endif\n\n// Lines 5-8\n#define B 2\n/* The third. */\n#define C 3\n#define D 4"
	all := []record.SymbolRef{{Name: "A", Type: record.Macro, Line: 2}, {Name: "B", Type: record.Macro, Line: 5}, {Name: "C", Type: record.Macro, Line: 7}, {Name: "D", Type: record.Macro, Line: 8}}
	for asked, want := range map[int]string{2: "/* The third. */ #define C 3", 3: "#define D 4"} {
		c := &record.Chunk{ChunkType: record.Data, Text: text, Metadata: record.Metadata{Language: "c", StartLine: 1, EndLine: 8, Symbols: all}}
		lines := tellingLines(c, newTextLines(c), nil, nil, &Finder{Exact: true})
		dropOthers(lines, nil, all[asked:asked+1], all)
		var shown []string
		for _, l := range lines {
			if !l.Dull {
				shown = append(shown, l.Text)
			}
		}
		if got := strings.Join(shown, " "); got != want {
			t.Errorf("%s: %q, want %q", all[asked].Name, got, want)
		}
	}
}

// A rare word of the question tells more than a common one, and several words that other lines have tell as well.
func TestRareWordsTellMore(t *testing.T) {
	code := "send message\nreturn message\nwait until expired\nsend expired message\nwait"
	c := &record.Chunk{Text: code, ChunkType: record.Implementations, Metadata: record.Metadata{StartLine: 1, EndLine: 5, ByteEnd: len(code)}}
	var terms []wording.Term
	for word, rarity := range map[string]float32{"message": 1, "send": 2, "expired": 6, "wait": 3} {
		terms = append(terms, wording.Term{Word: word, Weight: 1, Rarity: rarity, Forms: []wording.Form{{Text: word}}})
	}
	text := newTextLines(c)
	matched, needles := text.matches(QuestionNeedles(terms))
	worth := map[string]float32{}
	for _, l := range tellingLines(c, text, matched, needles, &Finder{})[1:] {
		worth[l.Text] = l.Worth
	}
	if worth["wait until expired"] != 3 || worth["send expired message"] < .99*repeatedShare*3 || worth["return message"] >= worth["wait"] || worth["wait"] >= worth["send expired message"] {
		t.Errorf("worth of lines: %v", worth)
	}
}
