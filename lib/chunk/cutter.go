package chunk

import (
	"strings"

	"cortex/lib/chunk/label"
	"cortex/lib/chunk/lines"
	"cortex/lib/language"
	"cortex/lib/notation"
	"cortex/lib/record"
	"cortex/lib/shorten"
)

// A cutter makes the chunks of one file of code. Each tier is a method.
type cutter struct {
	f    *record.File
	path string // as in identifiers
	tree string
	lang language.Language
	opts Options

	src   *source
	nodes []node
	// covered marks the lines that a chunk shows completely.
	covered []bool
	// showings are the chunks of the definitions and data tiers. regions are the lines that the implementations tier
	// shows.
	showings []showing
	regions  []region

	chunks []*record.Chunk
	ids    map[string]int
}

func (c *cutter) cover(first, last int) {
	for i := first; i < last; i++ {
		c.covered[i] = true
	}
}

// comment returns text as one line of comment in the file's language.
func (c *cutter) comment(text string) string { return notation.Comment(c.lang, text) }

// linesComment returns a comment with the line numbers of the text below it.
func (c *cutter) linesComment(first, last int) string {
	return notation.Lines(c.lang, first+1, max(last, first+1))
}

// add appends a chunk and makes its identifier unique.
func (c *cutter) add(tier record.ChunkType, id, title, text string, at lines.Span, node *node, test bool) *record.Chunk {
	var more []string
	if test {
		more = append(more, record.TagTest)
	}
	chunk := &record.Chunk{
		Type:      record.TypeChunk,
		ID:        c.unique(id),
		ChunkType: tier,
		Title:     title,
		Text:      text,
		Tags:      label.Tags(c.f, record.SourceCode, tier, more...),
		Metadata: record.Metadata{
			Source:    record.SourceCode,
			FilePath:  c.path,
			Tree:      c.tree,
			Language:  c.f.Language,
			Package:   shorten.End(c.f.Package, label.MaxName),
			StartLine: at.First + 1,
			EndLine:   max(at.Last, at.First+1),
			ByteStart: at.From,
			ByteEnd:   at.To,
		},
	}
	if node != nil {
		s := node.sym
		m := &chunk.Metadata
		m.SymbolName = label.Of(s)
		m.SymbolType = s.Kind
		m.SymbolSignature = label.Signature(s)
		if parent := enclosing(s); parent != "" {
			m.Hierarchy = label.Line(parent, label.MaxName) + record.Separator + label.Line(s.Name, label.MaxName)
		}
	}
	c.chunks = append(c.chunks, chunk)
	return chunk
}

// enclosing returns the qualified name of the symbol's parent. A Go method is declared outside of its type, so the type
// is taken from the qualified name.
func enclosing(s *record.Symbol) string {
	if s.Parent != "" {
		return s.Parent
	}
	outer, found := strings.CutSuffix(s.QualifiedName, s.Name)
	if !found {
		return ""
	}
	return strings.TrimRight(outer, ".:#/")
}

// unique returns id, or id with the first free number behind it.
func (c *cutter) unique(id string) string {
	n := c.ids[id]
	if n == 0 {
		c.ids[id] = 1
		return id
	}
	for {
		n++
		next := notation.PartID(id, n)
		if c.ids[next] == 0 {
			c.ids[id], c.ids[next] = n, 1
			return next
		}
	}
}

// count returns the number of declarations for which is holds.
func (c *cutter) count(is func(n *node) bool) (count int) {
	for i := 1; i < len(c.nodes); i++ {
		if is(&c.nodes[i]) {
			count++
		}
	}
	return count
}

// children iterates over the children of node i in their order.
func (c *cutter) children(i int) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for k := i + 1; k < c.nodes[i].next; k = c.nodes[k].next {
			if !yield(k) {
				return
			}
		}
	}
}

// signatureLine returns the signature of a declaration on one line, fit for a comment.
func (c *cutter) signatureLine(k int) string {
	s := c.nodes[k].sym
	if s.Signature == "" {
		return label.Of(s)
	}
	return label.Signature(s)
}

// isTest reports whether a declaration, or one that encloses it, is test code.
func (c *cutter) isTest(k int) bool {
	for ; k > 0; k = c.nodes[k].parent {
		if c.nodes[k].sym.Test {
			return true
		}
	}
	return false
}

func (c *cutter) allTrivial(first, last int) bool {
	for i := first; i < last; i++ {
		if !c.src.trivial(i) {
			return false
		}
	}
	return true
}

// isContainer reports whether the functions inside a function get their own chunks, as they do in a class. They do if
// the function exceeds one chunk, and they are at least half of it or it is very long. Other functions read best in one
// piece.
func (c *cutter) isContainer(k int) bool {
	const veryLong = 4 // chunks
	n := &c.nodes[k]
	size := c.src.Size(n.first, n.last)
	return n.hasFunctions() && size > c.opts.CodeSize && (2*n.inside >= size || size > veryLong*c.opts.CodeSize)
}

// uncomment removes the comment marks from a line and reports whether it had any.
func (c *cutter) uncomment(line string) (string, bool) {
	for _, mark := range []string{c.lang.Comment, "/**", "/*", "*/", "*"} {
		if mark == "#" && strings.HasPrefix(line, "#include") {
			continue
		}
		if mark != "" && strings.HasPrefix(line, mark) {
			line = strings.TrimSuffix(strings.TrimLeft(strings.TrimPrefix(line, mark), mark[len(mark)-1:]+"!"), "*/")
			return strings.TrimSpace(line), true
		}
	}
	return line, false
}

// outermost returns the outermost type around a piece, or the piece's own declaration if no type encloses it; 0 if the
// piece has several declarations.
func (c *cutter) outermost(q piece) int {
	found := q.node
	if found == 0 {
		found = q.within
	}
	for k := found; k > 0; k = c.nodes[k].parent {
		if c.nodes[k].sym.Kind.IsType() {
			found = k
		}
	}
	return found
}
