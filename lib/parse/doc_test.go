package parse

import (
	"testing"

	"cortex/lib/language"
)

func TestDocStandsAboveNoBreakSpaces(t *testing.T) {
	lang, _ := language.ByName("csharp")
	f := parseFile("a.cs", lang, []byte("    /// Counts.\n\u00a0\u00a0 public class Counter {}\n    /// Not here. é\n    int é; class Other {}\n"))
	if len(f.Symbols) < 2 {
		t.Fatalf("symbols %v", f.Symbols)
	}
	for _, s := range f.Symbols {
		want := map[string]string{"Counter": "Counts.", "é": "Not here. é"}[s.Name]
		if s.Doc != want {
			t.Errorf("%s has %q, want %q", s.Name, s.Doc, want)
		}
	}
}
