package chunk

import (
	"strings"

	"cortex/lib/language"
	"cortex/lib/notation"
	"cortex/lib/record"
)

func newCutter(f *record.File, tree string, lang language.Language, opts Options) *cutter {
	lang = notation.WithComment(lang)
	c := &cutter{f: f, tree: tree, path: record.TreePath(tree, f.FilePath), lang: lang, opts: opts,
		src: newSource(f, lang.Comment), ids: map[string]int{}}
	c.covered = make([]bool, c.src.Count())
	if f.Status == record.StatusOK || f.Status == record.StatusPartial {
		c.nodes = buildNodes(c.src, f.Symbols)
	}
	for i := range c.nodes {
		n := &c.nodes[i]
		if i == 0 || n.sym.Kind == record.Module || n.sym.Kind.IsCallable() && n.hasFunctions() {
			c.adopt(i)
		}
	}
	return c
}

// plain reports whether the file is to be cut without regard to structure: it was not parsed, or it is large and has
// neither symbols nor breaks.
func (c *cutter) plain() bool {
	if c.f.Status != record.StatusOK && c.f.Status != record.StatusPartial {
		return true
	}
	return len(c.nodes) == 1 && len(c.f.Breaks) == 0 && c.src.Size(0, c.src.Count()) > c.opts.CodeSize
}

// adopt assigns lines between the children of node i to a neighbouring child if they make no sense alone: closing
// brackets to the child before; comments, and the line that opens a group, to the child after.
func (c *cutter) adopt(i int) {
	floor, before := c.nodes[i].first, 0
	if i > 0 {
		floor++
	}
	for k := range c.children(i) {
		if c.nodes[k].doc > floor {
			floor = c.adoptBefore(before, floor, k)
			c.adoptAfter(floor, k, before > 0 || i == 0)
		}
		floor, before = c.nodes[k].last, k
	}
	if before > 0 {
		c.adoptBefore(before, floor, 0)
	}
}

// adoptBefore assigns trivial lines from floor on to node before, and returns the first line after them.
func (c *cutter) adoptBefore(before, floor, after int) int {
	if before == 0 {
		return floor
	}
	end := c.nodes[c.nodes[before].parent].last
	if after > 0 {
		end = c.nodes[after].doc
	}
	// An empty comment line may be trivial, but belongs to the comment.
	for at := floor; at < end && c.src.trivial(at) && !c.src.isComment(at); at++ {
		if !c.src.Blank(at) {
			floor = at + 1
		}
	}
	c.nodes[before].end = max(c.nodes[before].end, floor)
	return floor
}

// adoptAfter assigns lines from floor on to node k: comments, and with grouped the line that opens a group.
func (c *cutter) adoptAfter(floor, k int, grouped bool) {
	n := &c.nodes[k]
	if grouped && (n.sym.Kind.IsType() || n.holdsValue() || n.sym.Kind == record.Macro) && n.doc > floor && c.opensGroup(n.doc-1) {
		n.lead--
	}
	lead := n.lead
	for lead > floor && c.src.isComment(lead-1) {
		lead--
	}
	if c.src.Size(lead, n.doc) > c.opts.CodeSize/2 {
		return
	}
	n.lead = lead
	// This is a comment set apart by blank lines, such as the title of a group of functions.
	first, last := c.src.Trim(floor, lead)
	if first == last || c.src.Size(first, n.doc) > largeComment {
		return
	}
	for i := first; i < last; i++ {
		if !c.src.isComment(i) && !c.src.trivial(i) {
			return
		}
	}
	n.lead = first
}

// opensGroup reports whether the line ends with an opening bracket or begins a conditional part, as #if does.
func (c *cutter) opensGroup(i int) bool {
	if directive, ok := strings.CutPrefix(strings.TrimLeft(c.src.Line(i), " \t"), "#"); ok && strings.HasPrefix(strings.TrimLeft(directive, " \t"), "if") {
		return true
	}
	span := c.src.Span(i, i+1)
	for at := span.To; at > span.From; at-- {
		switch c.src.Text[at-1] {
		case ' ', '\t':
			continue
		case '(', '{', '[':
			return true
		}
		return false
	}
	return false
}

// largeComment is the size in characters, including the declaration's own comment, up to which a comment set apart is
// assigned to the declaration after it.
const largeComment = 300
