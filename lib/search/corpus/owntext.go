package corpus

import (
	"slices"
	"strings"

	"cortex/lib/language/fence"
	"cortex/lib/record"
	"cortex/lib/search/index"
)

// Intervals are byte ranges [from, to) of a text in ascending order.
type Intervals []index.Span

// Hold reports whether the byte is in one of the intervals. It must be called with ascending offsets, since it drops
// the intervals before the offset.
func (l *Intervals) Hold(offset int) bool {
	for len(*l) > 0 && (*l)[0].To <= offset {
		*l = (*l)[1:]
	}
	return len(*l) > 0 && (*l)[0].From <= offset
}

// OwnText returns the parts of the chunk's text that belong to it and to no other chunk of the file.
func OwnText(c *record.Chunk) Intervals {
	switch {
	case c.ChunkType == record.Symbols:
		return nil
	case IsVerbatim(c.ChunkType):
		return verbatim(c)
	case len(c.Metadata.Repeats) == 0:
		return Intervals{{From: 0, To: len(c.Text)}}
	}
	var own Intervals
	repeats := c.Metadata.Repeats
	line, at := 1, 0
	for at < len(c.Text) {
		end := at + strings.IndexByte(c.Text[at:], '\n') + 1
		if end == at {
			end = len(c.Text)
		}
		for len(repeats) > 0 && repeats[0][1] < line {
			repeats = repeats[1:]
		}
		if len(repeats) == 0 || line < repeats[0][0] {
			if n := len(own); n > 0 && own[n-1].To == at {
				own[n-1].To = end
			} else {
				own = append(own, index.Span{From: at, To: end})
			}
		}
		line, at = line+1, end
	}
	return own
}

// isDerived reports whether the chunk has a text but no line of its own that is not blank.
func isDerived(c *record.Chunk) bool {
	return c.Text != "" && !slices.ContainsFunc(OwnText(c), func(part index.Span) bool { return strings.TrimSpace(c.Text[part.From:part.To]) != "" })
}

// verbatim returns the end of the text that is a verbatim piece of the file, or all of the text if the metadata have no
// valid size. A section of a document may have a text without a piece of the file; then its metadata name a single
// line.
func verbatim(c *record.Chunk) Intervals {
	m := &c.Metadata
	size := m.ByteEnd - m.ByteStart
	if size < 0 || size > len(c.Text) || size == 0 && (c.ChunkType != record.Documentation || m.StartLine == 0 || m.EndLine > m.StartLine) {
		size = len(c.Text)
	}
	return Intervals{{From: len(c.Text) - size, To: len(c.Text)}}
}

// ProseOf returns the part of a document's own text that is outside fenced code.
func ProseOf(c *record.Chunk, own Intervals) Intervals {
	var prose Intervals
	var code fence.Fence
	inCode := false
	above := ""
	open := func(line string) bool {
		f, ok := fence.Open(line, above, c.Metadata.Language)
		if inCode = ok && f.IsCode(); inCode {
			code = f
		}
		return inCode
	}
	if len(own) > 0 && own[0].From > 0 {
		// If the text begins inside a fence, the head of the chunk ends with the line that opens it.
		head := strings.TrimSuffix(c.Text[:own[0].From], "\n")
		open(head[strings.LastIndexByte(head, '\n')+1:])
	}
	for _, part := range own {
		at := part.From
		for line := range strings.Lines(c.Text[part.From:part.To]) {
			end := at + len(line)
			switch {
			case inCode:
				inCode = !code.Closes(line)
			case open(line):
			case len(prose) > 0 && prose[len(prose)-1].To == at:
				prose[len(prose)-1].To = end
			default:
				prose = append(prose, index.Span{From: at, To: end})
			}
			at, above = end, line
		}
	}
	return prose
}
