package show

import (
	"slices"
	"strings"

	"cortex/lib/record"
	"cortex/lib/search/answer"
	"cortex/lib/search/corpus"
	"cortex/lib/shorten"
)

// MaxExcerpts bounds the lines that are shown of a hit. It exceeds any definition that a person would read, and bounds
// the memory if an index gives a wrong length for a file.
const MaxExcerpts = 10_000

// addExcerpts adds to a hit the lines that a person wants to see. chunk is the chunk that the hit shows, or one of
// them.
func addExcerpts(x *corpus.Corpus, h *answer.Hit, chunk int, around answer.Around, definitions *Definitions) error {
	if around.Whole || around.Full && h.Chunk.ChunkType == record.Symbols {
		return addWhole(x, h, chunk)
	}
	file := x.Generation.File(chunk)
	var ranges []record.LineRange
	if around.Full {
		first, last := anchorOf(h), anchorOf(h)
		switch m := &h.Chunk.Metadata; {
		case first <= 0:
			return nil
		case corpus.IsVerbatim(h.Chunk.ChunkType): // the parts of a hit too
			first, last = m.StartLine, m.EndLine
		}
		from, to, err := definitions.whole(h, chunk, first, last)
		if err != nil {
			return err
		}
		ranges = []record.LineRange{{from, to}}
	} else {
		for _, piece := range h.Highlights {
			if piece.Line > 0 {
				ranges = append(ranges, record.LineRange{max(piece.Line-around.Before, 1), piece.Line + strings.Count(piece.Text, "\n") + around.After})
			}
		}
	}
	return addRanges(x, h, file, ranges, answer.LineWidth)
}

// addWhole adds all lines of the hit at full width. A hit without lines of its own, such as an outline, gets its text
// without line numbers.
func addWhole(x *corpus.Corpus, h *answer.Hit, chunk int) error {
	file := x.Generation.File(chunk)
	if corpus.IsVerbatim(h.Chunk.ChunkType) {
		ranges := h.Ranges
		if ranges == nil {
			ranges = []record.LineRange{{h.Chunk.Metadata.StartLine, h.Chunk.Metadata.EndLine}}
		}
		return addRanges(x, h, file, ranges, 0)
	}
	c, err := x.Generation.Chunk(chunk)
	if err != nil {
		return err
	}
	text := newTextLines(c)
	if !text.real {
		h.Excerpts = []answer.Excerpt{{Text: strings.TrimRight(c.Text, "\n")}}
		return nil
	}
	// The chunk consists of pieces of the file, such as the signatures of functions.
	for n := 0; n < text.count(); {
		from, lines := text.number[n], []string{text.line(n)}
		for n++; n < text.count() && text.number[n] == from+len(lines); n++ {
			lines = append(lines, text.line(n))
		}
		if from, lines = trimBlank(from, lines); from > 0 && len(lines) > 0 {
			h.Excerpts = append(h.Excerpts, answer.Excerpt{StartLine: from, EndLine: from + len(lines) - 1, Text: strings.Join(lines, "\n")})
		}
	}
	return nil
}

// addRanges adds the lines of the ranges, each line once; ranges that touch become one excerpt. Lines are cut after
// width characters; 0 means no cut.
func addRanges(x *corpus.Corpus, h *answer.Hit, file uint32, ranges []record.LineRange, width int) error {
	slices.SortFunc(ranges, func(a, b record.LineRange) int { return a[0] - b[0] })
	var joined []record.LineRange
	end := x.Generation.LastLine(file)
	for _, r := range ranges {
		r[0], r[1] = max(r[0], 1), min(r[1], end)
		if last := len(joined) - 1; last >= 0 && r[0] <= joined[last][1]+1 {
			joined[last][1] = max(joined[last][1], r[1])
		} else {
			joined = append(joined, r)
		}
	}
	room := MaxExcerpts
	for _, r := range joined {
		if room == 0 {
			break
		}
		r[1] = min(r[1], r[0]+room-1)
		room -= max(r[1]-r[0]+1, 0)
		lines, err := FileLines(x, file, r[0], r[1], width)
		if err != nil {
			return err
		}
		if room == 0 {
			lines = append(lines, shorten.Ellipsis)
		}
		if from, lines := trimBlank(r[0], lines); len(lines) > 0 {
			h.Excerpts = append(h.Excerpts, answer.Excerpt{StartLine: from, EndLine: from + len(lines) - 1, Text: strings.Join(lines, "\n")})
		}
	}
	return nil
}
