package graph

import (
	"cmp"
	"hash/maphash"
	"math"
	"slices"
	"unsafe"
)

// A stringTable holds each string once, in one piece of memory, and names it by a number. Numbers count from 0,
// which is the empty string.
type stringTable struct {
	text []byte
	// ends is where each string ends; it begins where the one before it ends.
	ends []uint32
	// slots is a hash table with open addressing: a part of the hash above the number plus 1, and 0 where there is none.
	slots []uint64
	used  int
	seed  maphash.Seed
	// sorted are strings by their content: what find looks in where there are no slots.
	sorted []uint32
}

// newStringTable makes a table, with room for so many strings and bytes of text if they are known.
func newStringTable(count, size int) *stringTable {
	slots := 1 << 10
	for 3*slots < 4*count {
		slots *= 2
	}
	return &stringTable{text: make([]byte, 0, size), ends: make([]uint32, 1, 1+count), slots: make([]uint64, slots), seed: maphash.MakeSeed()}
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
	if t.slots == nil {
		at, found := slices.BinarySearchFunc(t.sorted, s, func(n uint32, s string) int { return cmp.Compare(t.get(n), s) })
		if !found {
			return 0
		}
		return t.sorted[at]
	}
	number, _, _ := t.slot(s)
	return number
}

// add is find, after the string was added where it was not there. ok is false if the table is full.
func (t *stringTable) add(s []byte) (number uint32, ok bool) {
	if len(s) == 0 {
		return 0, true
	}
	number, slot, entry := t.slot(unsafe.String(unsafe.SliceData(s), len(s)))
	if number != 0 {
		return number, true
	}
	if number, ok = t.append(s); !ok {
		return 0, false
	}
	t.slots[slot] = entry | uint64(number+1)
	if t.used++; 4*t.used > 3*len(t.slots) {
		t.grow()
	}
	return number, true
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
