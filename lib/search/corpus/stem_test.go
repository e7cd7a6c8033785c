package corpus

import (
	"slices"
	"strings"
	"testing"
)

// TestAnalyserVersions checks that different settings of the stemmer give different analyser versions.
func TestAnalyserVersions(t *testing.T) {
	var versions []string
	for _, name := range Stemmers() {
		s, err := NewStemmer(name)
		if err != nil {
			t.Fatal(err)
		}
		versions = append(versions, s.analyserVersion())
	}
	slices.Sort(versions)
	if len(slices.Compact(versions)) != len(Stemmers()) {
		t.Errorf("%q", versions)
	}
	byDefault, err := NewStemmer("")
	if err != nil || byDefault.language != DefaultStemmer {
		t.Errorf("%v, %v", byDefault, err)
	}
}

func TestStemsAreWords(t *testing.T) {
	for _, name := range Stemmers() {
		s, err := NewStemmer(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range []string{"", "ab", "running", "ünïcödé", "книга", "ουδες", "日本語", "x_y", "a1b", strings.Repeat("ing", 100)} {
			if stem, ok := s.StemOf(word); ok && (stem == "" || name == NoStemmer || !isPlainWord(word)) {
				t.Errorf("%s: stem of %q is %q", name, word, stem)
			}
		}
	}
}
