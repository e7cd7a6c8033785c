package main

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"cortex/lib/record"
)

func TestReadAsked(t *testing.T) {
	file := filepath.Join(t.TempDir(), "questions.txt")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("a/b\n\tlib/x.go\n\t\t7\tRead all\ttake it in\tget every line\n\t\t9\tClose\tshut it\nc/d\n\ty.py\n\t\t1\tf\tdo it\n")
	got, err := readAsked(file)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]written{
		"a/b": {{"lib/x.go", 7, "Read all", []string{"take it in", "get every line"}}, {"lib/x.go", 9, "Close", []string{"shut it"}}},
		"c/d": {{"y.py", 1, "f", []string{"do it"}}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	for _, text := range []string{"\t\t1\tf\tdo it\n", "a/b\n\t\t1\tf\tdo it\n", "a/b\n\tx\n\t\tf\tdo it\tnow\n", "a/b\n\tx\n\t\t1\tf\n"} {
		write(text)
		if _, err := readAsked(file); err == nil || !strings.Contains(err.Error(), "questions.txt:") {
			t.Errorf("%q: error %v", text, err)
		}
	}
}

// A question is answered by the chunk that has its line, a definition with its body rather than the type around it.
func TestSourceOf(t *testing.T) {
	list := []place{
		{"a.go", 1, 50, record.Symbols, "outline"},
		{"a.go", 3, 30, record.Definitions, "type T"},
		{"a.go", 10, 20, record.Implementations, "func Open"},
		{"a.go", 40, 45, record.Data, "var x"},
		{"b.go", 10, 20, record.Implementations, "func Other"},
	}
	got := sourceOf(list, []written{
		{"a.go", 10, "Open", []string{"look into it", "peek"}},
		{"a.go", 42, "x", []string{"what there is"}},
		{"a.go", 60, "Gone", []string{"is nowhere"}},
		{"c.go", 1, "None", []string{"no such file"}},
	})
	want := []pair{{"look into it", "func Open", draw("a.go", "func Open")}, {"peek", "func Open", draw("a.go", "func Open")}, {"what there is", "var x", draw("a.go", "var x")}}
	if !slices.Equal(got.pairs, want) {
		t.Errorf("pairs %v, want %v", got.pairs, want)
	}
	if want := []string{"func Other"}; !slices.Equal(got.others, want) {
		t.Errorf("others %q, want %q", got.others, want)
	}
}

func TestByQuestions(t *testing.T) {
	got := byQuestions([]written{{"a.go", 1, "Open", []string{"look into it", "peek", "open file"}}})
	if len(got.pairs) != 2 || got.pairs[1].Query != "peek" || got.pairs[0].Passage != "a.go: Open\nopen file" {
		t.Errorf("got %+v", got.pairs)
	}
}

func TestLexiconPairs(t *testing.T) {
	s := lexiconPairs()
	if len(s.pairs) < 10_000 || !s.lexicon || !strings.Contains(s.pairs[0].Passage, "\n") || s.pairs[0].Query == "" {
		t.Errorf("%d pairs, the first %+v", len(s.pairs), s.pairs[0])
	}
}
