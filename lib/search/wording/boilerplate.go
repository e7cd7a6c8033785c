package wording

import (
	"iter"
	"strings"
)

// WithoutBoilerplate removes from a text what its form added rather than its author: comments of templates (<!-- ...
// -->), checkboxes, headings of templates, version lines, and trailers of commits. It never takes the first line for a
// heading or a version. A text that would become empty is returned unchanged.
func WithoutBoilerplate(text string) string {
	if !strings.Contains(text, "\n") {
		return text
	}
	var b strings.Builder
	first := true
	for line := range strings.Lines(withoutComments(text)) {
		if trimmed := strings.TrimSpace(line); !isBoilerplate(trimmed) && (first || !isStock(trimmed)) {
			b.WriteString(line)
			first = first && trimmed == ""
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

// isStock reports whether a line occurs in the templates of many projects: a heading alone, or a version. A single word
// without markup is not enough, since it may be the end of a sentence.
func isStock(line string) bool {
	unmarked := strings.TrimLeft(line, "-*#_ \t")
	name, value, colon := strings.Cut(unmarked, ":")
	if marked := colon || unmarked != line; !marked && !strings.Contains(name, " ") {
		return false
	}
	name, value = strings.ToLower(strings.Trim(name, "*_?!. \t")), strings.Trim(value, "*_ \t")
	return len(value) <= longestVersion && stockKeys[name] || value == "" && stockHeadings[name]
}

// longestVersion is the greatest length in bytes of a version after its colon: longer text is a sentence.
const longestVersion = 40

// stockHeadings are headings in templates for issues and changes. stockKeys are such headings as well, or labels of a
// version.
var (
	stockHeadings = setOf("description", "describe the bug", "describe the issue", "bug description", "summary", "context", "background", "motivation", "problem",
		"problem description", "issue", "solution", "possible solution", "proposed solution", "suggested fix", "changes", "modifications", "result", "results",
		"steps to reproduce", "step to reproduce", "to reproduce", "reproduction", "reproduction steps", "how to reproduce", "how to reproduce it", "reproduce",
		"minimal example", "minimal reproducible example", "reproducible example", "code for reproduction", "code to reproduce", "code sample", "sample code", "example code",
		"expected", "expected behavior", "expected behaviour", "expected result", "expected results", "expected outcome", "expected output",
		"actual", "actual behavior", "actual behaviour", "actual result", "actual results", "actual outcome", "actual output", "current behavior", "current behaviour",
		"observed behavior", "observed behaviour", "what happened", "what happens", "what did you do", "what did you expect", "what did you expect to happen",
		"what did you see instead", "what you expected to happen", "what is the problem", "what is the current behavior", "what is the expected behavior",
		"screenshots", "additional context", "additional information", "additional details", "additional notes", "more information", "further information", "notes",
		"logs", "log", "log output", "relevant log output", "error", "error message", "stack trace", "stacktrace", "traceback", "output",
		"environment", "your environment", "environment information", "system", "system information", "system info", "system details", "versions", "version information",
		"checklist", "related issue", "related issues", "related issue number", "test plan", "testing", "tests", "how was this tested",
		"user-facing changes", "what do these changes do", "are there changes in behavior for the user", "release notes")
	stockKeys = setOf("os", "operating system", "platform", "browser", "device", "architecture", "version", "python", "python version", "node", "node version", "npm version",
		"go version", "java version", "jdk version", "ruby version", "php version", "rust version", "os version", "browser version", "installation method", "pull request resolved")
)

func setOf(words ...string) map[string]bool {
	set := make(map[string]bool, len(words))
	for _, w := range words {
		set[w] = true
	}
	return set
}

// isBoilerplate reports whether a line is a checkbox or a trailer of a commit.
func isBoilerplate(line string) bool {
	for _, start := range []string{"- [ ]", "- [x]", "- [X]", "* [ ]", "* [x]", "* [X]"} {
		if strings.HasPrefix(line, start) {
			return true
		}
	}
	name, _, ok := strings.Cut(line, ": ")
	return ok && (strings.HasSuffix(name, "-by") || strings.HasSuffix(name, "-By")) && !strings.Contains(name, " ")
}

// QuotedLines iterates over the lines of a text. quoted is set for code, output and quotations: lines in a Markdown
// fence, indented lines, and lines after ">".
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
