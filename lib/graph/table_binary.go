package graph

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"unsafe"

	"cortex/lib/record"
)

// BinaryVersion is that of the form that AppendBinary writes.
const BinaryVersion = 3

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
		tableOf(&g.strings.text), tableOf(&g.strings.ends), tableOf(&g.strings.sorted), tableOf(&g.files), tableOf(&g.nodes), tableOf(&g.sites), tableOf(&g.lines),
		tableOf(&g.out), tableOf(&g.in), tableOf(&g.outRow), tableOf(&g.inRow), tableOf(&g.named), tableOf(&g.nameRow), tableOf(&g.members), tableOf(&g.memberRow), tableOf(&g.omissions), tableOf(&g.origins),
	}
}

// A binaryTable is a slice as bytes, got and set.
type binaryTable struct {
	bytes func() []byte
	set   func([]byte) bool
}

func tableOf[T byte | uint32 | fileRow | nodeRow | site | link | omissionRow](table *[]T) binaryTable {
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
	var kinds []string
	for _, k := range g.kinds {
		kinds = append(kinds, string(k))
	}
	parts = append(parts, []byte(strings.Join(kinds, "\x00")))
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

// lookedUp are the strings that find is asked for, in their order: names and paths.
func (g *Graph) lookedUp() []uint32 {
	// Most strings differ in their first bytes, which are compared as one number.
	type looked struct {
		first  uint64
		number uint32
	}
	count := 0
	for s := range g.strings.len() {
		count += order(s > 0 && g.nameRow[s] < g.nameRow[s+1])
	}
	list := make([]looked, 0, count)
	for s := 1; s < g.strings.len(); s++ {
		if g.nameRow[s] < g.nameRow[s+1] {
			var first [8]byte
			copy(first[:], g.strings.get(uint32(s)))
			list = append(list, looked{binary.BigEndian.Uint64(first[:]), uint32(s)})
		}
	}
	slices.SortFunc(list, func(a, b looked) int {
		if a.first != b.first {
			return cmp.Compare(a.first, b.first)
		}
		return strings.Compare(g.strings.get(a.number), g.strings.get(b.number))
	})
	numbers := make([]uint32, len(list))
	for i := range list {
		numbers[i] = list[i].number
	}
	return numbers
}

// FromBinary is the graph in data that WriteBinary wrote, which must not change, and begins at a multiple of 8. It looks at little of it. If the data is damaged, questions
// fail with ErrDamaged or have other answers.
func FromBinary(data []byte) (*Graph, error) {
	g := &Graph{strings: &stringTable{}, maxSteps: maxSteps, mapped: data}
	tables := g.binaryTables()
	n := len(tables) + 1
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
		if i < len(tables) {
			if !tables[i].set(part) {
				return nil, fmt.Errorf("%w: table %d", errBinary, i)
			}
			continue
		}
		for name := range strings.SplitSeq(string(part), "\x00") {
			g.kinds = append(g.kinds, record.Kind(name))
		}
	}
	nodes, texts := len(g.nodes), len(g.strings.ends)
	if texts == 0 || len(g.outRow) != nodes+1 || len(g.inRow) != nodes+1 || len(g.memberRow) != nodes+1 || len(g.nameRow) != texts+1 || at != uint64(len(data)) {
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
	ok := t.ends[0] == 0 && ascending(t.ends, len(t.text), false)
	nodes, texts := uint32(len(g.nodes)), uint32(len(t.ends))
	ok = ok && below(t.sorted, texts) && below(g.named, nodes) && below(g.members, nodes)
	ok = ok && ascending(g.outRow, len(g.out), true) && ascending(g.inRow, len(g.in), true) && ascending(g.memberRow, len(g.members), true) && ascending(g.nameRow, len(g.named), true)
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
		if n.file != none && n.file >= uint32(len(g.files)) || n.qualified >= texts || n.name >= texts || n.signature >= texts ||
			n.owner != none && n.owner >= nodes || int(n.kind) >= len(g.kinds) || n.end < n.start {
			return fmt.Errorf("node %d", i)
		}
	}
	last := uint32(0)
	for i := range g.sites {
		s := &g.sites[i]
		if s.end < last || int(s.relation) >= len(record.Relations) || int(s.by) >= len(Ways) {
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
	for _, links := range [][]link{g.out, g.in, g.origins} {
		for i := range links {
			if links[i].node >= nodes || links[i].site >= uint32(len(g.sites)) {
				return fmt.Errorf("link %d", i)
			}
		}
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
