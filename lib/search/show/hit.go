// Package show turns chunks into hits. A chunk goes in with needles, which are what highlights mark (needle.go). A hit
// comes out with the symbols that were asked for (finder.go), highlights (highlight.go) and, for answers in text, its
// lines with what each tells (telling.go), of which some are dull (dull.go), and the declarations that it uses
// (uses.go). The lines around a hit come from the other chunks of its file (context.go, excerpts.go, filelines.go), and
// so does the definition that it is in (definitions.go). Packages render and brief write hits.
//
// Begin with hit.go; textlines.go says where the lines of a chunk are in its file.
package show

import (
	"slices"
	"strings"
	"sync"

	"cortex/lib/record"
	"cortex/lib/search/answer"
	"cortex/lib/search/corpus"
)

// PlaceOf returns a hit that has only the place of the chunk. It reads no text.
func PlaceOf(x *corpus.Corpus, s corpus.Scored, match answer.Match) answer.Hit {
	g := x.Generation
	start, end := g.Lines(s.Chunk)
	return answer.Hit{
		Chunk: answer.Chunk{ID: g.ID(s.Chunk), ChunkType: g.ChunkType(s.Chunk), Tags: []string{},
			Metadata: record.Metadata{FilePath: g.FilePath(s.Chunk), Tree: g.Tree(s.Chunk), StartLine: start, EndLine: end}},
		Score: corpus.Rounded(s.Score), Match: match, Detail: answer.DetailPlace, Highlights: []answer.Highlight{},
	}
}

// HitOf returns a hit that shows one chunk.
func HitOf(x *corpus.Corpus, s corpus.Scored, match answer.Match, needles []Needle, finder *Finder) (answer.Hit, error) {
	read := x.Generation.Record
	if finder.Lines {
		read = x.Generation.Chunk // answers in text do not show the package, which Record adds
	}
	c, err := read(s.Chunk)
	if err != nil {
		return answer.Hit{}, err
	}
	return HitOfChunk(x, c, s, match, needles, finder), nil
}

// HitOfChunk is HitOf for a chunk that has been read.
func HitOfChunk(x *corpus.Corpus, c *record.Chunk, s corpus.Scored, match answer.Match, needles []Needle, finder *Finder) answer.Hit {
	tags := c.Tags
	if tags == nil {
		tags = []string{}
	}
	h := answer.Hit{
		Chunk: answer.Chunk{ID: c.ID, ChunkType: c.ChunkType, Title: c.Title, Text: c.Text, Tags: tags, Metadata: c.Metadata},
		Score: corpus.Rounded(s.Score),
		Match: match,
	}
	h.Chunk.Metadata.Repeats = nil
	var asked []record.SymbolRef
	if len(c.Metadata.Symbols) > 0 {
		list, found := finder.find(c)
		h.Chunk.Metadata.Symbols = list
		if found {
			h.Symbol, asked = &list[0], list
		}
	}
	look := sync.OnceValue(func() matchedText { return lookAt(x, s.Chunk, c, needles, finder) })
	if asked == nil && !finder.Exact && !corpus.IsVerbatim(c.ChunkType) {
		t := look()
		h.Symbol = t.singled(t.matched, t.needles)
	}
	if finder.Lines {
		h.LinesBytes = lookBytes(c)
		h.Lines = func() []answer.TellingLine { return look().lines(asked, finder) }
		if !finder.Around {
			h.Highlights = []answer.Highlight{}
			return h
		}
	}
	t := look()
	h.Highlights = highlightsOf(t.textLines, t.matched, t.needles, h.Symbol)
	return h
}

// isHeading reports whether a symbol is a section; others of a document are its terms, such as the rows of a table.
func isHeading(s record.SymbolRef) bool { return s.Type == record.Heading }

// A matchedText is the text of a chunk with the occurrences of needles in it. matched refers to needles by index.
type matchedText struct {
	*textLines
	matched []occurrence
	needles []Needle
}

// lookAt finds the needles in a chunk, and the lines to which the question points.
func lookAt(x *corpus.Corpus, chunk int, c *record.Chunk, needles []Needle, finder *Finder) matchedText {
	text := newTextLines(c)
	if finder.Lines {
		text.values = valuesIn(x, chunk)
	}
	matched, needles := text.matches(needles)
	if lines := finder.Pointed[c.Metadata.FilePath]; len(lines) > 0 {
		matched, needles = text.withLines(matched, needles, lines)
	}
	return matchedText{text, slices.Clip(matched), needles}
}

// lines returns the telling lines. If exact search has asked for symbols among others of a list, such as the rows of a
// table, it marks the others as dull.
func (t matchedText) lines(asked []record.SymbolRef, finder *Finder) []answer.TellingLine {
	c := t.chunk
	lines := tellingLines(c, t.textLines, t.matched, t.needles, finder)
	isList := !corpus.IsVerbatim(c.ChunkType) || c.ChunkType == record.Documentation && !slices.ContainsFunc(asked, isHeading)
	if finder.Exact && asked != nil && isList {
		dropOthers(lines, t.numbersOf(t.matched), asked, c.Metadata.Symbols)
	}
	return lines
}

// lookBytes estimates the memory in bytes of the matchedText of a chunk and of the chunk itself, without its text.
func lookBytes(c *record.Chunk) int {
	const (
		eachLine   = 16 + 24 // two numbers of textLines and one occurrence
		eachSymbol = 40
		eachRepeat = 16
	)
	n := eachLine*(strings.Count(c.Text, "\n")+1) + eachRepeat*len(c.Metadata.Repeats)
	for i := range c.Metadata.Symbols {
		n += eachSymbol + len(c.Metadata.Symbols[i].Name)
	}
	return n
}

// Merged returns a hit for a chunk that stands for all parts. Its text is that of the parts in their order; its
// highlights are the maxHighlights with the longest matches.
func Merged(x *corpus.Corpus, s corpus.Scored, match answer.Match, parts []int, needles []Needle, finder *Finder) (answer.Hit, error) {
	h, err := HitOf(x, s, match, needles, finder)
	if err != nil || parts == nil {
		return h, err
	}
	m := &h.Chunk.Metadata
	var texts []string
	var pieces []answer.Highlight
	whole := h
	h.LinesBytes = 0
	var lines []func() []answer.TellingLine
	for i, chunk := range parts {
		part := whole
		if chunk != s.Chunk {
			if part, err = HitOf(x, corpus.Scored{Chunk: chunk}, match, needles, finder); err != nil {
				return answer.Hit{}, err
			}
		}
		own := &part.Chunk.Metadata
		if i == 0 {
			m.StartLine, m.EndLine, m.ByteStart, m.ByteEnd = own.StartLine, own.EndLine, own.ByteStart, own.ByteEnd
		}
		m.StartLine, m.EndLine = min(m.StartLine, own.StartLine), max(m.EndLine, own.EndLine)
		m.ByteStart, m.ByteEnd = min(m.ByteStart, own.ByteStart), max(m.ByteEnd, own.ByteEnd)
		h.Parts = append(h.Parts, answer.Part{ID: part.Chunk.ID, Title: part.Chunk.Title, StartLine: own.StartLine, EndLine: own.EndLine})
		if last := len(h.Ranges) - 1; last >= 0 && own.StartLine <= h.Ranges[last][1]+1 {
			h.Ranges[last][1] = max(h.Ranges[last][1], own.EndLine)
		} else {
			h.Ranges = append(h.Ranges, record.LineRange{own.StartLine, own.EndLine})
		}
		lines = append(lines, part.Lines)
		if finder.Lines {
			h.LinesBytes += part.LinesBytes + len(part.Chunk.Text) // the hit has another copy
		}
		texts = append(texts, strings.TrimRight(part.Chunk.Text, "\n"))
		pieces = append(pieces, part.Highlights...)
	}
	h.Chunk.Text = strings.Join(texts, "\n\n")
	if finder.Lines {
		h.Lines = func() []answer.TellingLine {
			lists := make([][]answer.TellingLine, len(lines))
			for i, own := range lines {
				lists[i] = own()
			}
			return slices.Concat(lists...)
		}
	}
	// Keep the pieces with the longest matches.
	slices.SortStableFunc(pieces, func(a, b answer.Highlight) int { return marked(b) - marked(a) })
	h.Highlights = append([]answer.Highlight{}, pieces[:min(len(pieces), maxHighlights)]...)
	slices.SortStableFunc(h.Highlights, func(a, b answer.Highlight) int { return a.Line - b.Line })
	return h, nil
}

// marked returns the number of matching bytes of a highlight.
func marked(h answer.Highlight) (n int) {
	for _, m := range h.Matches {
		n += m.Length
	}
	return n
}
