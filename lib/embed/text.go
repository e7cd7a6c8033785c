package embed

import (
	"strings"

	"cortex/lib/record"
	"cortex/lib/shorten"
)

// maxText is the number of bytes of a chunk that are embedded at most. Chunks are far smaller with the default
// settings.
const maxText = 32 << 10

// Text returns the text of a chunk to be embedded: one line that says what and where the chunk is, then the chunk's
// text. It depends on the chunk's title, text and metadata alone.
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

// tail returns the file's name with its folder. The folders above are the same for most files of a repository.
func tail(path string) string {
	slash := strings.LastIndexByte(path, '/')
	if slash < 0 {
		return path
	}
	return path[strings.LastIndexByte(path[:slash], '/')+1:]
}
