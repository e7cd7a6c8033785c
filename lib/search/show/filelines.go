package show

import (
	"errors"
	"slices"
	"strings"

	"cortex/lib/record"
	"cortex/lib/search/answer"
	"cortex/lib/search/corpus"
	"cortex/lib/shorten"
)

// maxParagraph bounds the lines of a paragraph before and after the lines that are asked for.
const maxParagraph = 12

// paragraph returns the lines before and after the lines [first, last] up to a blank one.
func paragraph(x *corpus.Corpus, file uint32, first, last int) (from, to int, err error) {
	from, to = max(first-maxParagraph, 1), last+maxParagraph
	lines, err := FileLines(x, file, from, to, answer.LineWidth)
	if err != nil || first < from || last-from >= len(lines) {
		return first, last, err
	}
	isBlank := func(n int) bool { return strings.TrimSpace(lines[n-from]) == "" }
	a, b := first, last
	for a > from && !isBlank(a-1) {
		a--
	}
	for b < to && !isBlank(b+1) {
		b++
	}
	return a, b, nil
}

// FileLines returns the lines [from, to] of a file, read from its chunks, each cut after width characters; 0 means no
// cut.
func FileLines(x *corpus.Corpus, file uint32, from, to, width int) ([]string, error) {
	if to < from {
		return nil, nil
	}
	lines := make([]string, to-from+1)
	known := make([]bool, len(lines)) // lines that are in a verbatim chunk
	add := func(verbatim bool) error {
		for i := range x.Generation.Chunks(file) {
			start, end := x.Generation.Lines(i)
			t := x.Generation.ChunkType(i)
			if start > to || end < from || corpus.IsVerbatim(t) != verbatim || t == record.Symbols {
				continue
			}
			if !verbatim && !slices.Contains(known[max(start, from)-from:min(end, to)-from+1], false) {
				continue
			}
			c, err := x.Generation.Chunk(i)
			if err != nil {
				return err
			}
			text := newTextLines(c)
			for n, number := range text.number {
				if number < from || number > to || !verbatim && text.repeated(n) {
					continue
				}
				known[number-from] = known[number-from] || verbatim
				// The end of a chunk may cut a line in two.
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
		if width > 0 {
			lines[i] = shorten.End(line, width+1)
		}
	}
	return lines, nil
}

// trimBlank removes blank lines at both ends. from is the number of the first line, start that of the first kept line.
func trimBlank(from int, lines []string) (start int, kept []string) {
	for len(lines) > 0 && strings.TrimSpace(lines[0]) == "" {
		lines, from = lines[1:], from+1
	}
	for len(lines) > 0 && strings.TrimSpace(lines[len(lines)-1]) == "" {
		lines = lines[:len(lines)-1]
	}
	return from, lines
}

// anchorOf returns the line that stands for the hit: the declaration that was asked for, else the first match, else the
// first line; 0 if the hit has no lines.
func anchorOf(h *answer.Hit) int {
	if h.Symbol != nil {
		return h.Symbol.Line
	}
	if i := slices.IndexFunc(h.Highlights, func(piece answer.Highlight) bool { return piece.Line > 0 }); i >= 0 {
		return h.Highlights[i].Line
	}
	return h.Chunk.Metadata.StartLine
}
