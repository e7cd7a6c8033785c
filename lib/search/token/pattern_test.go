package token

import "testing"

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
