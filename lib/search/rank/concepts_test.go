package rank

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"cortex/lib/search/concept"
	"cortex/lib/search/wording"
)

// TestLexiconIsCompiled compares the table in the binary with the text that it comes from.
func TestLexiconIsCompiled(t *testing.T) {
	const file = "../concept/lexicon.bin"
	// The words of the lexicon are compared as those of questions are.
	want, err := concept.Compile(concept.Text(), concept.Analysis{Stem: wording.Stem, Ignore: wording.IsFunctionWord})
	if err != nil {
		t.Fatalf("concept/lexicon.txt: %v", err)
	}
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(file, want, 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not made of lexicon.txt; UPDATE_GOLDEN=1 go test ./lib/search/rank -run TestLexicon writes it", file)
	}
	l, err := concept.Open(string(want))
	if err != nil {
		t.Fatal(err)
	}
	if l.Groups() < 8000 {
		t.Errorf("%d groups", l.Groups())
	}
	words := l.Words([]string{wording.Stem("visitor"), wording.Stem("elsewhere"), wording.Stem("send")})
	if !slices.ContainsFunc(words, func(w concept.Word) bool { return w.Text == "redirect" }) {
		t.Errorf("send a visitor elsewhere: %v", words)
	}
}

// TestLexiconIsSpecific holds that no word stands for everything and no phrase says the same twice.
func TestLexiconIsSpecific(t *testing.T) {
	const most = 120
	groups := map[string]int{}
	for line := range strings.Lines(concept.Text()) {
		said, words, ok := strings.Cut(strings.TrimSpace(line), " = ")
		if !ok {
			continue
		}
		seen := map[string]bool{}
		for phrase := range strings.SplitSeq(said, ", ") {
			if seen[phrase] {
				t.Errorf("%q stands twice: %s", phrase, line)
			}
			seen[phrase] = true
		}
		for w := range strings.FieldsSeq(words) {
			if groups[w]++; groups[w] == most {
				t.Errorf("%d groups have %q", most, w)
			}
		}
	}
}
