package corpus

import (
	"strings"
	"testing"

	"cortex/lib/chunk"
	"cortex/lib/record"
)

// TestProseIsOutsideFences: a fence ends with a run of at least as many of its marks, and nothing else on the line
// (CommonMark 0.31, 4.5).
func TestProseIsOutsideFences(t *testing.T) {
	for _, test := range []struct{ name, language, text, want string }{
		{"no fence", "markdown", "a\n\nb\n", "a\n\nb\n"},
		{"fence", "markdown", "a\n```go\ncode\n```\nb\n", "a\nb\n"},
		{"tildes", "markdown", "a\n~~~\ncode\n~~~\nb\n", "a\nb\n"},
		{"longer fence", "markdown", "a\n````md\n```go\ncode\n```\ncode\n````\nb\n", "a\nb\n"},
		{"longer end", "markdown", "a\n```\ncode\n`````\nb\n", "a\nb\n"},
		{"other marks inside", "markdown", "a\n```\n~~~\ncode\n~~~\n```\nb\n", "a\nb\n"},
		{"no end with a language", "markdown", "a\n```\ncode\n```go\ncode\n```\nb\n", "a\nb\n"},
		{"code in a line", "markdown", "a\n``` b ``` c\nd\n", "a\n``` b ``` c\nd\n"},
		{"without end", "markdown", "a\n```\ncode\n", "a\n"},
		{"quote", "markdown", "> a\n> ```\n> code\n> ```\n> b\n", "> a\n> b\n"},
		{"list", "markdown", "1. ```\n   code\n   ```\n   b\n", "   b\n"},
		{"listing", "asciidoc", "a\n----\ncode\n----\nb\n", "a\nb\n"},
		{"block", "org", "a\n#+begin_src sh\ncode\n#+end_src\nb\n", "a\nb\n"},
		{"quote of Org", "org", "a\n#+BEGIN_QUOTE\nb\n#+END_QUOTE\nc\n", "a\n#+BEGIN_QUOTE\nb\n#+END_QUOTE\nc\n"},
		{"rule", "markdown", "a\n----\nb\n----\nc\n", "a\n----\nb\n----\nc\n"},
	} {
		const head = "> Notes\n\n"
		c := &record.Chunk{ChunkType: record.Documentation, Text: head + test.text, Metadata: record.Metadata{Language: test.language, ByteEnd: len(test.text)}}
		if got := proseIn(c); got != test.want {
			t.Errorf("%s: prose is %q, want %q", test.name, got, test.want)
		}
	}
}

// TestProseOfATornFence: a part of a section may begin inside a fence, whose opening stands in the head of the chunk.
func TestProseOfATornFence(t *testing.T) {
	text := "Before.\n\n```go\n" + strings.Repeat("code := 1\n", 200) + "```\n\nAfter.\n"
	f := &record.File{FilePath: "a.md", Language: "markdown", Status: record.StatusOK, Text: text}
	var prose strings.Builder
	chunks := chunk.File(f, "", chunk.DefaultOptions())
	for _, c := range chunks {
		prose.WriteString(proseIn(c))
	}
	if got := prose.String(); len(chunks) < 3 || strings.Contains(got, "code") || !strings.Contains(got, "Before.") || !strings.Contains(got, "After.") {
		t.Errorf("%d chunks with the prose %q", len(chunks), got)
	}
}

func proseIn(c *record.Chunk) string {
	var b strings.Builder
	for _, part := range ProseOf(c, OwnText(c)) {
		b.WriteString(c.Text[part.From:part.To])
	}
	return b.String()
}
