package search

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"cortex/lib/hint"
	"cortex/lib/record"
)

// Bounds of an Excerpt: lines, and characters of each.
const (
	MaxContext      = 50
	maxContextWidth = 200
)

// Around asks for lines of the file around each hit; the zero value for none.
type Around struct {
	// Before and After are the numbers of lines before the hit and after it.
	Before, After int
	// Full asks for the innermost definition, or section of a document, that has all of the hit in it.
	Full bool
	// Read asks for the lines as a person reads them, in Hit.Excerpts instead of Hit.Context: those around each line that matches instead of
	// around the hit, or with Full the definition, also where it is the hit itself or longer than MaxContext.
	Read bool
	// Whole asks with Read for the hit itself, and for nothing around it.
	Whole bool
}

// fullContext is how Around.Full is written.
const fullContext = "full"

// ParseAround reads a number of lines, or "full"; "" asks for nothing.
func ParseAround(s string) (Around, error) {
	switch s = strings.TrimSpace(s); {
	case s == "":
		return Around{}, nil
	case strings.EqualFold(s, fullContext):
		return Around{Full: true}, nil
	}
	n, err := ParseLines(s)
	if err != nil {
		return Around{}, hint.Wrap(fmt.Errorf("context %q", s), fmt.Sprintf("give a number of lines from 0 to %d, or %s", MaxContext, fullContext))
	}
	return Around{Before: n, After: n}, nil
}

// ParseLines reads a number of lines for one side of a hit.
func ParseLines(s string) (int, error) {
	n, err := strconv.Atoi(strings.TrimSpace(s))
	if err != nil || n < 0 || n > MaxContext {
		return 0, hint.Wrap(fmt.Errorf("context %q", s), fmt.Sprintf("give a number of lines from 0 to %d", MaxContext))
	}
	return n, nil
}

// An Excerpt is a piece of a file as it was when it was indexed.
//
// It has at most MaxContext lines, of which each is cut after 200 characters; of a longer one those around the declaration that
// was asked for, or else the first highlight, are kept. It ends with the file, and there is none where it would show nothing but the hit itself would. Chunks hold
// every line of a file but blank ones and, in some languages, a line that only closes a type, which are empty here.
type Excerpt struct {
	StartLine int `json:"start_line"`
	EndLine   int `json:"end_line"`
	// Text are the lines with a line feed after each but the last.
	Text string `json:"text,omitempty"`
}

// addContext adds to a hit what is around it. chunk is the one that the hit shows, or one of them.
//
// Around a hit that is no piece of its file, such as types of which a chunk shows several, or sections that were
// merged, it is what is around that line.
func (x *Index) addContext(h *Hit, chunk int, around Around) error {
	if around == (Around{}) {
		return nil
	}
	if around.Read {
		return x.addExcerpts(h, chunk, around)
	}
	m, anchor := &h.Chunk.Metadata, h.anchor()
	if anchor <= 0 {
		return nil
	}
	first, last := m.StartLine, m.EndLine
	if h.Parts != nil || !isVerbatim(h.Chunk.ChunkType) {
		first, last = anchor, anchor
	}
	file := x.cat.File(chunk)
	from, to := max(first-around.Before, 1), last+around.After
	if around.Full {
		var err error
		if from, to, err = x.enclosing(file, first, last); err != nil {
			return err
		}
	}
	to = min(to, x.cat.LastLine(file))
	if to-from >= MaxContext {
		from = min(max(anchor-MaxContext/2, from), to-MaxContext+1)
		to = from + MaxContext - 1
	}
	lines, err := x.fileLines(file, from, to, maxContextWidth)
	if err != nil {
		return err
	}
	from, lines = trimBlank(from, lines)
	if to = from + len(lines) - 1; len(lines) == 0 || h.Parts == nil && isVerbatim(h.Chunk.ChunkType) && m.StartLine <= from && to <= m.EndLine {
		return nil
	}
	h.Context = &Excerpt{from, to, strings.Join(lines, "\n")}
	return nil
}

// isVerbatim reports whether chunks of the type end with a piece of their file.
func isVerbatim(t record.ChunkType) bool {
	return t == record.Implementations || t == record.Documentation
}

// enclosing finds the lines of the innermost definition or section that has the lines [first, last] in it; these themselves if there is
// none. The spans of types stand above them in chunks of definitions; those of functions and sections are those of all their parts.
func (x *Index) enclosing(file uint32, first, last int) (from, to int, err error) {
	from, to = first, last
	found := false
	consider := func(a, b int) {
		if 0 < a && a <= first && last <= b && (!found || b-a < to-from) {
			from, to, found = a, b, true
		}
	}
	parts := map[string][2]int{}
	for i := range x.cat.Chunks(file) {
		start, end := x.cat.Lines(i)
		switch t := x.cat.ChunkType(i); {
		case isVerbatim(t):
			id := withoutPart(x.cat.ID(i))
			if t == record.Implementations && !strings.Contains(id, "#") {
				continue // lines between definitions
			}
			if known, ok := parts[id]; ok {
				start, end = min(start, known[0]), max(end, known[1])
			}
			parts[id] = [2]int{start, end}
		case t == record.Definitions && start <= first && last <= end:
			c, err := x.cat.Chunk(i)
			if err != nil {
				return 0, 0, err
			}
			for line := range strings.Lines(c.Text) {
				if a, b, ok := linesComment(line); ok {
					consider(a, b)
				}
			}
		}
	}
	for _, span := range parts {
		consider(span[0], span[1])
	}
	return from, to, nil
}

// fileLines are the lines [from, to] of a file, from its chunks, each cut after width characters, 0 for none.
func (x *Index) fileLines(file uint32, from, to, width int) ([]string, error) {
	if to < from {
		return nil, nil
	}
	lines := make([]string, to-from+1)
	add := func(verbatim bool) error {
		for i := range x.cat.Chunks(file) {
			start, end := x.cat.Lines(i)
			t := x.cat.ChunkType(i)
			if start > to || end < from || isVerbatim(t) != verbatim || t == record.Symbols {
				continue
			}
			c, err := x.cat.Chunk(i)
			if err != nil {
				return err
			}
			text := newTextLines(c)
			for n, number := range text.number {
				if number < from || number > to || !verbatim && text.repeated(n) {
					continue
				}
				// A line may be cut in two by the end of a chunk.
				if line := text.line(n); len(line) > len(lines[number-from]) && (verbatim || lines[number-from] == "") {
					lines[number-from] = line
				}
			}
		}
		return nil
	}
	if err := errors.Join(add(true), add(false)); err != nil {
		return nil, err
	}
	for i, line := range lines {
		if width > 0 && utf8.RuneCountInString(line) > width {
			lines[i] = string([]rune(line)[:width]) + ellipsis
		}
	}
	return lines, nil
}
