// Package document cuts the file record of a document into chunk records: a tree of sections (section.go), whose texts
// are divided between paragraphs, list items, tables and fenced blocks (split.go). Begin with Chunks.
package document

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"cortex/lib/chunk/label"
	"cortex/lib/chunk/lines"
	"cortex/lib/notation"
	"cortex/lib/record"
)

// Chunks cuts a document into a tree of chunks of at most size characters, apart from the heads that it adds.
//
// The root, doc-PATH, stands for the document. It has the title, the path, the names of its sections, and its front
// matter. A title heading is not a section but part of the root. Each section below the root has the chunk
// doc-PATH#slug/slug:
//
//   - A section of less than a quarter of size joins its parent, and so do its subsections.
//   - A section whose subsections have all joined it is a leaf. Its chunk has its text, in several parts if the text is
//     longer than size.
//   - Any other section is a parent. Its chunk has the names of its subsections. The heading, the text before the first
//     subsection and the subsections that joined are in a leaf below it, doc-PATH#slug/preamble. But if the text before
//     the first subsection is less than a quarter of size, it is in the parent's chunk.
//
// Each line is in one chunk. Headings without a text never make a chunk: they are added to the text that follows, or to
// the end of the last chunk.
//
// A part that begins inside a fenced block or a table repeats the line of the fence or the head of the table. Link
// definitions at the end of a section belong to the part before them, up to half of size.
//
// A document of less than 6/5 of size is one chunk, doc-PATH.
//
// A chunk lists what its lines declare, such as options.
//
// An identifier depends only on the headings around a section and on equal headings among its siblings, so that an
// insertion elsewhere adds identifiers and changes none.
func Chunks(f *record.File, tree string, size int) []*record.Chunk {
	d := newCutter(f, tree, size)
	first, last := d.src.Trim(0, d.src.Count())
	if d.src.Size(first, last) < size*6/5 {
		d.chunk(&d.sections[0], "", 1, "", part{span: d.src.Span(first, last)})
		return d.chunks
	}
	d.cut(0, 0)
	return d.chunks
}

// A cutter makes the chunks of one document.
type cutter struct {
	f     *record.File
	path  string // as in identifiers
	tree  string
	limit int // the greatest size of a chunk in characters
	src   *lines.File
	tags  []string
	title string

	sections []section        // in document order; the first is the document
	headings []bool           // whether a line is one of a heading
	names    []*record.Symbol // what the document declares, by line
	blocks   blockReader
	chunks   []*record.Chunk
}

func newCutter(f *record.File, tree string, size int) *cutter {
	d := &cutter{
		f: f, path: record.TreePath(tree, f.FilePath), tree: tree, limit: size, src: lines.New(f.Text),
		tags:  label.Tags(f, record.SourceDoc, record.Documentation),
		title: label.Line(f.Title, label.MaxTitle),
	}
	if d.title == "" {
		d.title = path.Base(f.FilePath)
	}
	d.blocks = blockReader{src: d.src, limit: size, markup: f.Language}
	d.sections = buildSections(d.src, f.Symbols, f.Title)
	d.sections[0].breadcrumb = d.title
	d.headings = make([]bool, d.src.Count())
	for i := range d.sections[1:] {
		for line := d.sections[i+1].first; line < d.sections[i+1].head; line++ {
			d.headings[line] = true
		}
	}
	for i := range f.Symbols {
		if f.Symbols[i].Kind != record.Heading {
			d.names = append(d.names, label.Bounded(&f.Symbols[i]))
		}
	}
	slices.SortStableFunc(d.names, func(a, b *record.Symbol) int { return cmp.Compare(a.StartLine, b.StartLine) })
	for i := range d.sections {
		for _, child := range d.sections[i].children {
			c := &d.sections[child]
			c.breadcrumb = d.sections[i].breadcrumb + record.Separator + c.name
		}
	}
	return d
}

// small is the size in characters below which a text has no chunk of its own.
func (d *cutter) small() int { return d.limit / 4 }

// joins reports whether a section is part of its parent's text.
func (d *cutter) joins(s *section) bool {
	first, last := d.src.Trim(s.first, s.last)
	return d.src.Size(first, last) < d.small()
}

// cut makes the chunks of a section and all sections below it. It recurses at most maxDepth deep. The section's lines
// begin at first, which may be a heading above it that has no text.
func (d *cutter) cut(index, first int) {
	s := &d.sections[index]
	own := []group{{first: first}}
	var children []int
	for _, child := range s.children {
		c, last := &d.sections[child], &own[len(own)-1]
		if d.joins(c) {
			last.joined = append(last.joined, c)
			continue
		}
		last.last = c.first
		own = append(own, group{first: c.last})
		children = append(children, child)
	}
	own[len(own)-1].last = s.last
	if len(children) == 0 && !s.isDocument() {
		d.parts(s, "", 0, own[0])
		return
	}
	own[0] = d.parent(s, own[0])
	number := 0
	for i, g := range own {
		alone := d.headingsAlone(g.first, g.last)
		switch {
		case alone && i == len(children):
			d.extend(g)
		case !alone:
			number = d.parts(s, preamble, number, g)
			g.first = g.last
		}
		if i < len(children) {
			below, _ := d.src.Trim(g.first, g.last+1)
			d.cut(children[i], below)
		}
	}
}

// parent makes the chunk of the document, or of a section that has sections below it. before is the text before the
// first of them. parent returns the part of before that the chunk does not show.
func (d *cutter) parent(s *section, before group) group {
	shown, rest := group{first: s.first, last: s.first}, before
	text := before.first
	if s.isDocument() {
		text = s.head
		shown.last, rest.first = s.head, s.head
	}
	first, last := d.src.Trim(text, before.last)
	size := d.src.Size(first, last)
	switch {
	case d.headingsAlone(first, last):
	case size < d.small(), s.isDocument() && size <= d.limit && !saysSomething(d.src, first, last):
		shown, rest = before, group{first: last, last: last}
	}
	head := ""
	if s.isDocument() {
		head = d.f.FilePath + "\n\n"
	}
	if list := d.outline(s, d.limit/2); list != "" {
		head += list + "\n\n"
	}
	parts := d.split(s, shown)
	if len(parts) == 0 {
		at := d.src.Start[s.first]
		parts = []part{{span: lines.Span{First: s.first, Last: s.first, From: at, To: at}}}
	}
	d.chunk(s, "", 1, head, parts[0])
	for i, p := range parts[1:] {
		d.chunk(s, "", i+2, "", p)
	}
	return rest
}

// headingsAlone reports whether a range of lines has only headings, and is small enough to be shown with another text.
func (d *cutter) headingsAlone(first, last int) bool {
	first, last = d.src.Trim(first, last)
	if first == last || d.src.Size(first, last) >= d.small() {
		return false
	}
	found := false
	for i := first; i < last; i++ {
		if d.headings[i] {
			found = true
		} else if saysSomething(d.src, i, i+1) {
			return false
		}
	}
	return found
}

// extend adds a group to the last chunk, which ends just before it.
func (d *cutter) extend(g group) {
	c := d.chunks[len(d.chunks)-1]
	_, last := d.src.Trim(g.first, g.last)
	to := d.src.Span(g.first, last).To
	c.Metadata.Symbols = append(c.Metadata.Symbols, d.declared(c.Metadata.EndLine, last)...)
	c.Text += d.src.Text[c.Metadata.ByteEnd:to]
	c.Metadata.EndLine, c.Metadata.ByteEnd = last, to
}

// outline lists the sections below s on one line of about limit bytes.
func (d *cutter) outline(s *section, limit int) string {
	var b strings.Builder
	for i, child := range s.children {
		name := d.sections[child].name
		if i > 0 && b.Len()+len(name) > limit {
			b.WriteString(" · …")
			break
		}
		if i > 0 {
			b.WriteString(" · ")
		}
		b.WriteString(name)
	}
	return b.String()
}

// split cuts a group of a section into parts. Short headings at the beginning do not count towards the size, since they
// cannot stand alone.
func (d *cutter) split(s *section, g group) []part {
	head := g.first
	if h := s.heading(); h != nil && g.first <= h.first && h.first < g.last && d.src.Size(g.first, h.head) <= d.small() {
		head = min(h.head, g.last)
	}
	return d.blocks.split(g, head)
}

// parts makes a chunk for each part of a group. number is the number of parts that the leaf already has; parts returns
// the new number.
func (d *cutter) parts(s *section, slug string, number int, g group) int {
	joined := g.joined
	for _, p := range d.split(s, g) {
		number++
		c := d.chunk(s, slug, number, "", p)
		for len(joined) > 0 && joined[0].first < p.span.First {
			joined = joined[1:]
		}
		if len(joined) > 0 && joined[0].first == p.span.First {
			c.Title = joinedTitle(d.chunkTitle(s), joined, p.span.Last)
		}
	}
	return number
}

// chunkTitle returns the breadcrumb of a section, without its middle if it is long.
func (d *cutter) chunkTitle(s *section) string {
	if s.isDocument() || len(s.breadcrumb) <= label.MaxTitle {
		return s.breadcrumb
	}
	return d.title + record.Separator + "…" + record.Separator + s.name
}

// joinedTitle returns the title of a chunk that consists of sections that have joined: title followed by the names of
// those that begin before line last.
func joinedTitle(title string, joined []*section, last int) string {
	title += record.Separator + joined[0].name
	for _, s := range joined[1:] {
		if s.first >= last {
			break
		}
		if len(title)+len(s.name) > label.MaxTitle {
			return title + ", …"
		}
		title += ", " + s.name
	}
	return title
}

// chunk appends part number of the section's own chunk, or with a slug, of a leaf below the section.
func (d *cutter) chunk(s *section, slug string, number int, head string, p part) *record.Chunk {
	docID := "doc-" + record.IDPath(d.path)
	id, parentID, depth, position := docID+s.path, "", s.depth, s.position
	if !s.isDocument() {
		parentID = docID + d.sections[s.parent].path
	}
	if slug == "" {
		slug = s.slug
	} else {
		parentID, depth, position = id, depth+1, 0
		id += s.separator() + slug
	}
	title := d.chunkTitle(s)
	if number > 1 {
		title += " (" + strconv.Itoa(number) + ")"
	}
	c := &record.Chunk{
		Type: record.TypeChunk, ID: notation.PartID(id, number), ChunkType: record.Documentation, Title: title,
		Text: joinText("> ", s.breadcrumb, "\n\n", head+p.opening, d.src.Slice(p.span)),
		Tags: d.tags,
		Metadata: record.Metadata{
			Source: record.SourceDoc, FilePath: d.path, Tree: d.tree, Language: d.f.Language,
			StartLine: p.span.First + 1, EndLine: max(p.span.Last, p.span.First+1),
			ByteStart: p.span.From, ByteEnd: p.span.To,
			DocID: docID, ParentID: parentID, Depth: depth, Position: position, Slug: slug,
			Breadcrumb: s.breadcrumb, SectionIndex: s.index, ChunkIndex: number,
			IsLargeParagraph: p.large, IsSplitParagraph: p.torn,
		},
	}
	if h := s.heading(); h != nil {
		c.Metadata.SymbolName = label.Of(h.sym)
		c.Metadata.SymbolType = record.Heading
		c.Metadata.SymbolSignature = label.Signature(h.sym)
	}
	c.Metadata.Symbols = d.declared(p.span.First, max(p.span.Last, p.span.First+1))
	d.chunks = append(d.chunks, c)
	return c
}

// declared lists the names that a range of lines declares: options in documents, functions in the cells of notebooks.
func (d *cutter) declared(first, last int) []record.SymbolRef {
	var list label.List
	from, _ := slices.BinarySearchFunc(d.names, first+1, func(s *record.Symbol, line int) int { return cmp.Compare(s.StartLine, line) })
	for _, s := range d.names[from:] {
		if s.StartLine > last {
			break
		}
		list.Add(s, s.StartLine, d.limit)
	}
	return list.Refs
}

// joinText joins the head and the body of a chunk. Without a body, the text has no newlines at its end.
func joinText(mark, breadcrumb, gap, head, body string) string {
	if body == "" {
		return strings.TrimRight(mark+breadcrumb+gap+head, "\n")
	}
	return mark + breadcrumb + gap + head + body
}
