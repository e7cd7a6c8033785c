package token

import (
	"strings"
	"testing"
)

func TestPatterns(t *testing.T) {
	wild := func(text string) (at []int) {
		for i := range len(text) {
			if text[i] == '*' || text[i] == '?' {
				at = append(at, i)
			}
		}
		return at
	}
	tests := []struct {
		pattern, term string
		want          bool
	}{
		{"Prov*", "provider", true},
		{"Prov*", "improve", false},
		{"*mutex*", "rwmutexes", true},
		{"*mutex", "mutexes", false},
		{"te?t", "test", true},
		{"te?t", "tet", false},
		{"te?t", "teüt", true},
		{"a*b*c", "aXXbYYbc", true},
		{"a*b*c", "abcd", false},
		{"--fl*", "--flag", true},
		{"--fl*", "flag", false},
		{"@*", "@decorator", true},
		{"@*", "decorator", false},
		{"ÜB*", "übung", true},
		{"日*", "日", true},
	}
	for _, tt := range tests {
		list := Patterns(tt.pattern, wild(tt.pattern))
		if len(list) != 1 {
			t.Errorf("Patterns(%q) gives %d words", tt.pattern, len(list))
		} else if got := list[0].Match(tt.term); got != tt.want {
			t.Errorf("%q matches %q: got %v", tt.pattern, tt.term, got)
		}
	}
	list := Patterns("sync.RW*", []int{7})
	if len(list) != 2 {
		t.Fatalf("got %d words, want 2", len(list))
	}
	if word, ok := list[0].Literal(); !ok || word != "sync" {
		t.Errorf("got %q, %v; want the literal sync", word, ok)
	}
	if got := list[1].Prefix(); got != "rw" {
		t.Errorf("prefix %q, want rw", got)
	}
	if !Patterns("*?", []int{0, 1})[0].Anything() {
		t.Error("*? does not match anything")
	}
}

func TestPatternsAtTheEndOfAPath(t *testing.T) {
	for _, test := range []struct {
		pattern string
		yes, no string
	}{
		{"b?.go", "a/b1.go b2.go a/b/bx.go", "a/bb.gox a/ab.go bb.go/x"},
		{"b*/c", "b/c a/b/c a/bx/y/c", "a/xb/c b/cx"},
		{"*", "a a/b", ""},
		{"??", "a/bc", "a/b abc/d"},
	} {
		var wild []int
		for i, c := range test.pattern {
			if c == '*' || c == '?' {
				wild = append(wild, i)
			}
		}
		p := PatternOf(test.pattern, wild)
		for _, path := range strings.Fields(test.yes) {
			if !p.MatchEnd(path) {
				t.Errorf("%q does not match the end of %q", test.pattern, path)
			}
		}
		for _, path := range strings.Fields(test.no) {
			if p.MatchEnd(path) {
				t.Errorf("%q matches the end of %q", test.pattern, path)
			}
		}
	}
}
