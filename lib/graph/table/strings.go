package table

import (
	"cmp"
	"encoding/binary"
	"hash/maphash"
	"math"
	"slices"
	"strings"
	"unsafe"
)

// A stringTable holds each string once, in one piece of memory, and names it by a number. Numbers count from 0,
// which is the empty string.
type stringTable struct {
	text []byte
	// ends is where each string ends; it begins where the one before it ends.
	ends []uint32
	// sorted are strings by their content, and slots what was added after these: a hash table with open addressing, which has a part of the
	// hash above the number plus 1, and 0 where there is none. find looks in both.
	sorted []uint32
	slots  []uint64
	used   int
	seed   maphash.Seed
}

// newStringTable makes a table of the strings that another has, which may be nil.
func newStringTable(before *stringTable) *stringTable {
	t := &stringTable{ends: make([]uint32, 1), slots: make([]uint64, 1<<10), seed: maphash.MakeSeed()}
	if before != nil {
		more := func(n int) int { return n + n/64 + 1<<10 }
		t.text = append(make([]byte, 0, more(len(before.text))), before.text...)
		t.ends = append(make([]uint32, 0, more(len(before.ends))), before.ends...)
		t.sorted = before.sorted
	}
	return t
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
	if t.slots != nil {
		if number, _, _ := t.slot(s); number != 0 {
			return number
		}
	}
	at, found := slices.BinarySearchFunc(t.sorted, s, func(n uint32, s string) int { return cmp.Compare(t.get(n), s) })
	if !found {
		return 0
	}
	return t.sorted[at]
}

// add is find, after the string was added where it was not there. ok is false if the table is full.
func (t *stringTable) add(s []byte) (number uint32, ok bool) {
	if len(s) == 0 {
		return 0, true
	}
	text := unsafe.String(unsafe.SliceData(s), len(s))
	if number = t.find(text); number != 0 {
		return number, true
	}
	if number, ok = t.append(s); !ok {
		return 0, false
	}
	t.note(number)
	return number, true
}

// note lets find know a string.
func (t *stringTable) note(number uint32) {
	known, slot, entry := t.slot(t.get(number))
	if number == 0 || known != 0 {
		return
	}
	t.slots[slot] = entry | uint64(number+1)
	if t.used++; 4*t.used > 3*len(t.slots) {
		t.grow()
	}
}

// append adds a string that nobody will look for.
func (t *stringTable) append(s []byte) (number uint32, ok bool) {
	if len(s) == 0 {
		return 0, true
	}
	if len(t.text)+len(s) > math.MaxUint32 {
		return 0, false
	}
	t.text = append(t.text, s...)
	t.ends = append(t.ends, uint32(len(t.text)))
	return uint32(len(t.ends) - 1), true
}

// slot finds the string, or else the slot for it and what goes there above its number.
func (t *stringTable) slot(s string) (number uint32, slot int, entry uint64) {
	mask := len(t.slots) - 1
	hash := maphash.String(t.seed, s)
	entry = hash &^ math.MaxUint32
	for i := int(hash) & mask; ; i = (i + 1) & mask {
		switch e := t.slots[i]; {
		case e == 0:
			return 0, i, entry
		case e&^math.MaxUint32 == entry && t.get(uint32(e)-1) == s:
			return uint32(e) - 1, i, entry
		}
	}
}

func (t *stringTable) grow() {
	old := t.slots
	t.slots = make([]uint64, 2*len(old))
	mask := len(t.slots) - 1
	for _, e := range old {
		if e == 0 {
			continue
		}
		i := int(maphash.String(t.seed, t.get(uint32(e)-1))) & mask
		for t.slots[i] != 0 {
			i = (i + 1) & mask
		}
		t.slots[i] = e
	}
}

// bytewise sorts strings by their content.
func (t *stringTable) bytewise(numbers []uint32) []uint32 {
	// Most strings differ in their first bytes, which are compared as one number.
	type looked struct {
		first  uint64
		number uint32
	}
	list := make([]looked, len(numbers))
	for i, n := range numbers {
		var first [8]byte
		copy(first[:], t.get(n))
		list[i] = looked{binary.BigEndian.Uint64(first[:]), n}
	}
	slices.SortFunc(list, func(a, b looked) int {
		if a.first != b.first {
			return cmp.Compare(a.first, b.first)
		}
		return strings.Compare(t.get(a.number), t.get(b.number))
	})
	for i := range list {
		numbers[i] = list[i].number
	}
	return numbers
}
