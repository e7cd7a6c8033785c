package token

import (
	"strings"
	"unicode/utf8"
)

// A Set is a set of terms to find in texts.
type Set struct {
	terms map[string]bool
	// lengths has, by first byte of a term, a bit for each length of a term; the last bit is for all greater lengths.
	// It saves most look-ups of terms that are not in the set.
	lengths [256]uint32
	// seconds has, by first byte of a word, a bit for the lowest five bits of each second byte. Upper and lower case
	// share these bits.
	seconds [256]uint32
}

// NewSet returns an empty set.
func NewSet() *Set {
	s := &Set{terms: map[string]bool{}}
	// Folding may change any byte of a word that is not ASCII, so such words are always looked at.
	for c := utf8.RuneSelf; c < len(s.seconds); c++ {
		s.seconds[c] = ^uint32(0)
	}
	return s
}

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

func (s *Set) has(term string) bool {
	return term != "" && s.lengths[term[0]]&lengthBit(term) != 0 && s.terms[term]
}

// next returns the first offset from i on at which a word of the set, or a part of one, may begin.
func (s *Set) next(text string, i int) int {
	for ; i+1 < len(text); i++ {
		if s.seconds[text[i]]>>(text[i+1]&31)&1 != 0 && !(i > 0 && isSmall(text[i]) && isSmall(text[i-1]|0x20)) {
			return i
		}
	}
	return i
}

func isSmall(c byte) bool { return 'a' <= c && c <= 'z' }

// ScanFor calls emit for those tokens of Scan whose terms are in the set, in the same order but without positions. If
// these are few, ScanFor takes a fraction of the time, since it neither splits nor folds other words.
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
				continue // the word is its only term
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
