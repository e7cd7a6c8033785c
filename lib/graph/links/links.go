// Package links keeps edges as compressed sparse rows: for each node, its neighbours and sites as varint differences.
// It compresses the lines of sites in the same way. A Set of nodes is a bitmap (set.go).
package links

import (
	"encoding/binary"
	"slices"
)

// A Link is an edge seen from one end: Node is the node at the other end, Site the number of the edge's site.
type Link struct{ Node, Site uint32 }

// A Table has the links of each node: its outgoing edges, or its incoming edges if Incoming is set. The links of node n
// are Data[Row[n]:Row[n+1]], two signed varints each: the link's node minus the node of the link before (n for the first
// link), and its site minus first(the node that the edge comes from), see Pack.
type Table struct {
	Data     []byte
	Row      []uint32
	Incoming bool
}

// Pack makes a table of links; those of node n are links[row[n]:row[n+1]]. first returns the number from which the sites
// of edges from a node are counted, such as the first site of its file: the closer, the fewer bytes a site takes.
func Pack(links []Link, row []uint32, incoming bool, first func(from uint32) uint32) Table {
	t := Table{make([]byte, 0, 4*len(links)), make([]uint32, 1, len(row)), incoming}
	for n := range uint32(len(row) - 1) {
		last := n
		for _, l := range links[row[n]:row[n+1]] {
			t.Data = binary.AppendVarint(t.Data, int64(l.Node)-int64(last))
			t.Data = binary.AppendVarint(t.Data, int64(l.Site)-int64(first(t.from(n, l.Node))))
			last = l.Node
		}
		t.Row = append(t.Row, uint32(len(t.Data)))
	}
	return t
}

// from returns which of n and other the edge comes from.
func (t *Table) from(n, other uint32) uint32 {
	if t.Incoming {
		return other
	}
	return n
}

// Count returns the number of links of node n.
func (t *Table) Count(n uint32) int { return numbersIn(t.Data[t.Row[n]:t.Row[n+1]]) / 2 }

// Total returns the number of links of all nodes.
func (t *Table) Total() int { return numbersIn(t.Data) / 2 }

// Of returns the links of node n. first must be the function that Pack got.
func (t *Table) Of(n uint32, first func(from uint32) uint32) []Link {
	data := t.Data[t.Row[n]:t.Row[n+1]]
	if len(data) == 0 {
		return nil
	}
	list := make([]Link, 0, numbersIn(data)/2)
	for last := n; len(data) > 0; {
		l := Link{Node: uint32(int64(last) + take(&data))}
		last = l.Node
		l.Site = uint32(int64(first(t.from(n, l.Node))) + take(&data))
		list = append(list, l)
	}
	return list
}

// AppendLines appends the difference of each line from the line before, as a signed varint.
func AppendLines(to []byte, lines []uint32) []byte {
	last := uint32(0)
	for _, line := range lines {
		to = binary.AppendVarint(to, int64(line)-int64(last))
		last = line
	}
	return to
}

// Lines decodes what AppendLines appended.
func Lines(data []byte) []uint32 {
	if len(data) == 0 {
		return nil
	}
	lines := make([]uint32, 0, numbersIn(data))
	for last := int64(0); len(data) > 0; {
		last += take(&data)
		lines = append(lines, uint32(last))
	}
	return lines
}

// numbersIn counts the varints in the data.
func numbersIn(data []byte) int {
	n := 0
	for _, b := range data {
		n += int(^b >> 7)
	}
	return n
}

// take removes a signed varint from the start of the data and returns it. If the data is damaged, it removes all of it
// and returns 0.
func take(data *[]byte) int64 {
	x, size := binary.Varint(*data)
	if size <= 0 {
		x, size = 0, len(*data)
	}
	*data = (*data)[size:]
	return x
}

// Rows groups items into n rows: row i is items[row[i]:row[i+1]], in the order in which they were added. It calls each
// twice, first to count and then to store the items, so each must add the same items both times.
func Rows[T any](n int, each func(add func(row uint32, item T))) (items []T, row []uint32) {
	row = make([]uint32, n+1)
	each(func(i uint32, _ T) { row[i+1]++ })
	for i := range n {
		row[i+1] += row[i]
	}
	items = make([]T, row[n])
	next := slices.Clone(row)
	each(func(i uint32, item T) {
		items[next[i]] = item
		next[i]++
	})
	return items, row
}
