// Package links keeps the ends of edges, and the lines at which these stand, as small numbers in rows of bytes.
package links

import (
	"encoding/binary"
	"slices"
)

// A Link is one end of an edge, from or to Node, which stands at Site.
type Link struct{ Node, Site uint32 }

// A Table has the links of each node, by the other end, which is where the edge leads to or, if Incoming is set, where it comes from. Those of node n are the bytes
// from Row[n] to Row[n+1]: for each how much its node is above that of the one before it, or above n, and its site above the first one of the node that the edge is from.
type Table struct {
	Data     []byte
	Row      []uint32
	Incoming bool
}

// Pack makes a table of links, of which those of node n stand from row[n] to row[n+1]. first gives a number that the sites of edges from a node are not far above.
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

// from is the node that an edge between n and the other end is from.
func (t *Table) from(n, other uint32) uint32 {
	if t.Incoming {
		return other
	}
	return n
}

// Count is the number of links of node n.
func (t *Table) Count(n uint32) int { return numbersIn(t.Data[t.Row[n]:t.Row[n+1]]) / 2 }

// Total is that of all links.
func (t *Table) Total() int { return numbersIn(t.Data) / 2 }

// Of are the links of node n. first is that of Pack.
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

// AppendLines appends lines as what each is above the one before it.
func AppendLines(to []byte, lines []uint32) []byte {
	last := uint32(0)
	for _, line := range lines {
		to = binary.AppendVarint(to, int64(line)-int64(last))
		last = line
	}
	return to
}

// Lines are what AppendLines appended.
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

// take takes a number off the data, 0 and all of it if it is none.
func take(data *[]byte) int64 {
	x, size := binary.Varint(*data)
	if size <= 0 {
		x, size = 0, len(*data)
	}
	*data = (*data)[size:]
	return x
}

// Rows puts what each adds to each of n rows together, in the order in which it does. Row i ends where row i + 1 begins.
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
