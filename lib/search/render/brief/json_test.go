package brief

import (
	"strings"
	"testing"

	"cortex/lib/search/answer"
)

// An answer without hits is left as it is, even if its question exceeds the budget.
func TestFitOfNothing(t *testing.T) {
	r := &answer.Response{Query: strings.Repeat("long ", 100)}
	Fit(r, 10, 2000, Arguments, func(*answer.Hit) int { return 1 })
	if len(r.Results) != 0 || r.Truncated || len(r.Query) > maxEcho+len("…") {
		t.Errorf("got %+v", r)
	}
}

func TestBeginning(t *testing.T) {
	for _, test := range []struct {
		text string
		size int
		want string
		cut  bool
	}{
		{"", 0, "", false},
		{"abc", 3, "abc", false},
		{"abc", 2, "ab", true},
		{"abc", 0, "", true},
		{"abc", -1, "", true},
		{"äöü", 5, "äö", true},
		{"日本", 5, "日", true},
		{"one\ntwo\nthree", 10, "one\ntwo\n", true},
		{"a\nlong line without an end", 10, "a\nlong lin", true},
		{"\xff\xfe\xfd", 2, "\xff\xfe", true},
		{"\x80\x80\x80\x80\x80\x80", 5, "\x80", true},
	} {
		if got, cut := beginning(test.text, test.size); got != test.want || cut != test.cut {
			t.Errorf("beginning(%q, %d) = %q, %v, want %q", test.text, test.size, got, cut, test.want)
		}
	}
}
