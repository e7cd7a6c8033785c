package token

import (
	"strings"
	"unicode/utf8"
)

// A Set is a set of terms that are looked for in texts.
type Set struct {
	terms map[string]bool
	// lengths has a bit for each length that terms with this first byte have, the last one for all longer ones. Most terms that are not in the set need no look into the map.
	lengths [256]uint32
	// seconds has a bit for each second byte of words that begin with this byte, by the lowest five bits, which capitals and small letters share.
	seconds [256]uint32
}

// NewSet makes an empty set.
func NewSet() *Set {
	s := &Set{terms: map[string]bool{}}
	// Folding may change a word that is not ASCII as a whole, so it is looked at whatever it begins with.
	for c := utf8.RuneSelf; c < len(s.seconds); c++ {
		s.seconds[c] = ^uint32(0)
	}
	return s
}

// Add adds a term.
func (s *Set) Add(term string) {
	if term == "" || s.terms[term] {
		return
	}
	s.terms[term] = true
	s.lengths[term[0]] |= lengthBit(term)
	word := strings.TrimLeft(term, "@#$-") // without its sigil
	if word == "" {
		return
	}
	bits := ^uint32(0)
	if len(word) > 1 && word[1] < utf8.RuneSelf {
		bits = 1 << (word[1] & 31)
	}
	s.seconds[word[0]] |= bits
	if 'a' <= word[0] && word[0] <= 'z' {
		s.seconds[word[0]-'a'+'A'] |= bits
	}
}

func lengthBit(term string) uint32 { return 1 << min(len(term), 31) }

// has reports whether the term is in the set.
func (s *Set) has(term string) bool {
	return term != "" && s.lengths[term[0]]&lengthBit(term) != 0 && s.terms[term]
}

// next is the first byte from i on at which a word of the set, or a part of one, may begin.
func (s *Set) next(text string, i int) int {
	for ; i+1 < len(text); i++ {
		if s.seconds[text[i]]>>(text[i+1]&31)&1 != 0 && !(i > 0 && isSmall(text[i]) && isSmall(text[i-1]|0x20)) {
			return i
		}
	}
	return i
}

func isSmall(c byte) bool { return 'a' <= c && c <= 'z' }

// ScanFor calls emit for those tokens of Scan whose terms are in the set, in the same order but without positions. Where these are few it takes a fraction of the time,
// since other words are neither cut into parts nor folded.
func ScanFor(text string, set *Set, emit func(Token)) {
	some := func(t Token) {
		if set.has(t.Term) {
			t.From, t.To = 0, 0
			emit(t)
		}
	}
	for i := set.next(text, 0); i < len(text); i = set.next(text, i) {
		r, size := utf8.DecodeRuneInString(text[i:])
		start := i
		for start > 0 && isASCIIWord(text[start-1]) {
			start--
		}
		switch kind := classOf(r); {
		case kind == wordChar, isJoiner(r) && start < i:
			i = wordEnd(text, i)
			if word := text[start:i]; plain(word) && !set.has(word) && sigilBefore(text[:start]) == 0 {
				continue // it has no other terms
			}
			scanWord(text, start, i, 0, some)
		case kind == single:
			end := i + size + marksAfter(text[i+size:])
			some(Token{Term: Fold(text[i:end]), Start: i, End: end})
			i = end
		default:
			i += size
		}
	}
}
