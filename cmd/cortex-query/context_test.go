package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cortex/lib/search"
	"cortex/lib/search/answer"
)

const widgets = `"""Widgets."""
import os

LIMIT = 3


class Widget(object):
    """Shown on a page."""

    size = 0

    def __init__(self, path):
        self.path = path

    def render(self):
        """Render it."""
        for i in range(LIMIT):
            print(i, self.path)


def main():
    Widget("x").render()
`

// contextFiles has a class, a function of many parts, a long line, types and a document.
func contextFiles() map[string]string {
	var long strings.Builder
	long.WriteString("package long\n\n// Long has many statements.\nfunc Long() {\n")
	for i := range 150 {
		fmt.Fprintf(&long, "\tcall%d(\"%s\")\n", i, strings.Repeat("x", 50))
	}
	long.WriteString("}\n\nvar last = `" + strings.Repeat("wide ", 100) + "`\n")
	return map[string]string{
		"widgets.py": widgets,
		"long.go":    long.String(),
		"types.go":   "package long\n\n// T is small.\ntype T struct {\n\ta int\n\n\tb int\n}\n\ntype U struct{ c int }\n\nfunc (t *T) F() int {\n\treturn t.a\n}\n",
		"guide.md":   "# Guide\n\n" + strings.Repeat("## Part\n\n"+strings.Repeat("Some words about the part of a widget.\n", 12)+"\n", 4),
	}
}

func hits(t *testing.T, args ...string) []search.Hit {
	t.Helper()
	status, out, errs := query(args...)
	if status != 0 {
		t.Fatalf("%q: status %d, %s", args, status, errs)
	}
	var list []search.Hit
	for line := range strings.Lines(out) {
		var h search.Hit
		if err := json.Unmarshal([]byte(line), &h); err != nil {
			t.Fatal(err)
		}
		list = append(list, h)
	}
	return list
}

// TestContextIsTheFile compares every line of all contexts with the files themselves.
func TestContextIsTheFile(t *testing.T) {
	files := contextFiles()
	root := repositoryOf(t, files)
	// The answers come from the index, not from the changed files.
	for name := range files {
		if err := os.WriteFile(filepath.Join(root, name), []byte("changed\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	compared := 0
	for _, context := range []string{"0", "1", "7", "50", "full"} {
		for _, h := range hits(t, "exact", "--root", root, "--limit", "0", "--context", context, "text:*") {
			c := h.Context
			if c == nil {
				continue
			}
			source := strings.Split(files[h.Chunk.Metadata.FilePath], "\n")
			lines := strings.Split(c.Text, "\n")
			if len(lines) != c.EndLine-c.StartLine+1 || len(lines) > answer.MaxContext || c.StartLine < 1 {
				t.Fatalf("%s: lines %d-%d are %d", h.Chunk.ID, c.StartLine, c.EndLine, len(lines))
			}
			for i, line := range lines {
				want := source[c.StartLine-1+i]
				if len(want) > 200 {
					want = want[:200] + "…"
				}
				compared++
				if line != strings.TrimRight(want, " ") {
					t.Errorf("%s, context %s: line %d is %q, want %q", h.Chunk.ID, context, c.StartLine+i, line, want)
				}
			}
		}
	}
	if compared < 500 {
		t.Errorf("only %d lines compared", compared)
	}
}

func TestContextSize(t *testing.T) {
	root := repositoryOf(t, contextFiles())
	lines := func(args ...string) string {
		t.Helper()
		h := hits(t, append(args, "--root", root, "--limit", "1")...)[0]
		if h.Context == nil {
			return fmt.Sprintf("%d-%d", h.Chunk.Metadata.StartLine, h.Chunk.Metadata.EndLine)
		}
		return fmt.Sprintf("%d-%d around %d-%d", h.Context.StartLine, h.Context.EndLine, h.Chunk.Metadata.StartLine, h.Chunk.Metadata.EndLine)
	}
	for _, tt := range []struct{ query, context, want string }{
		{"symbol:Widget.render", "2", "13-18 around 15-18"},
		{"symbol:Widget.render", "full", "15-18"}, // is all of it
		{"symbol:main", "50", "1-22 around 21-22"},
		{"symbol:Widget symbol_type:class", "full", "7-18 around 7-18"},
		{"symbol:T symbol_type:struct", "full", "3-8 around 3-8"},
		{"symbol:T symbol_type:struct", "1", "3-5 around 3-8"},
		{`"import os"`, "full", "1-2"},
		{"call140", "full", "106-155 around "},
	} {
		if got := lines("exact", "--context", tt.context, tt.query); !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s, context %s: %s, want %s", tt.query, tt.context, got, tt.want)
		}
	}
	for _, tt := range []struct {
		flags []string
		want  string
	}{
		{[]string{"-A", "3"}, "15-21 around 15-18"},
		{[]string{"-B", "3"}, "12-18 around 15-18"},
		{[]string{"-C", "3", "-B", "6"}, "10-21 around 15-18"}, // line 9 is blank
		{[]string{"--before-context", "0", "--context", "4"}, "15-22 around 15-18"},
		{[]string{"-A", "0"}, "15-18"},
	} {
		if got := lines(append([]string{"exact", "symbol:Widget.render"}, tt.flags...)...); got != tt.want {
			t.Errorf("%q: %s, want %s", tt.flags, got, tt.want)
		}
	}
	_, out, _ := query("exact", "--root", root, "--format", "pretty", "-C", "5", "symbol:Widget.render")
	if !strings.Contains(out, "     15      def render(self):\n     16          \"\"\"Render it.\"\"\"\n") {
		t.Errorf("terminal: %s", out)
	}
	for _, bad := range []string{"51", "-1", "all"} {
		if status, _, errs := query("exact", "--root", root, "--context", bad, "x"); status != 2 || !strings.Contains(errs, "expected a number of lines from 0 to 50, or full") {
			t.Errorf("--context %s: status %d, %s", bad, status, errs)
		}
	}
	for _, bad := range [][]string{{"-A", "51"}, {"-B", "-1"}, {"-A", "full"}} {
		if status, _, errs := query(append([]string{"exact", "--root", root, "x"}, bad...)...); status != 2 || !strings.Contains(errs, "-context \""+bad[1]+"\": expected a number of lines from 0 to 50") {
			t.Errorf("%q: status %d, %s", bad, status, errs)
		}
	}
	if status, _, errs := query("exact", "--root", root, "-C", "full", "-A", "3", "x"); status != 2 || !strings.Contains(errs, "--context: full excludes lines before or after\ncortex-query: hint: give one of them") {
		t.Errorf("full and more: status %d, %s", status, errs)
	}
	if status, _, errs := query("exact", "--root", root, "-B", "3", "--count", "x"); status != 2 || !strings.Contains(errs, "--context") {
		t.Errorf("-B with --count: status %d, %s", status, errs)
	}
	if status, _, errs := query("exact", "--root", root, "--context", "3", "--count", "x"); status != 2 || !strings.Contains(errs, "--context") {
		t.Errorf("--context with --count: status %d, %s", status, errs)
	}
}

// shown returns the line numbers that the readable form shows for the first hit, with -- between pieces.
func shown(t *testing.T, args ...string) string {
	t.Helper()
	status, out, errs := query(append(args, "--format", "pretty", "--limit", "1")...)
	if status != 0 {
		t.Fatalf("%q: status %d, %s", args, status, errs)
	}
	var list []string
	for _, line := range strings.Split(out, "\n") {
		if label, _, _ := strings.Cut(strings.TrimLeft(line, " "), " "); len(line) >= 7 && strings.HasPrefix(line, "  ") && strings.Trim(label, "-0123456789") == "" && label != "" {
			list = append(list, label)
		}
	}
	return strings.Join(list, " ")
}

// span lists the numbers from first to last.
func span(first, last int) string {
	var list []string
	for n := first; n <= last; n++ {
		list = append(list, fmt.Sprint(n))
	}
	return strings.Join(list, " ")
}

func TestContextForReaders(t *testing.T) {
	root := repositoryOf(t, contextFiles())
	for _, tt := range []struct {
		args []string
		want string
	}{
		// -C N shows N lines around every matching line, as grep does.
		{[]string{"-C", "1", "call20 OR call22 OR call23"}, span(24, 29)},
		{[]string{"-C", "1", "call5 OR call10 OR call15 OR call20 OR call25"}, "9 10 11 -- 14 15 16 -- 19 20 21 -- 24 25 26 -- 29 30 31"},
		{[]string{"-A", "2", "call10 OR call20"}, "15 16 17 -- 25 26 27"},
		{[]string{"-B", "2", "-A", "1", "call20"}, "23 24 25 26"},
		{[]string{"-C", "0", "call10 OR call20"}, "15 -- 25"},
		{[]string{"-C", "3", "symbol:LIMIT"}, span(1, 7)},
		{[]string{"-C", "50", "symbol:main"}, span(1, 22)},
		// full shows the whole definition, however long, even if the hit is that definition.
		{[]string{"-C", "full", "symbol:Widget.render"}, span(15, 18)},
		{[]string{"-C", "full", "symbol:main"}, span(21, 22)},
		{[]string{"-C", "full", "call140"}, span(3, 155)},
		{[]string{"-C", "full", "symbol:Long"}, span(3, 155)},
		{[]string{"-C", "full", "symbol:T symbol_type:struct"}, span(3, 8)},
		{[]string{"-C", "full", "symbol:Widget symbol_type:class"}, span(7, 18)},
		// --whole shows exactly the hit.
		{[]string{"--whole", "symbol:Widget.render"}, span(15, 18)},
		{[]string{"--whole", `"import os"`}, span(1, 2)},
	} {
		if got := shown(t, append([]string{"exact", "--root", root}, tt.args...)...); got != tt.want {
			t.Errorf("%q: lines %s, want %s", tt.args, got, tt.want)
		}
	}
	if got := shown(t, "search", "--root", root, "--mode", "keyword", "--whole", "render it"); got != span(15, 18) {
		t.Errorf("search --whole: %s", got)
	}
	if got := shown(t, "search", "--root", root, "--mode", "keyword", "-C", "1", "render it"); got != span(15, 17) {
		t.Errorf("search -C: %s", got)
	}
}

func TestWholeHits(t *testing.T) {
	root := repositoryOf(t, contextFiles())
	// Long lines are not cut, matches are marked, and --whole selects the readable form.
	_, out, _ := query("exact", "--root", root, "--whole", "--color", "always", "symbol:last")
	if !strings.Contains(out, strings.Repeat("wide ", 100)+"`\n") {
		t.Errorf("a long line is cut: %s", out)
	}
	_, out, _ = query("exact", "--root", root, "--whole", "render")
	if !strings.HasPrefix(out, "widgets.py:15") && !strings.Contains(out, "/widgets.py:15") || !strings.Contains(out, "     18              print(i, self.path)\n") {
		t.Errorf("in a pipe: %s", out)
	}
	// The outline of a file has no lines of its own.
	_, out, _ = query("exact", "--root", root, "--whole", "chunk_type:symbols widget")
	if !strings.Contains(out, "\n         widgets.py: ") || !strings.Contains(out, "Widget") {
		t.Errorf("outline: %s", out)
	}
	// JSON has whole hits anyway.
	_, with, _ := query("exact", "--root", root, "--whole", "--json", "symbol:Widget.render")
	_, without, _ := query("exact", "--root", root, "--json", "symbol:Widget.render")
	if with != without {
		t.Errorf("JSON: %s", with)
	}
	for _, bad := range [][]string{{"--whole", "-C", "3"}, {"--whole", "-A", "3"}, {"--whole", "--count"}, {"--whole", "--format", "grep"}} {
		if status, _, errs := query(append([]string{"exact", "--root", root, "x"}, bad...)...); status != 2 || !strings.Contains(errs, "--whole: ") {
			t.Errorf("%q: status %d, %s", bad, status, errs)
		}
	}
}

func TestMaxTokens(t *testing.T) {
	root := repositoryOf(t, contextFiles())
	for _, command := range [][]string{{"exact", "text:*"}, {"search", "parts of a widget on a page"}} {
		for _, format := range []string{"json", "pretty"} {
			base := append(slices.Clone(command), "--root", root, "--format", format, "--limit", "0", "--context", "5")
			_, all, _ := query(base...)
			for _, tokens := range []int{150, 400, 1000} {
				status, out, errs := query(append(base, "--max-tokens", fmt.Sprint(tokens))...)
				if status != 0 || len(out) > 4*tokens+100 || len(out) < tokens || len(out) >= len(all) {
					t.Errorf("%s as %s in %d tokens: status %d, %d bytes of %d; %s", command[0], format, tokens, status, len(out), len(all), errs)
				}
				if !strings.Contains(errs, "to stay within --max-tokens; raise it") {
					t.Errorf("%s as %s in %d tokens: %q does not tell what is left out", command[0], format, tokens, errs)
				}
			}
			if _, out, errs := query(append(base, "--max-tokens", "100000")...); !sameBut(out, all) || errs != "" {
				t.Errorf("%s as %s with room for all: %d bytes, not %d; %s", command[0], format, len(out), len(all), errs)
			}
		}
	}
	for _, bad := range [][]string{{"--max-tokens", "99"}, {"--max-tokens", "-1"}, {"--max-tokens", "500", "--count"}} {
		if status, _, errs := query(append([]string{"exact", "--root", root, "x"}, bad...)...); status != 2 || !strings.Contains(errs, "--max-tokens") {
			t.Errorf("%q: status %d, %s", bad, status, errs)
		}
	}
}

// sameBut compares two answers, ignoring the time that they took.
func sameBut(a, b string) bool {
	cut := func(s string) string { return s[:max(strings.LastIndex(s, ","), 0)] }
	return len(a) == len(b) || cut(a) == cut(b)
}
