package shorten

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestShorten(t *testing.T) {
	for _, c := range []struct {
		text                          string
		most                          int
		end, start, characters, bytes string
	}{
		{"", 3, "", "", "", ""},
		{"abc", 3, "abc", "abc", "abc", "abc"},
		{"abcd", 3, "ab…", "…cd", "abc", "abc"},
		{"éèà", 3, "éèà", "éèà", "éèà", "é"},
		{"éèàü", 3, "éè…", "…àü", "éèà", "é"},
		{"a bcd", 3, "a…", "…cd", "a b", "a b"},
		{"abc", 1, "…", "…", "a", "a"},
		{"日本", 1, "…", "…", "日", ""},
		{"\x80\x80\x80\x80\x80\x80", 5, "\x80\x80\x80\x80…", "…\x80\x80\x80\x80", "\x80\x80\x80\x80\x80", "\x80"},
		{"abc", 0, "…", "…", "", ""},
		{"abc", -1, "…", "…", "", ""},
	} {
		for name, got := range map[string][2]string{
			"End": {End(c.text, c.most), c.end}, "Start": {Start(c.text, c.most), c.start},
			"Characters": {Characters(c.text, c.most), c.characters}, "Bytes": {Bytes(c.text, c.most), c.bytes},
		} {
			if got[0] != got[1] {
				t.Errorf("%s(%q, %d) is %q, want %q", name, c.text, c.most, got[0], got[1])
			}
		}
	}
	for most, want := range map[int]string{-1: "…", 0: "…", 1: "…", 2: "…h", 5: "ab…gh", 7: "ab…efgh", 8: "abcdefgh"} {
		if got := Middle("abcdefgh", most); got != want {
			t.Errorf("Middle(%d) is %q, want %q", most, got, want)
		}
	}
}

func TestLine(t *testing.T) {
	for _, text := range []string{"", " ", "a", "a b c", " a b", "a b ", "a  b", "a\tb", "a\u00a0b", "é b", " a\tb\r\n\nc  d "} {
		if got, want := Line(text), strings.Join(strings.Fields(text), " "); got != want {
			t.Errorf("Line(%q) is %q, want %q", text, got, want)
		}
	}
}

func FuzzShorten(f *testing.F) {
	f.Add("a é 日 \xff\xfe b", 3)
	f.Fuzz(func(t *testing.T, text string, most int) {
		for name, short := range map[string]string{"End": End(text, most), "Start": Start(text, most), "Characters": Characters(text, most), "Bytes": Bytes(text, most), "Middle": Middle(text, most)} {
			if n := utf8.RuneCountInString(short); n > max(most, 1) {
				t.Errorf("%s: %d characters, want %d", name, n, most)
			}
			if utf8.ValidString(text) && !utf8.ValidString(short) {
				t.Errorf("%s cuts a character: %q", name, short)
			}
		}
		if line := Line(text); line != strings.Join(strings.Fields(text), " ") {
			t.Errorf("Line(%q) is %q", text, line)
		}
		if len(Bytes(text, most)) > max(most, 0) {
			t.Errorf("%d bytes", len(Bytes(text, most)))
		}
	})
}
