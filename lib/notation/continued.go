package notation

import (
	"strings"

	"cortex/lib/language"
	"cortex/lib/record"
)

const continued = ", continued"

// Continued returns the first line, without its line break, of a chunk of code that continues what the name or
// signature declares: "// f, continued".
func Continued(l language.Language, declaration string) string {
	return Comment(l, declaration+continued)
}

// ContinuedOutline returns the first line, without its line break, of a chunk that continues the outline of a file:
// "lib/a.go, continued".
func ContinuedOutline(path string) string { return path + continued }

// IsContinued reports whether the chunk begins with the line that Continued or ContinuedOutline writes for it. A line
// of the file does not count, whatever it says.
func IsContinued(c *record.Chunk) bool {
	if !strings.Contains(c.Text, continued) {
		return false
	}
	m := &c.Metadata
	switch c.ChunkType {
	case record.Symbols:
		return strings.HasPrefix(c.Text, ContinuedOutline(record.SplitTreePath(m.Tree, m.FilePath))+"\n")
	case record.Implementations:
		// What precedes the bytes of the file was written by the chunker.
		head := len(c.Text) - (m.ByteEnd - m.ByteStart)
		return 0 < head && head <= len(c.Text) && strings.HasPrefix(c.Text[:head], Continued(languageOf(m.Language), m.SymbolName)+"\n")
	case record.Definitions, record.Data:
		// The first line of such a chunk is never one of the file: it is this head, or names line numbers. The metadata
		// lack the signature in the head. A line break, which no signature has, stands for it here.
		line, _, _ := strings.Cut(c.Text, "\n")
		before, after, _ := strings.Cut(Continued(languageOf(m.Language), "\n"), "\n")
		return len(line) > len(before)+len(after) && strings.HasPrefix(line, before) && strings.HasSuffix(line, after)
	}
	return false
}
