// Package glob matches paths against patterns: those of settings and filters (pattern.go), and those of git's ignore
// files (ignore.go). Begin with glob.go, which matches a path.
//
// Patterns and paths come from untrusted people, assistants and repositories, so a match must take bounded time for any
// input. A Set is a bit-parallel automaton (Baeza-Yates and Gonnet 1992, Navarro and Raffinot 2002): a match takes one
// step for each byte of the path and each 64 bytes of all patterns, whatever braces and stars they have.
package glob

import (
	"math/bits"
	"slices"
	"unicode/utf8"
)

// A Set is a list of patterns that are matched at the same time. It is safe for concurrent use. A nil Set has no
// patterns.
type Set struct {
	// words is the length of a bit vector of states, in words of 64 bits.
	words int
	// class maps each byte to its class: bytes that all patterns treat alike. For each class, moves is the vector of
	// states that advance to the next state, and stays the vector of states that remain active.
	class        [256]uint8
	moves, stays []uint64
	// start are the states before the first byte. waits are states that, once entered, become active again after each
	// further slash.
	start, waits []uint64
	// accept are the states in which a pattern has matched. owner is the number of each state's pattern.
	accept []uint64
	owner  []int32
}

// smallSet is the number of words up to which a match allocates no memory.
const smallSet = 8

// Match reports whether a pattern matches the whole path.
func (s *Set) Match(path string) bool {
	return s.Last(path, func(int) bool { return true }) >= 0
}

// Last returns the greatest number of a pattern that matches the whole path and for which counts is true, or -1.
func (s *Set) Last(path string, counts func(pattern int) bool) int {
	if s == nil {
		return -1
	}
	var small [2 * smallSet]uint64
	vectors := small[:]
	if s.words > smallSet {
		vectors = make([]uint64, 2*s.words)
	}
	states, waiting := vectors[:s.words], vectors[s.words:2*s.words]
	if !s.run(path, states, waiting) {
		return -1
	}
	for w := s.words - 1; w >= 0; w-- {
		for matched := states[w] & s.accept[w]; matched != 0; {
			bit := bits.Len64(matched) - 1
			matched &^= 1 << bit
			if pattern := int(s.owner[w*64+bit]); counts(pattern) {
				return pattern
			}
		}
	}
	return -1
}

// run sets states, which are all zero, to the active states after the path. It returns false if there are none.
func (s *Set) run(path string, states, waiting []uint64) bool {
	copy(states, s.start)
	for w, state := range states {
		waiting[w] = state & s.waits[w]
	}
	for i := range len(path) {
		class := int(s.class[path[i]]) * s.words
		moves, stays := s.moves[class:class+s.words], s.stays[class:class+s.words]
		slash := path[i] == '/'
		var carry, alive uint64
		for w, state := range states {
			if state|carry == 0 && !slash {
				alive |= waiting[w]
				continue
			}
			moved := state & moves[w]
			next := moved<<1 | carry | state&stays[w]
			carry = moved >> 63
			if slash {
				next |= waiting[w]
			}
			waiting[w] |= next & s.waits[w]
			states[w] = next
			alive |= next | waiting[w]
		}
		if alive == 0 {
			return false
		}
	}
	return true
}

// A builder makes a Set, one pattern after the other. The last state is where the pattern being added continues.
type builder struct {
	states []state
}

// A state is a position in a pattern.
type state struct {
	owner int32
	// passes are the bytes that advance to the next state. The last state of a pattern has none.
	passes byteSet
	// These keep the state active: star for any byte but a slash, all for any byte, rest for the continuation bytes of
	// a UTF-8 character.
	star, all, rest bool
	start, waits    bool
	accept          bool
}

// begin starts a pattern, or a further form of the last one.
func (b *builder) begin(owner int) {
	b.states = append(b.states, state{owner: int32(owner), start: true})
}

func (b *builder) here() *state { return &b.states[len(b.states)-1] }

// pass adds a state that any byte of the set leads to.
func (b *builder) pass(set byteSet) {
	b.here().passes = set
	b.states = append(b.states, state{owner: b.here().owner})
}

func (b *builder) literal(text string) {
	for i := range len(text) {
		b.pass(oneByte(text[i]))
	}
}

// end marks the last state as a match.
func (b *builder) end() { b.here().accept = true }

// set returns the Set of all patterns; nil if there are none.
func (b *builder) set() *Set {
	if len(b.states) == 0 {
		return nil
	}
	s := &Set{words: (len(b.states) + 63) / 64}
	vector := func() []uint64 { return make([]uint64, s.words) }
	s.start, s.waits, s.accept = vector(), vector(), vector()
	// For each byte, its moves and stays. Most bytes have equal ones.
	table := make([]uint64, 256*2*s.words)
	of := func(c int) (moves, stays []uint64) {
		row := table[c*2*s.words : (c+1)*2*s.words]
		return row[:s.words], row[s.words:]
	}
	star, all, rest := vector(), vector(), vector()
	for i, state := range b.states {
		w, bit := i/64, uint64(1)<<(i%64)
		s.owner = append(s.owner, state.owner)
		for _, flag := range []struct {
			on     bool
			vector []uint64
		}{{state.start, s.start}, {state.waits, s.waits}, {state.accept, s.accept}, {state.star, star}, {state.all, all}, {state.rest, rest}} {
			if flag.on {
				flag.vector[w] |= bit
			}
		}
		state.passes.each(func(c byte) {
			moves, _ := of(int(c))
			moves[w] |= bit
		})
	}
	s.owner = slices.Clip(s.owner)
	var alike []int // one byte of each class
	for c := range 256 {
		moves, stays := of(c)
		for w := range stays {
			stays[w] = all[w]
			if c != '/' {
				stays[w] |= star[w]
			}
			if !utf8.RuneStart(byte(c)) {
				stays[w] |= rest[w]
			}
		}
		known := slices.IndexFunc(alike, func(other int) bool {
			m, t := of(other)
			return slices.Equal(moves, m) && slices.Equal(stays, t)
		})
		if known < 0 {
			known = len(alike)
			alike = append(alike, c)
			s.moves, s.stays = append(s.moves, moves...), append(s.stays, stays...)
		}
		s.class[c] = uint8(known)
	}
	return s
}

// A byteSet is a set of bytes.
type byteSet [4]uint64

func oneByte(c byte) byteSet {
	var s byteSet
	s.add(c)
	return s
}

// bytesWhere returns the set of bytes for which in is true.
func bytesWhere(in func(c byte) bool) byteSet {
	var s byteSet
	for c := range 256 {
		if in(byte(c)) {
			s.add(byte(c))
		}
	}
	return s
}

func (s *byteSet) add(c byte)     { s[c/64] |= 1 << (c % 64) }
func (s byteSet) has(c byte) bool { return s[c/64]&(1<<(c%64)) != 0 }

func (s byteSet) each(f func(c byte)) {
	for w, word := range s {
		for ; word != 0; word &= word - 1 {
			f(byte(w*64 + bits.TrailingZeros64(word)))
		}
	}
}
