package chunk

import (
	"cmp"
	"slices"

	"cortex/lib/chunk/label"
	"cortex/lib/record"
)

// refer adds the declarations that begin in the lines [first, last), except functions and values that have a chunk of
// their own.
func (c *cutter) refer(l *label.List, tier record.ChunkType, first, last int) {
	// The nodes are ordered by line; node 0 is the file.
	nodes := c.nodes[1:]
	from, _ := slices.BinarySearchFunc(nodes, first, func(n node, line int) int { return cmp.Compare(n.first, line) })
	for i := from; i < len(nodes) && nodes[i].first < last; i++ {
		n := &nodes[i]
		elsewhere := func(s *record.Symbol) bool { return n.inData && tier != record.Data && !s.Kind.IsType() }
		if !elsewhere(n.sym) && (!n.hasBody() || !c.opts.has(Implementations)) {
			l.Add(n.sym, n.first+1, c.opts.CodeSize)
		}
		for _, s := range n.more {
			if elsewhere(s) {
				continue
			}
			l.Add(s, min(max(s.StartLine, n.first+1), last), c.opts.CodeSize)
		}
	}
}

// besides returns the list, or nil if its only element is the chunk's own symbol and begins where the chunk does.
func besides(list []record.SymbolRef, m *record.Metadata) []record.SymbolRef {
	if len(list) == 1 && list[0].Name == m.SymbolName && list[0].Type == m.SymbolType && list[0].Line == m.StartLine {
		return nil
	}
	return list
}
