package table

import (
	"encoding/binary"
)

// A link is one end of an edge, from or to node.
type link struct{ node, site uint32 }

// A linkTable has the links of each node, by the other end, which is where the edge leads to or, if incoming is set, where it comes from. Those of node n are the bytes
// from row[n] to row[n+1], for each how much its node is above that of the one before it, or above n, and its site above the first one of the file that the edge stands in.
type linkTable struct {
	data     []byte
	row      []uint32
	incoming bool
}

// firstSite is the first site of the file that an edge between n and the other end stands in.
func (t *linkTable) firstSite(g *Graph, n, other uint32) uint32 {
	if t.incoming {
		n = other
	}
	if f := g.nodes[n].file; f != None {
		return g.files[f].site
	}
	return 0
}

// packLinks makes the table of links whose rows end at row.
func (g *Graph) packLinks(links []link, row []uint32, incoming bool) (t linkTable, err error) {
	t = linkTable{make([]byte, 0, 4*len(links)), make([]uint32, 1, len(row)), incoming}
	for n := range uint32(len(row) - 1) {
		last := n
		for _, l := range links[row[n]:row[n+1]] {
			t.data = binary.AppendVarint(t.data, int64(l.node)-int64(last))
			t.data = binary.AppendVarint(t.data, int64(l.site)-int64(t.firstSite(g, n, l.node)))
			last = l.node
		}
		t.row = append(t.row, uint32(len(t.data)))
	}
	if len(t.data) > maxRows {
		return t, errTooLarge
	}
	return t, nil
}

// count is the number of links of node n.
func (t *linkTable) count(n uint32) int { return numbersIn(t.data[t.row[n]:t.row[n+1]]) / 2 }

// of are the links of node n.
func (t *linkTable) of(g *Graph, n uint32) []link {
	data := t.data[t.row[n]:t.row[n+1]]
	if len(data) == 0 {
		return nil
	}
	list := make([]link, 0, numbersIn(data)/2)
	for last := n; len(data) > 0; {
		l := link{node: uint32(int64(last) + takeVarint(&data))}
		last = l.node
		l.site = uint32(int64(t.firstSite(g, n, l.node)) + takeVarint(&data))
		list = append(list, l)
	}
	return list
}

// outOf are the edges from node n, inOf those to it.
func (g *Graph) outOf(n uint32) []link { return g.out.of(g, n) }
func (g *Graph) inOf(n uint32) []link  { return g.in.of(g, n) }

// linksOf are the ones or the others.
func (g *Graph) linksOf(n uint32, forward bool) []link {
	if forward {
		return g.outOf(n)
	}
	return g.inOf(n)
}

// linesOf are the lines of a site.
func (g *Graph) linesOf(s uint32) []uint32 {
	data := g.lines[g.linesFrom(s):g.sites[s].end]
	if len(data) == 0 {
		return nil
	}
	lines := make([]uint32, 0, numbersIn(data))
	for last := int64(0); len(data) > 0; {
		last += takeVarint(&data)
		lines = append(lines, uint32(last))
	}
	return lines
}

// hasLines reports whether a site has any.
func (g *Graph) hasLines(s uint32) bool { return g.linesFrom(s) < g.sites[s].end }

// linesFrom is where the lines of a site begin.
func (g *Graph) linesFrom(s uint32) uint32 {
	if s == 0 {
		return 0
	}
	return g.sites[s-1].end
}

// appendLines appends the lines of a site.
func appendLines(to []byte, lines []uint32) []byte {
	last := uint32(0)
	for _, line := range lines {
		to = binary.AppendVarint(to, int64(line)-int64(last))
		last = line
	}
	return to
}

// numbersIn counts the varints in the data.
func numbersIn(data []byte) int {
	n := 0
	for _, b := range data {
		n += int(^b >> 7)
	}
	return n
}

// takeVarint takes a number off the data, 0 and all of it if it is none.
func takeVarint(data *[]byte) int64 {
	x, size := binary.Varint(*data)
	if size <= 0 {
		x, size = 0, len(*data)
	}
	*data = (*data)[size:]
	return x
}
