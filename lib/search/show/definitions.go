package show

import (
	"cmp"
	"slices"
	"strings"

	"cortex/lib/notation"
	"cortex/lib/record"
	"cortex/lib/search/answer"
	"cortex/lib/search/corpus"
)

// maxFiles bounds the files whose definitions are kept.
const maxFiles = 500

// Definitions knows the lines of the functions and sections of files. It is for one request, whose hits are often in
// the same files, and may not be used concurrently.
type Definitions struct {
	x *corpus.Corpus
	// byFile keeps the definitions of at most maxFiles files, outlines the declarations in their outlines.
	byFile   map[uint32][]record.LineRange
	outlines map[uint32][]outlined
}

// NewDefinitions returns the Definitions of the files in a corpus.
func NewDefinitions(x *corpus.Corpus) *Definitions {
	return &Definitions{x, map[uint32][]record.LineRange{}, map[uint32][]outlined{}}
}

// Around returns the lines of the innermost function or section that contains the chunk; ok is false if there is none.
func (d *Definitions) Around(chunk int) (lines record.LineRange, ok bool) {
	first, last := d.x.Generation.Lines(chunk)
	return innermost(d.of(d.x.Generation.File(chunk)), first, last)
}

// isBetween reports whether the chunk is of code outside of the functions of its file, which has some.
func (d *Definitions) isBetween(chunk int) bool {
	_, inside := d.Around(chunk)
	return !inside && d.x.Generation.ChunkType(chunk) == record.Implementations && len(d.of(d.x.Generation.File(chunk))) > 0
}

// of returns the lines of the functions and sections of a file.
func (d *Definitions) of(file uint32) []record.LineRange {
	list, ok := d.byFile[file]
	if !ok {
		if len(d.byFile) == maxFiles {
			clear(d.byFile)
		}
		list = wholes(spansOf(d.x, file))
		d.byFile[file] = list
	}
	return list
}

// whole returns the lines of the definition or section that contains the lines [first, last] of the hit. chunk is the
// chunk that the hit shows, or one of them. A value has its own lines and not those of the type around it, and lines
// between functions are a paragraph.
func (d *Definitions) whole(h *answer.Hit, chunk, first, last int) (from, to int, err error) {
	file := d.x.Generation.File(chunk)
	switch {
	case h.Chunk.ChunkType == record.Data && h.Symbol == nil:
		return h.Chunk.Metadata.StartLine, h.Chunk.Metadata.EndLine, nil
	case h.Symbol != nil && h.Symbol.Type.IsData() || d.isBetween(chunk):
		return paragraph(d.x, file, anchorOf(h), anchorOf(h))
	}
	return d.enclosing(file, first, last)
}

// enclosing returns the lines of the innermost definition or section that contains the lines [first, last], or these
// lines if there is none. The lines of types are read from the comments in chunks of definitions.
func (d *Definitions) enclosing(file uint32, first, last int) (from, to int, err error) {
	g := d.x.Generation
	all := slices.Clip(d.of(file))
	for i := range g.Chunks(file) {
		start, end := g.Lines(i)
		if g.ChunkType(i) != record.Definitions || first < start || end < last {
			continue
		}
		c, err := g.Chunk(i)
		if err != nil {
			return 0, 0, err
		}
		for line := range strings.Lines(c.Text) {
			if a, b, ok := notation.ReadLines(c.Metadata.Language, line); ok {
				all = append(all, record.LineRange{a, b})
			}
		}
	}
	from, to = first, last
	if r, ok := innermost(all, first, last); ok {
		from, to = r[0], r[1]
	}
	if first == last {
		return d.declaration(file, first, from, to)
	}
	return from, to, nil
}

// declaration returns the lines of the declaration that begins on the given line, with the comments above it, or else
// the lines [from, to], which contain the line: a piece of the file that begins with a comment on it and may hold
// several declarations, or only the first lines of a type that does not fit into one chunk.
func (d *Definitions) declaration(file uint32, line, from, to int) (int, int, error) {
	list, err := d.declared(file)
	if err != nil {
		return 0, 0, err
	}
	last, others := 0, false
	for _, o := range list {
		if o.lines[0] == line {
			last = max(last, o.lines[1])
		}
		others = others || from <= o.lines[0] && o.lines[0] < line
	}
	if last == 0 {
		return from, to, nil
	}
	if others {
		above, err := FileLines(d.x, file, from, line-1, answer.LineWidth)
		if err != nil {
			return 0, 0, err
		}
		for from = line; len(above) > 0 && isRemark(above[len(above)-1]); above = above[:len(above)-1] {
			from--
		}
	}
	return from, last, nil
}

// An outlined declaration is one that the outline of a file names.
type outlined struct {
	name  string
	lines record.LineRange
}

// declared returns the declarations in the outline of a file.
func (d *Definitions) declared(file uint32) (list []outlined, err error) {
	g := d.x.Generation
	list, ok := d.outlines[file]
	if ok {
		return list, nil
	}
	for i := range g.Chunks(file) {
		if g.ChunkType(i) != record.Symbols {
			continue
		}
		c, err := g.Chunk(i)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(c.Text) {
			if name, first, last, ok := notation.ReadOutlineLine(line); ok {
				list = append(list, outlined{name, record.LineRange{first, last}})
			}
		}
	}
	if len(d.outlines) == maxFiles {
		clear(d.outlines)
	}
	d.outlines[file] = list
	return list, nil
}

// Asked returns the line on which the type begins that a chunk of definitions shows: the type that finder looks for, or
// else the one that the chunk continues, with further set. The line is 0 if there is none.
func (d *Definitions) Asked(chunk int, finder *Finder) (line int, further bool, err error) {
	g := d.x.Generation
	c, err := g.Chunk(chunk)
	if err != nil {
		return 0, false, err
	}
	if list, found := finder.find(c); found {
		return list[0].Line, false, nil
	}
	if g.Traits(chunk)&corpus.TraitContinued == 0 {
		return 0, false, nil
	}
	declared, err := d.declared(g.File(chunk))
	if err != nil {
		return 0, false, err
	}
	for _, o := range declared {
		if m := &c.Metadata; o.name == m.SymbolName && o.lines[0] < m.StartLine && m.EndLine <= o.lines[1] {
			line = o.lines[0]
		}
	}
	return line, line > 0, nil
}

// innermost returns the shortest of the ranges that contain the lines [first, last]; ok is false if there is none.
func innermost(ranges []record.LineRange, first, last int) (best record.LineRange, ok bool) {
	for _, r := range ranges {
		if 0 < r[0] && r[0] <= first && last <= r[1] && (!ok || r[1]-r[0] < best[1]-best[0]) {
			best, ok = r, true
		}
	}
	return best, ok
}

// A span is the lines of a function or section, or of a part of one. All parts have the same id.
type span struct {
	id    string
	lines record.LineRange
}

// continues reports whether the span can continue a definition that has ended above it: as a further part, or as
// something inside it that precedes a further part.
func (s *span) continues(id string) bool { return s.id == id || corpus.IsWithin(s.id, id) }

// spansOf returns the spans of a file in the order of their first lines.
func spansOf(x *corpus.Corpus, file uint32) []span {
	var spans []span
	for i := range x.Generation.Chunks(file) {
		if t := x.Generation.ChunkType(i); corpus.IsVerbatim(t) {
			id := x.Generation.ID(i)
			switch {
			case t == record.Documentation:
				id = notation.WithoutParts(id)
			case !strings.Contains(id, "#"):
				continue // lines between definitions
			case x.Generation.Traits(i)&corpus.TraitContinued != 0:
				id = notation.WithoutPart(id) // else it is a declaration of its own, such as an overload
			}
			start, end := x.Generation.Lines(i)
			// In a hostile index, a chunk may end before it begins.
			spans = append(spans, span{id, record.LineRange{start, max(start, end)}})
		}
	}
	slices.SortStableFunc(spans, func(a, b span) int { return cmp.Compare(a.lines[0], b.lines[0]) })
	return spans
}

// wholes returns the lines of the definitions to which the spans belong, each with all of its parts and what is inside
// it between them. Parts with other code between them are declarations of one name, such as overloads.
//
// A file may have any number of spans with the same lines, so no span is compared with all definitions above it. byEnd
// tells which of them have ended. Of these, the ones that the span may continue are a stack: the id of each begins with
// that of the one before.
func wholes(spans []span) []record.LineRange {
	type definition struct {
		span
		ended bool // above the span that is looked at
	}
	var (
		all    []definition              // in the order of their first lines
		open   = map[string]int{}        // the definitions that may have further parts, by id
		of     = make([]int, len(spans)) // the definition of each span
		paused []int                     // the open definitions that have ended, each inside the one before
		closed []int
		list   []record.LineRange
	)
	byEnd := make([]int, len(spans))
	for i := range byEnd {
		byEnd[i] = i
	}
	slices.SortFunc(byEnd, func(a, b int) int { return cmp.Compare(spans[a].lines[1], spans[b].lines[1]) })
	for i := range spans {
		s := &spans[i]
		closed = closed[:0]
		for last := len(paused) - 1; last >= 0 && !s.continues(all[paused[last]].id); last-- {
			closed, paused = append(closed, paused[last]), paused[:last]
		}
		for ; len(byEnd) > 0 && spans[byEnd[0]].lines[1] < s.lines[0]; byEnd = byEnd[1:] {
			n := of[byEnd[0]]
			d := &all[n]
			if d.ended || d.lines[1] >= s.lines[0] {
				continue
			}
			d.ended = true
			if !s.continues(d.id) {
				closed = append(closed, n)
				continue
			}
			at, _ := slices.BinarySearchFunc(paused, len(d.id), func(n, length int) int { return len(all[n].id) - length })
			paused = slices.Insert(paused, at, n)
		}
		slices.Sort(closed)
		for _, n := range closed {
			delete(open, all[n].id)
			list = append(list, all[n].lines)
		}
		n, ok := open[s.id]
		if !ok {
			n = len(all)
			all = append(all, definition{span: *s})
			open[s.id] = n
		} else {
			d := &all[n]
			d.lines[1] = max(d.lines[1], s.lines[1])
			if d.ended { // the last that is paused, since no id is longer
				d.ended, paused = false, paused[:len(paused)-1]
			}
		}
		of[i] = n
	}
	for n := range all {
		if at, ok := open[all[n].id]; ok && at == n {
			list = append(list, all[n].lines)
		}
	}
	return list
}
