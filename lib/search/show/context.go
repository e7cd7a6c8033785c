package show

import (
	"strings"

	"cortex/lib/search/answer"
	"cortex/lib/search/corpus"
)

// AddContext adds the surrounding lines to a hit. chunk is the chunk that the hit shows, or one of them. definitions
// are those of the request.
//
// If the hit is not one piece of its file, such as a chunk of several types or merged sections, the context is that of
// its anchor line.
func AddContext(x *corpus.Corpus, h *answer.Hit, chunk int, around answer.Around, definitions *Definitions) error {
	if around == (answer.Around{}) {
		return nil
	}
	if around.Read {
		return addExcerpts(x, h, chunk, around, definitions)
	}
	m, anchor := &h.Chunk.Metadata, anchorOf(h)
	if anchor <= 0 {
		return nil
	}
	first, last := m.StartLine, m.EndLine
	if h.Parts != nil || !corpus.IsVerbatim(h.Chunk.ChunkType) {
		first, last = anchor, anchor
	}
	file := x.Generation.File(chunk)
	from, to := max(first-around.Before, 1), last+around.After
	if around.Full {
		var err error
		if from, to, err = definitions.whole(h, chunk, first, last); err != nil {
			return err
		}
	}
	to = min(to, x.Generation.LastLine(file))
	if to-from >= answer.MaxContext {
		from = min(max(anchor-answer.MaxContext/2, from), to-answer.MaxContext+1)
		to = from + answer.MaxContext - 1
	}
	lines, err := FileLines(x, file, from, to, answer.LineWidth)
	if err != nil {
		return err
	}
	from, lines = trimBlank(from, lines)
	if to = from + len(lines) - 1; len(lines) == 0 || h.Parts == nil && corpus.IsVerbatim(h.Chunk.ChunkType) && m.StartLine <= from && to <= m.EndLine {
		return nil
	}
	h.Context = &answer.Excerpt{StartLine: from, EndLine: to, Text: strings.Join(lines, "\n")}
	return nil
}
