package chunk

import (
	"strconv"
	"strings"

	"cortex/lib/language"
	"cortex/lib/record"
)

// A cutter makes the chunks of one file of code. Each tier is a method of it.
type cutter struct {
	f    *record.File
	path string // as in identifiers
	tree string
	lang language.Language
	opts Options

	src   *source
	nodes []node
	// covered marks the lines that a chunk shows whole.
	covered []bool
	// showings are what the definitions and data tiers show, regions what the implementations do.
	showings []showing
	regions  []region

	chunks []*record.Chunk
	ids    map[string]int
}

func newCutter(f *record.File, tree string, lang language.Language, opts Options) *cutter {
	if lang.Comment == "" {
		lang.Comment, lang.CommentEnd = "#", ""
	}
	c := &cutter{f: f, tree: tree, path: record.TreePath(tree, f.FilePath), lang: lang, opts: opts,
		src: newSource(f, lang.Comment), ids: map[string]int{}}
	c.covered = make([]bool, c.src.count())
	if f.Status == record.StatusOK || f.Status == record.StatusPartial {
		c.nodes = buildNodes(c.src, f.Symbols)
	}
	for i := range c.nodes {
		n := &c.nodes[i]
		if i == 0 || n.sym.Kind == record.Module || n.sym.Kind.IsCallable() && n.inner {
			c.adopt(i)
		}
	}
	return c
}

// plain reports whether nothing is known about the structure of the file.
func (c *cutter) plain() bool {
	if c.f.Status != record.StatusOK && c.f.Status != record.StatusPartial {
		return true
	}
	return len(c.nodes) == 1 && len(c.f.Breaks) == 0 && c.src.size(0, c.src.count()) > c.opts.CodeSize
}

func (c *cutter) cover(first, last int) {
	for i := first; i < last; i++ {
		c.covered[i] = true
	}
}

// comment makes one line of comment in the file's language.
func (c *cutter) comment(text string) string {
	if c.lang.CommentEnd == "" {
		return c.lang.Comment + " " + text
	}
	return c.lang.Comment + " " + strings.ReplaceAll(text, c.lang.CommentEnd, " ") + " " + c.lang.CommentEnd
}

// linesComment says where in the file the text under it stands.
func (c *cutter) linesComment(first, last int) string {
	return c.comment("Lines " + strconv.Itoa(first+1) + "-" + strconv.Itoa(max(last, first+1)))
}

// add finishes a chunk and appends it. The identifier is made unique.
func (c *cutter) add(tier record.ChunkType, id, title, text string, at span, node *node, test bool) *record.Chunk {
	chunk := &record.Chunk{
		Type:      record.TypeChunk,
		ID:        c.unique(id),
		ChunkType: tier,
		Title:     title,
		Text:      text,
		Tags:      c.tags(tier, test),
		Metadata: record.Metadata{
			Source:    record.SourceCode,
			FilePath:  c.path,
			Tree:      c.tree,
			Language:  c.f.Language,
			Package:   shorten(c.f.Package, maxName),
			StartLine: at.first + 1,
			EndLine:   max(at.last, at.first+1),
			ByteStart: at.from,
			ByteEnd:   at.to,
		},
	}
	if node != nil {
		s := node.sym
		m := &chunk.Metadata
		m.SymbolName = label(s)
		m.SymbolType = s.Kind
		m.SymbolSignature = shorten(oneLine(s.Signature), maxSignature)
		if parent := enclosing(s); parent != "" {
			m.Hierarchy = shorten(oneLine(parent), maxName) + " › " + shorten(oneLine(s.Name), maxName)
		}
	}
	c.chunks = append(c.chunks, chunk)
	return chunk
}

// maxTags bounds how many tags of a file its chunks repeat.
const maxTags = 50

func (c *cutter) tags(tier record.ChunkType, test bool) []string {
	own := c.f.Tags[:min(len(c.f.Tags), maxTags)]
	tags := make([]string, 0, 4+len(own))
	tags = append(tags, record.SourceCode, c.f.Language, string(tier))
	tags = append(tags, own...)
	if test {
		tags = append(tags, "test")
	}
	return distinct(tags)
}

// unique returns id, or with "~2" and so on what of it is not taken.
func (c *cutter) unique(id string) string {
	n := c.ids[id]
	if n == 0 {
		c.ids[id] = 1
		return id
	}
	for {
		n++
		next := partID(id, n)
		if c.ids[next] == 0 {
			c.ids[id], c.ids[next] = n, 1
			return next
		}
	}
}

// partID is the identifier of the n-th part of what is called id.
func partID(id string, n int) string {
	if n <= 1 {
		return id
	}
	return id + "~" + strconv.Itoa(n)
}

// Bounds of what goes into heads and titles, in characters.
const (
	maxSignature = 200
	maxName      = 200
	maxDoc       = 200
	maxTitle     = 120
)

// label is the qualified name of a symbol, fit to stand in a line.
func label(s *record.Symbol) string {
	name := s.QualifiedName
	if name == "" {
		name = s.Name
	}
	return shorten(oneLine(name), maxName)
}

// enclosing is the qualified name of what a symbol belongs to. A method in Go stands outside of
// its type, so that only its qualified name tells.
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

// nameList joins names to at most limit characters.
func nameList(names []string, limit int) string {
	var b strings.Builder
	for i, name := range names {
		if b.Len() > 0 && b.Len()+len(name) > limit {
			b.WriteString(", …")
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(shorten(name, limit))
	}
	return b.String()
}
