package embed

import (
	"strings"

	"cortex/lib/record"
	"cortex/lib/shorten"
)

// maxText is the most of a chunk that is embedded, in bytes. Chunks are far smaller
// unless their size was set otherwise.
const maxText = 32 << 10

// Text is what of a chunk is embedded: one line that says what and where it is, then
// its text. It depends on the chunk's title, text and metadata alone.
func Text(c *record.Chunk) string {
	m := &c.Metadata
	body := shorten.Bytes(c.Text, maxText)
	var b strings.Builder
	b.Grow(len(c.Title) + len(m.SymbolName) + len(m.FilePath) + len(m.Breadcrumb) + len(body) + 8)
	writeLine(&b, c.Title)
	if !strings.Contains(c.Title, m.SymbolName) {
		writeLine(&b, m.SymbolName)
	}
	if path := tail(m.FilePath); !strings.Contains(c.Title, path) {
		writeLine(&b, path)
	}
	if m.Breadcrumb != c.Title && !strings.Contains(c.Text, m.Breadcrumb) {
		writeLine(&b, m.Breadcrumb)
	}
	b.WriteByte('\n')
	b.WriteString(body)
	return b.String()
}

// writeLine writes a part of the first line.
func writeLine(b *strings.Builder, s string) {
	if s == "" {
		return
	}
	if b.Len() > 0 {
		b.WriteByte(' ')
	}
	s = shorten.Bytes(s, maxText)
	for {
		before, after, found := strings.Cut(s, "\n")
		b.WriteString(before)
		if !found {
			return
		}
		b.WriteByte(' ')
		s = after
	}
}

// tail is the file's name and its folder: all files of a repository share the rest.
func tail(path string) string {
	slash := strings.LastIndexByte(path, '/')
	if slash < 0 {
		return path
	}
	return path[strings.LastIndexByte(path[:slash], '/')+1:]
}
