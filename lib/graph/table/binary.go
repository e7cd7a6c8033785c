package table

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"cortex/lib/graph/edge"
	"cortex/lib/graph/links"
	"cortex/lib/graph/mapped"
	"cortex/lib/graph/texts"
	"cortex/lib/record"
)

// BinaryVersion is the version of the format of WriteBinary.
const BinaryVersion = 7

var form = mapped.Form{Magic: "CORTEXGR", Version: BinaryVersion}

// ErrDamaged reports that mapped tables are not as they were written.
var ErrDamaged = mapped.ErrDamaged

// slices returns the tables of a graph in the order of the binary format.
func (g *Graph) slices() []mapped.Slice {
	return []mapped.Slice{
		mapped.Of(&g.strings.Text), mapped.Of(&g.strings.Ends), mapped.Of(&g.strings.Sorted), mapped.Of(&g.files), mapped.Of(&g.nodes), mapped.Of(&g.sites), mapped.Of(&g.lines),
		mapped.Of(&g.out.Data), mapped.Of(&g.in.Data), mapped.Of(&g.out.Row), mapped.Of(&g.in.Row), mapped.Of(&g.named), mapped.Of(&g.nameRow), mapped.Of(&g.members), mapped.Of(&g.memberRow), mapped.Of(&g.omissions), mapped.Of(&g.origins), mapped.Of(&g.declarations),
	}
}

// WriteBinary writes the graph in a format that can be mapped, for machines of the same architecture; see mapped.Form.
func (g *Graph) WriteBinary(w io.Writer) error { return form.Write(w, g.slices()) }

// lookedUp returns the strings that are names of nodes, sorted.
func (g *Graph) lookedUp() []uint32 {
	return g.strings.LookedUp(func(s uint32) bool { return g.nameRow[s] < g.nameRow[s+1] })
}

// FromBinary returns the graph in data, whose memory it shares; see mapped.Form.Read. It checks only the sizes of the
// tables: with damaged data, questions fail with ErrDamaged or have wrong answers.
func FromBinary(data []byte) (*Graph, error) {
	g := &Graph{strings: &texts.Table{}, MaxSteps: stepLimit, mapped: data}
	g.in.Incoming = true
	if err := form.Read(data, g.slices()); err != nil {
		return nil, err
	}
	nodes, texts := len(g.nodes), len(g.strings.Ends)
	if texts == 0 || len(g.out.Row) != nodes+1 || len(g.in.Row) != nodes+1 || len(g.memberRow) != nodes+1 || len(g.nameRow) != texts+1 {
		return nil, errors.New("the tables of the graph have other sizes than its rows")
	}
	return g, nil
}

// Check verifies the checksum of mapped tables and the bounds of all numbers in them, before Assemble uses them.
func (g *Graph) Check() (err error) {
	defer g.guard(&err)()
	if !mapped.IsIntact(g.mapped) {
		return ErrDamaged
	}
	return g.check()
}

// guard turns panics that damaged mapped tables cause into errors, see mapped.Guard. Defer the returned function.
func (g *Graph) guard(err *error) func() {
	if g.mapped == nil {
		return func() {}
	}
	return mapped.Guard(err)
}

// check returns an error if a number in the tables is out of bounds, or a row ends before it begins.
func (g *Graph) check() error {
	t := g.strings
	ok := t.Ends[0] == 0 && links.Ascending(t.Ends, len(t.Text), false)
	nodes, texts := uint32(len(g.nodes)), uint32(len(t.Ends))
	ok = ok && links.Below(t.Sorted, texts) && links.Below(g.named, nodes) && links.Below(g.members, nodes)
	ok = ok && links.Ascending(g.out.Row, len(g.out.Data), true) && links.Ascending(g.in.Row, len(g.in.Data), true) && links.Ascending(g.memberRow, len(g.members), true) && links.Ascending(g.nameRow, len(g.named), true)
	if !ok {
		return errors.New("rows")
	}
	for i := range g.files {
		if f := &g.files[i]; f.path >= texts || f.tree >= texts || f.language >= texts || f.pkg >= texts || f.first >= f.end || f.end > nodes {
			return fmt.Errorf("file %d", i)
		}
	}
	for i := range g.nodes {
		n := &g.nodes[i]
		if n.file != None && n.file >= uint32(len(g.files)) || n.qualified >= texts || n.name >= texts || n.signature >= texts ||
			n.owner != None && n.owner >= nodes || int(n.kind) >= len(nodeKinds) || n.end < n.start {
			return fmt.Errorf("node %d", i)
		}
	}
	last := uint32(0)
	for i := range g.sites {
		s := &g.sites[i]
		if s.end < last || int(s.relation) >= len(record.Relations) || int(s.by) >= len(edge.Ways) {
			return fmt.Errorf("site %d", i)
		}
		last = s.end
	}
	if last > uint32(len(g.lines)) {
		return errors.New("lines")
	}
	before := uint32(0)
	for i := range g.omissions {
		o := &g.omissions[i]
		if o.node >= nodes || o.node < before || int(o.relation) >= len(record.Relations) || o.found > 0 && o.held > o.found {
			return fmt.Errorf("omission %d", i)
		}
		before = o.node
	}
	before = 0
	for i := range g.declarations {
		d := &g.declarations[i]
		if d.node >= nodes || d.node < before || d.end < d.start {
			return fmt.Errorf("declaration %d", i)
		}
		before = d.node
	}
	isWrong := func(l links.Link) bool { return l.Node >= nodes || l.Site >= uint32(len(g.sites)) }
	for n := range nodes {
		if slices.ContainsFunc(g.out.Of(n, g.firstSite), isWrong) || slices.ContainsFunc(g.linksOf(n, false), isWrong) {
			return fmt.Errorf("links of node %d", n)
		}
	}
	if slices.ContainsFunc(g.origins, isWrong) {
		return errors.New("origins")
	}
	return nil
}
