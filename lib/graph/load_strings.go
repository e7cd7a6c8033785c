package graph

import (
	"hash/maphash"
	"math"
	"unsafe"
)

// A stringTable holds each string once, in one piece of memory, and names it by a number. Numbers count from 0,
// which is the empty string.
type stringTable struct {
	text []byte
	// ends is where each string ends; it begins where the one before it ends.
	ends []uint32
	// slots is a hash table with open addressing: numbers plus 1, and 0 where there is none.
	slots []uint32
	seed  maphash.Seed
}

func newStringTable() *stringTable {
	return &stringTable{ends: []uint32{0}, slots: make([]uint32, 1<<10), seed: maphash.MakeSeed()}
}

// len is the number of strings.
func (t *stringTable) len() int { return len(t.ends) }

// get is the string of a number. It shares the memory of the table, which is only ever added to.
func (t *stringTable) get(number uint32) string {
	if number == 0 {
		return ""
	}
	piece := t.text[t.ends[number-1]:t.ends[number]]
	return unsafe.String(unsafe.SliceData(piece), len(piece))
}

// find is the number of a string, 0 for the empty one and for those that are not there.
func (t *stringTable) find(s string) uint32 {
	if s == "" {
		return 0
	}
	number, _ := t.slot(s)
	return number
}

// add is find, after the string was added where it was not there. ok is false if the table is full.
func (t *stringTable) add(s []byte) (number uint32, ok bool) {
	if len(s) == 0 {
		return 0, true
	}
	number, slot := t.slot(unsafe.String(unsafe.SliceData(s), len(s)))
	if number != 0 {
		return number, true
	}
	if len(t.text)+len(s) > math.MaxUint32 {
		return 0, false
	}
	number = uint32(len(t.ends))
	t.text = append(t.text, s...)
	t.ends = append(t.ends, uint32(len(t.text)))
	t.slots[slot] = number + 1
	if 4*len(t.ends) > 3*len(t.slots) {
		t.grow()
	}
	return number, true
}

// slot finds the string, or else the slot for it.
func (t *stringTable) slot(s string) (number uint32, slot int) {
	mask := len(t.slots) - 1
	for i := int(maphash.String(t.seed, s)) & mask; ; i = (i + 1) & mask {
		switch n := t.slots[i]; {
		case n == 0:
			return 0, i
		case t.get(n-1) == s:
			return n - 1, i
		}
	}
}

func (t *stringTable) grow() {
	t.slots = make([]uint32, 2*len(t.slots))
	for n := 1; n < len(t.ends); n++ {
		_, slot := t.slot(t.get(uint32(n)))
		t.slots[slot] = uint32(n) + 1
	}
}

// clip gives back the memory for further strings.
func (t *stringTable) clip() {
	t.text, t.ends = clipped(t.text), clipped(t.ends)
}

// clipped is the slice in no more memory than it needs, if it has much more.
func clipped[T any](s []T) []T {
	if cap(s)-len(s) < len(s)/16 {
		return s
	}
	return append(make([]T, 0, len(s)), s...)
}
