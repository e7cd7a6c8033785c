// Package texts holds the strings of a graph, each under a number. Package table keeps a Table in its mapped file.
package texts

import (
	"cmp"
	"encoding/binary"
	"hash/maphash"
	"math"
	"slices"
	"strings"
	"unsafe"
)

// A Table holds strings in one piece of memory, under numbers from 0, which is the empty string. Add stores each string
// once; Append does not look for an equal one.
type Table struct {
	Text []byte
	// Ends has the offset in Text at which each string ends; the next string begins there.
	Ends []uint32
	// Sorted has numbers of strings, sorted by the strings. slots has the strings added since: a hash table with open
	// addressing, whose entries have the upper half of the hash above the number plus 1, and are 0 where free. Find looks
	// in both.
	Sorted []uint32
	slots  []uint64
	used   int
	seed   maphash.Seed
}

// New makes a table with a copy of the strings of before, which may be nil.
func New(before *Table) *Table {
	t := &Table{Ends: make([]uint32, 1), slots: make([]uint64, 1<<10), seed: maphash.MakeSeed()}
	if before != nil {
		more := func(n int) int { return n + n/64 + 1<<10 }
		t.Text = append(make([]byte, 0, more(len(before.Text))), before.Text...)
		t.Ends = append(make([]uint32, 0, more(len(before.Ends))), before.Ends...)
		t.Sorted = before.Sorted
	}
	return t
}

// Len returns the number of strings, including the empty one.
func (t *Table) Len() int { return len(t.Ends) }

// Get returns the string of a number. It shares the memory of the table, which never changes its strings.
func (t *Table) Get(number uint32) string {
	if number == 0 {
		return ""
	}
	piece := t.Text[t.Ends[number-1]:t.Ends[number]]
	return unsafe.String(unsafe.SliceData(piece), len(piece))
}

// Find returns the number of a string; 0 if it is empty, or neither in Sorted nor in slots.
func (t *Table) Find(s string) uint32 {
	if s == "" {
		return 0
	}
	if t.slots != nil {
		if number, _, _ := t.slot(s); number != 0 {
			return number
		}
	}
	at, found := slices.BinarySearchFunc(t.Sorted, s, func(n uint32, s string) int { return cmp.Compare(t.Get(n), s) })
	if !found {
		return 0
	}
	return t.Sorted[at]
}

// Add returns the number of a string, which it adds if Find does not find it. ok is false if the table is full.
func (t *Table) Add(s []byte) (number uint32, ok bool) {
	if len(s) == 0 {
		return 0, true
	}
	text := unsafe.String(unsafe.SliceData(s), len(s))
	if number = t.Find(text); number != 0 {
		return number, true
	}
	if number, ok = t.Append(s); !ok {
		return 0, false
	}
	t.Note(number)
	return number, true
}

// Note makes Find find a string that Append has added.
func (t *Table) Note(number uint32) {
	known, slot, entry := t.slot(t.Get(number))
	if number == 0 || known != 0 {
		return
	}
	t.slots[slot] = entry | uint64(number+1)
	if t.used++; 4*t.used > 3*len(t.slots) {
		t.grow()
	}
}

// Append adds a string that Find does not find. ok is false if the table is full: at 4 GiB.
func (t *Table) Append(s []byte) (number uint32, ok bool) {
	if len(s) == 0 {
		return 0, true
	}
	if len(t.Text)+len(s) > math.MaxUint32 {
		return 0, false
	}
	t.Text = append(t.Text, s...)
	t.Ends = append(t.Ends, uint32(len(t.Text)))
	return uint32(len(t.Ends) - 1), true
}

// slot returns the number of a string in slots. If the string is not there, number is 0, slot is its free slot, and
// entry the upper half of what goes there.
func (t *Table) slot(s string) (number uint32, slot int, entry uint64) {
	mask := len(t.slots) - 1
	hash := maphash.String(t.seed, s)
	entry = hash &^ math.MaxUint32
	for i := int(hash) & mask; ; i = (i + 1) & mask {
		switch e := t.slots[i]; {
		case e == 0:
			return 0, i, entry
		case e&^math.MaxUint32 == entry && t.Get(uint32(e)-1) == s:
			return uint32(e) - 1, i, entry
		}
	}
}

func (t *Table) grow() {
	old := t.slots
	t.slots = make([]uint64, 2*len(old))
	mask := len(t.slots) - 1
	for _, e := range old {
		if e == 0 {
			continue
		}
		i := int(maphash.String(t.seed, t.Get(uint32(e)-1))) & mask
		for t.slots[i] != 0 {
			i = (i + 1) & mask
		}
		t.slots[i] = e
	}
}

// bytewise sorts strings by their content.
func (t *Table) bytewise(numbers []uint32) []uint32 {
	// Most strings differ in their first bytes, which are compared as one number.
	type looked struct {
		first  uint64
		number uint32
	}
	list := make([]looked, len(numbers))
	for i, n := range numbers {
		var first [8]byte
		copy(first[:], t.Get(n))
		list[i] = looked{binary.BigEndian.Uint64(first[:]), n}
	}
	slices.SortFunc(list, func(a, b looked) int {
		if a.first != b.first {
			return cmp.Compare(a.first, b.first)
		}
		return strings.Compare(t.Get(a.number), t.Get(b.number))
	})
	for i := range list {
		numbers[i] = list[i].number
	}
	return numbers
}

// LookedUp returns the numbers of the strings in Sorted and slots that are names, sorted by the strings: the next Sorted.
func (t *Table) LookedUp(isName func(uint32) bool) []uint32 {
	var added []uint32
	for _, entry := range t.slots {
		if s := uint32(entry) - 1; entry != 0 && isName(s) {
			added = append(added, s)
		}
	}
	sorted := t.bytewise(added)
	if len(t.Sorted) == 0 {
		return sorted
	}
	all := make([]uint32, 0, len(t.Sorted)+len(sorted))
	before := t.Sorted
	for i := 0; i <= len(sorted); i++ {
		n := len(before)
		if i < len(sorted) {
			n, _ = slices.BinarySearchFunc(before, t.Get(sorted[i]), func(n uint32, s string) int { return strings.Compare(t.Get(n), s) })
		}
		for _, s := range before[:n] {
			if isName(s) {
				all = append(all, s)
			}
		}
		if before = before[n:]; i < len(sorted) && (len(before) == 0 || before[0] != sorted[i]) {
			all = append(all, sorted[i])
		}
	}
	return all
}
