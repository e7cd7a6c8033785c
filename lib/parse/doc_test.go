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

func TestDocLosesItsStarsIfOneLineHasNone(t *testing.T) {
	lang, _ := language.ByName("c")
	f := parseFile("a.c", lang, []byte("/** Counts\n *\n * all of\n   the things\n * and\n * returns.\n */\nint count(void) { return 1; }\n\n/* Lists\n   these:\n * one\n */\nint list(void) { return 2; }\n"))
	if len(f.Symbols) != 2 || f.Symbols[0].Doc != "Counts\n\nall of\nthe things\nand\nreturns." || f.Symbols[1].Doc != "Lists\n  these:\n* one" {
		t.Errorf("symbols %+v", f.Symbols)
	}
}

func TestDocStandsAboveMaskedLines(t *testing.T) {
	lang, _ := language.ByName("c")
	f := parseFile("a.c", lang, []byte("/* Adds. */\nA_INLINE\nint add(int a) { return a; }\n\n/* Else. */\n\nA_INLINE\nint next(void) { return 1; }\n"))
	if len(f.Symbols) != 2 || f.Symbols[0].Doc != "Adds." || f.Symbols[1].Doc != "" {
		t.Errorf("symbols are %+v", f.Symbols)
	}
}
