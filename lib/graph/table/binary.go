package table

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"runtime"
	"runtime/debug"
	"slices"
	"unsafe"

	"cortex/lib/graph/edge"
	"cortex/lib/graph/links"
	"cortex/lib/graph/texts"
	"cortex/lib/record"
)

// BinaryVersion is that of the form that AppendBinary writes.
const BinaryVersion = 7

// The binary form of a graph is its tables one after the other, each at a multiple of 8, in the byte order and with the types of the machine:
//
//	 0  magic
//	 8  uint32 BinaryVersion, which also tells the byte order
//	12  uint32 CRC-32C of what follows
//	16  for each table uint64 size
const (
	binaryMagic  = "CORTEXGR"
	binaryHeader = 16
)

var errBinary = errors.New("it is no graph in binary form")

// ErrDamaged says that tables which were mapped are not what was written.
var ErrDamaged = errors.New("the tables of the graph are damaged")

// binaryTables are the tables of a graph in the order of the binary form.
func (g *Graph) binaryTables() []binaryTable {
	return []binaryTable{
		tableOf(&g.strings.Text), tableOf(&g.strings.Ends), tableOf(&g.strings.Sorted), tableOf(&g.files), tableOf(&g.nodes), tableOf(&g.sites), tableOf(&g.lines),
		tableOf(&g.out.Data), tableOf(&g.in.Data), tableOf(&g.out.Row), tableOf(&g.in.Row), tableOf(&g.named), tableOf(&g.nameRow), tableOf(&g.members), tableOf(&g.memberRow), tableOf(&g.omissions), tableOf(&g.origins), tableOf(&g.declarations),
	}
}

// A binaryTable is a slice as bytes, got and set.
type binaryTable struct {
	bytes func() []byte
	set   func([]byte) bool
}

func tableOf[T byte | uint32 | fileRow | nodeRow | site | links.Link | omissionRow | declarationRow](table *[]T) binaryTable {
	size := int(unsafe.Sizeof(*new(T)))
	return binaryTable{
		bytes: func() []byte {
			if len(*table) == 0 {
				return nil
			}
			return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(*table))), len(*table)*size)
		},
		set: func(data []byte) bool {
			if len(data)%size != 0 {
				return false
			}
			if len(data) > 0 {
				*table = unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(data))), len(data)/size)
			}
			return true
		},
	}
}

// WriteBinary writes the graph in a form that FromBinary reads without making anything of it. It is for this machine alone.
func (g *Graph) WriteBinary(w io.Writer) error {
	var parts [][]byte
	for _, t := range g.binaryTables() {
		parts = append(parts, t.bytes())
	}
	sizes := make([]byte, 8*len(parts))
	for i, p := range parts {
		binary.NativeEndian.PutUint64(sizes[8*i:], uint64(len(p)))
	}
	parts = append([][]byte{sizes}, parts...)
	var padding [8]byte
	sum := uint32(0)
	for _, p := range parts {
		sum = crc32.Update(sum, castagnoli, p)
		sum = crc32.Update(sum, castagnoli, padding[:padded(len(p))-len(p)])
	}
	head := make([]byte, binaryHeader)
	copy(head, binaryMagic)
	binary.NativeEndian.PutUint32(head[8:], BinaryVersion)
	binary.NativeEndian.PutUint32(head[12:], sum)
	for _, p := range append([][]byte{head}, parts...) {
		if _, err := w.Write(p); err != nil {
			return err
		}
		if _, err := w.Write(padding[:padded(len(p))-len(p)]); err != nil {
			return err
		}
	}
	return nil
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func padded(n int) int { return (n + 7) &^ 7 }

// lookedUp are the strings that are looked up, in their order: names and paths.
func (g *Graph) lookedUp() []uint32 {
	return g.strings.LookedUp(func(s uint32) bool { return g.nameRow[s] < g.nameRow[s+1] })
}

// FromBinary is the graph in data that WriteBinary wrote, which must not change, and begins at a multiple of 8. It looks at little of it. If the data is damaged, questions
// fail with ErrDamaged or have other answers.
func FromBinary(data []byte) (*Graph, error) {
	g := &Graph{strings: &texts.Table{}, MaxSteps: stepLimit, mapped: data}
	g.in.Incoming = true
	tables := g.binaryTables()
	n := len(tables)
	if len(data) < binaryHeader+8*n || string(data[:8]) != binaryMagic || uintptr(unsafe.Pointer(unsafe.SliceData(data)))%8 != 0 || binary.NativeEndian.Uint32(data[8:]) != BinaryVersion {
		return nil, errBinary
	}
	at := uint64(binaryHeader + 8*n)
	for i := range n {
		size := binary.NativeEndian.Uint64(data[binaryHeader+8*i:])
		if at > uint64(len(data)) || size > uint64(len(data))-at {
			return nil, fmt.Errorf("%w: table %d", errBinary, i)
		}
		part := data[at : at+size : at+size]
		at += uint64(padded(int(size)))
		if !tables[i].set(part) {
			return nil, fmt.Errorf("%w: table %d", errBinary, i)
		}
	}
	nodes, texts := len(g.nodes), len(g.strings.Ends)
	if texts == 0 || len(g.out.Row) != nodes+1 || len(g.in.Row) != nodes+1 || len(g.memberRow) != nodes+1 || len(g.nameRow) != texts+1 || at != uint64(len(data)) {
		return nil, fmt.Errorf("%w: rows", errBinary)
	}
	return g, nil
}

// Check compares tables that were mapped with their checksum, and all numbers in them with what they are of, so that a graph can be made of them.
func (g *Graph) Check() (err error) {
	defer g.guard(&err)()
	if crc32.Checksum(g.mapped[binaryHeader:], castagnoli) != binary.NativeEndian.Uint32(g.mapped[12:]) {
		return ErrDamaged
	}
	return g.check()
}

// guard makes an error of what goes wrong in the goroutine that calls it because of tables that are damaged: the function that it returns must be deferred.
func (g *Graph) guard(err *error) func() {
	if g.mapped == nil {
		return func() {}
	}
	before := debug.SetPanicOnFault(true)
	return func() {
		debug.SetPanicOnFault(before)
		if p := recover(); p != nil {
			fault, ok := p.(runtime.Error)
			if !ok {
				panic(p)
			}
			*err = fmt.Errorf("%w: %w", ErrDamaged, fault)
		}
	}
}

// check makes sure that all numbers in the tables are those of rows.
func (g *Graph) check() error {
	t := g.strings
	ok := t.Ends[0] == 0 && ascending(t.Ends, len(t.Text), false)
	nodes, texts := uint32(len(g.nodes)), uint32(len(t.Ends))
	ok = ok && below(t.Sorted, texts) && below(g.named, nodes) && below(g.members, nodes)
	ok = ok && ascending(g.out.Row, len(g.out.Data), true) && ascending(g.in.Row, len(g.in.Data), true) && ascending(g.memberRow, len(g.members), true) && ascending(g.nameRow, len(g.named), true)
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

// ascending tells whether no number is less than the one before it, or more than last; and if exact, the first is 0 and the last is last.
func ascending(numbers []uint32, last int, exact bool) bool {
	before := uint32(0)
	for _, n := range numbers {
		if n < before {
			return false
		}
		before = n
	}
	return uint64(before) <= uint64(last) && (!exact || len(numbers) > 0 && numbers[0] == 0 && int(before) == last)
}

func below(numbers []uint32, end uint32) bool {
	for _, n := range numbers {
		if n >= end {
			return false
		}
	}
	return true
}
