package chunk

import (
	"strings"
	"unicode/utf8"

	"cortex/lib/chunk/label"
	"cortex/lib/chunk/lines"
	"cortex/lib/notation"
	"cortex/lib/record"
)

// A packer packs pieces into the chunks of one tier, in order.
type packer struct {
	c    *cutter
	tier record.ChunkType

	text  strings.Builder
	size  int // of text, in characters
	line  int // at the end of text, from 0
	shows showing
	parts int
	at    lines.Span
	names []string
	refs  label.List
	// owner is the outermost declaration of all pieces so far, -1 if there are several.
	owner int
	test  bool
	// name is that of the first declaration of a chunk that begin began. It stands in the identifier, so that the chunk
	// keeps this when other declarations come before it.
	name string
	// gather is the size in characters up to which declarations that begin is called for share a chunk.
	gather int
}

const (
	// valueSize is the size in characters up to which values of code that follow each other are one chunk.
	valueSize = 200
	// many is the number of types or values in a file from which on more of them are one chunk: twice as many for twice
	// the number. It bounds the chunks of files that are tables of constants or of types.
	many = 256
)

// sizeFor returns the size up to which declarations share a chunk in a file with count of them. It is 0 for few.
func (c *cutter) sizeFor(count int) int { return min(valueSize*(count/many), c.opts.CodeSize) }

// begin begins a chunk named after a declaration of a size in characters, unless the current chunk has room for it.
func (p *packer) begin(name string, size int) {
	if p.name == "" || p.size == 0 || p.size+size > p.gather {
		p.flush()
		p.name = name
	}
}

// add appends a piece, distributed over several chunks if it is too large for one.
func (p *packer) add(q piece) {
	if q.text != "" {
		p.put(q)
		return
	}
	src := p.c.src
	p.c.cover(q.at.First, q.at.Last)
	limit := p.c.opts.CodeSize
	if src.Size(q.at.First, q.at.Last) <= limit {
		q.text = src.Slice(q.at)
		p.put(q)
		return
	}
	for i, at := range src.split(q.at.First, q.at.Last, limit) {
		next := q
		next.at, next.text, next.closing = at, src.Slice(at), false
		next.shown = [2]int{at.First, at.Last}
		if i > 0 && q.node > 0 {
			next.within, next.names = q.node, nil
		}
		p.put(next)
	}
}

// put appends a piece that fits into one chunk.
func (p *packer) put(q piece) {
	size := utf8.RuneCountInString(q.text)
	if p.size > 0 && p.size+size > p.c.opts.CodeSize && !q.closing {
		p.flush()
	}
	fresh := p.size == 0
	at := p.line
	switch {
	case fresh && q.within > 0:
		p.write(notation.Continued(p.c.lang, p.c.signatureLine(q.within)) + "\n")
	case !fresh && q.closing:
		p.write("\n")
		at++
	case !fresh:
		p.write("\n\n")
		at++
	}
	if !q.closing {
		indent := q.text[:len(q.text)-len(strings.TrimLeft(q.text, " \t"))]
		p.write(indent + p.c.linesComment(q.at.First, q.at.Last) + "\n")
	}
	p.shows.note(at, p.line, q)
	p.write(q.text)
	if fresh {
		p.at, p.owner, p.test = q.at, p.ownerOf(q), q.test
	} else {
		p.at.First, p.at.From = min(p.at.First, q.at.First), min(p.at.From, q.at.From)
		p.at.Last, p.at.To = max(p.at.Last, q.at.Last), max(p.at.To, q.at.To)
		p.test = p.test && q.test
		if p.owner != p.ownerOf(q) {
			p.owner = -1
		}
	}
	p.c.refer(&p.refs, p.tier, q.shown[0], q.shown[1])
	p.names = append(p.names, q.names...)
	if len(q.names) == 0 && fresh && q.within > 0 {
		p.names = append(p.names, label.Of(p.c.nodes[q.within].sym))
	}
}

// ownerOf returns the declaration that a piece belongs to: a value itself, since it is found by its own name, of others
// the outermost type.
func (p *packer) ownerOf(q piece) int {
	if p.tier == record.Data {
		return q.node
	}
	return p.c.outermost(q)
}

func (p *packer) write(text string) {
	p.text.WriteString(text)
	p.size += utf8.RuneCountInString(text)
	p.line += strings.Count(text, "\n")
}

// flush makes a chunk of the pieces added since the last flush.
func (p *packer) flush() {
	if p.size == 0 {
		return
	}
	p.parts++
	var owner *node
	if p.owner > 0 {
		owner = &p.c.nodes[p.owner]
	}
	title := p.c.f.FilePath + ": " + string(p.tier)
	if len(p.names) > 0 {
		title += " of " + nameList(outerNames(p.names), label.MaxTitle)
	}
	id := "code-" + string(p.tier) + "-" + record.IDPath(p.c.path)
	if p.name != "" {
		id += "#" + p.name
	} else {
		id = notation.PartID(id, p.parts)
	}
	chunk := p.c.add(p.tier, id, title, p.text.String(), p.at, owner, p.test)
	chunk.Metadata.Symbols = besides(p.refs.Refs, &chunk.Metadata)
	p.shows.chunk = chunk
	p.c.showings = append(p.c.showings, p.shows)
	p.text.Reset()
	p.size, p.line, p.names, p.refs, p.shows = 0, 0, nil, label.List{}, showing{}
}

// outerNames removes repeated names, and members of types that are in the list.
func outerNames(names []string) []string {
	seen := make(map[string]bool, len(names))
	out := names[:0]
	for _, name := range names {
		outer := name[:max(0, strings.LastIndexAny(name, ".#"), strings.LastIndex(name, "::"))]
		if !seen[name] && !seen[strings.TrimRight(outer, ":")] {
			out = append(out, name)
		}
		seen[name] = true
	}
	return out
}

// verbatim returns a piece that shows lines of declaration k unchanged. k is 0 for lines between declarations.
func (c *cutter) verbatim(k, within, first, last int) piece {
	q := piece{node: k, within: within, at: c.src.Span(first, last), shown: [2]int{first, last}}
	if k > 0 {
		q.names, q.test = c.nodes[k].declared(), c.isTest(k)
	} else {
		q.test = c.isTest(within)
	}
	return q
}
