package terminal

import "testing"

func TestClean(t *testing.T) {
	for text, want := range map[string]string{
		"a\tb größer":                 "a\tb größer",
		"a\x1b[2Jb\n":                 "a\uFFFD[2Jb\uFFFD",
		"\u009bx\u202Eevil\u2066\x7f": "\uFFFDx\uFFFDevil\uFFFD\uFFFD",
		"\u061C\u200E":                "\uFFFD\uFFFD",
	} {
		if got := Clean(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
