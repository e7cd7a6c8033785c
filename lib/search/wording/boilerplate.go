package wording

import (
	"iter"
	"strings"
)

// WithoutBoilerplate is a text without what its form brought along rather than its author: comments of templates (<!-- ... -->), boxes to tick, and trailers of
// commits. A text of nothing else stays as it is.
func WithoutBoilerplate(text string) string {
	if !strings.Contains(text, "\n") {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(withoutComments(text)) {
		if !isBoilerplate(strings.TrimSpace(line)) {
			b.WriteString(line)
		}
	}
	if strings.TrimSpace(b.String()) == "" {
		return text
	}
	return b.String()
}

func withoutComments(text string) string {
	const begin, end = "<!--", "-->"
	var b strings.Builder
	for {
		before, after, found := strings.Cut(text, begin)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		if _, text, found = strings.Cut(after, end); !found {
			b.WriteString(begin + after)
			return b.String()
		}
	}
}

// isBoilerplate reports a box to tick, or a trailer of a commit.
func isBoilerplate(line string) bool {
	for _, start := range []string{"- [ ]", "- [x]", "- [X]", "* [ ]", "* [x]", "* [X]"} {
		if strings.HasPrefix(line, start) {
			return true
		}
	}
	name, _, ok := strings.Cut(line, ": ")
	return ok && (strings.HasSuffix(name, "-by") || strings.HasSuffix(name, "-By")) && !strings.Contains(name, " ")
}

// QuotedLines are the lines of a text, and whether each is code, output or another's words: in a fence of Markdown, indented, or behind ">".
func QuotedLines(text string) iter.Seq2[string, bool] {
	return func(yield func(line string, quoted bool) bool) {
		fenced := false
		for line := range strings.Lines(text) {
			start := strings.TrimLeft(line, " ")
			fence := strings.HasPrefix(start, "```") || strings.HasPrefix(start, "~~~")
			quoted := fenced || fence || len(line)-len(start) >= 4 || strings.HasPrefix(start, "\t") || strings.HasPrefix(start, ">")
			if fence {
				fenced = !fenced
			}
			if !yield(line, quoted) {
				return
			}
		}
	}
}
