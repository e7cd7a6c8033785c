package chunk

import (
	"cmp"
	"slices"

	"cortex/lib/record"
)

// refsFactor bounds the size of the names that a chunk lists, as a multiple of the chunk size: the qualified names of a
// file may be far longer than its text.
const refsFactor = 4

// refs collects the declarations in a chunk of the definitions or data tier.
type refs struct {
	list []record.SymbolRef
	size int // of the names, in bytes
}

// refer adds the declarations that begin in the lines [first, last), except functions that have a chunk of their own.
func (c *cutter) refer(r *refs, first, last int) {
	// The nodes are ordered by line; node 0 is the file.
	nodes := c.nodes[1:]
	from, _ := slices.BinarySearchFunc(nodes, first, func(n node, line int) int { return cmp.Compare(n.first, line) })
	for i := from; i < len(nodes) && nodes[i].first < last; i++ {
		n := &nodes[i]
		if !n.hasBody() || !c.opts.has(Implementations) {
			c.referTo(r, n.sym, n.first+1)
		}
		for _, s := range n.more {
			c.referTo(r, s, min(max(s.StartLine, n.first+1), last))
		}
	}
}

func (c *cutter) referTo(r *refs, s *record.Symbol, line int) {
	name := label(s)
	if r.size += len(name); name == "" || r.size > refsFactor*c.opts.CodeSize {
		return
	}
	r.list = append(r.list, record.SymbolRef{Name: name, Type: s.Kind, Line: line})
}

// besides returns the list, or nil if its only element is the chunk's own symbol.
func (r *refs) besides(m *record.Metadata) []record.SymbolRef {
	if len(r.list) == 1 && r.list[0].Name == m.SymbolName && r.list[0].Type == m.SymbolType {
		return nil
	}
	return r.list
}
