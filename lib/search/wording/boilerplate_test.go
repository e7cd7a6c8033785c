package wording

import (
	"slices"
	"strings"
	"testing"
)

func TestWithoutBoilerplate(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"a question", "where is <!-- parsed", "where is <!-- parsed"},
		{"headings of a template", "Summary\n\n### Describe the bug\nThe jitter is lost.\n**To Reproduce:**\nrun it\nExpected behavior:\nno jitter\nOutput: none\n- OS: Linux 6.1\nPython: it is lost where the loop is closed before\n### Python Version\n__Logs__\nIt is lost without an\nerror.\n", "Summary\n\nThe jitter is lost.\nrun it\nno jitter\nOutput: none\nPython: it is lost where the loop is closed before\nIt is lost without an\nerror.\n"},
		{"a comment over lines", "Fix the jitter\n<!-- Thank you\nfor this! -->\nIt was ignored.\n", "Fix the jitter\n\nIt was ignored.\n"},
		{"two comments in a line", "a <!-- x -->b<!-- y --> c\nd", "a b c\nd"},
		{"a comment without end", "a\n<!-- b\nc", "a\n<!-- b\nc"},
		{"boxes", "Crash at start\n- [x] I searched\n  * [ ] I read\n- [link] stays\n", "Crash at start\n- [link] stays\n"},
		{"trailers", "Fix a crash\n\nSigned-off-by: A <a@b.c>\nCo-Authored-By: D\nseen by: all\n", "Fix a crash\n\nseen by: all\n"},
		{"nothing else", "<!-- a -->\n- [x] b\n", "<!-- a -->\n- [x] b\n"},
		{"nothing", "", ""},
	} {
		if got := WithoutBoilerplate(c.text); got != c.want {
			t.Errorf("%s: %q, expected %q", c.name, got, c.want)
		}
	}
}

func TestQuotedLines(t *testing.T) {
	text := "It fails:\n\n    trace\n\ttrace\n> he said\n```go\nf()\n```\n  so be it\n~~~\nunclosed"
	var got []string
	for line, quoted := range QuotedLines(text) {
		if quoted {
			got = append(got, strings.TrimSpace(line))
		}
	}
	if want := []string{"trace", "trace", "> he said", "```go", "f()", "```", "~~~", "unclosed"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
