// Package lexicon splits texts into the words of the embedding models of this module: parts of identifiers, whole
// identifiers, numbers, and characters of scripts without spaces. Training and use must split texts in the same way, so
// both use this package. Begin with Counter.
package lexicon

import (
	"math/bits"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// A Word is a distinct word of a text. Words that differ only in case are the same.
type Word struct {
	Hash       uint64
	Start, End uint32 // bytes of its first occurrence in the text
	Count      uint32
	Kind       Kind
}

// Kind is the kind of a word.
type Kind uint8

const (
	// Part is a part of an identifier with at least two bytes.
	Part Kind = iota
	// Whole is an identifier of several parts; readLine and read_line are the same.
	Whole
	// Number is a run of digits.
	Number
	// Ideograph is one character of a script without spaces, or two successive ones.
	Ideograph
)

// MaxWords is the greatest number of distinct words that a Counter counts.
const MaxWords = 4096

// A Counter counts the words of a text. It must not be used by several goroutines at once.
type Counter struct {
	words   []Word
	slots   []uint16 // open addressing: index into words plus 1, 0 in a free slot
	mask    uint64
	classes [utf8.RuneSelf]uint8
}

// NewCounter returns a counter.
func NewCounter() *Counter {
	return &Counter{
		words:   make([]Word, 0, 256),
		slots:   make([]uint16, 2*MaxWords),
		classes: newClasses(),
	}
}

// Reset removes all words and makes room for those of a text with the given length in bytes.
func (s *Counter) Reset(length int) {
	s.words = s.words[:0]
	size := min(2*MaxWords, max(64, 1<<bits.Len(uint(length))))
	clear(s.slots[:size])
	s.mask = uint64(size - 1)
}

// Words returns the words counted since Reset, in the order of their first occurrence. The slice belongs to the
// counter.
func (s *Counter) Words() []Word { return s.words }

// Normal returns the text in Unicode normal form C, which Scan expects.
func Normal(text string) string {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			// A combining accent belongs to the character before it.
			if !norm.NFC.IsNormalString(text[max(0, i-1):]) {
				return norm.NFC.String(text)
			}
			break
		}
	}
	return text
}

// Hash returns the hash of a word in lower case, as in Word.Hash.
func Hash(word string) uint64 {
	h := NewHash()
	for i := range len(word) {
		h = h.Add(word[i])
	}
	return h.Sum()
}

// A Hasher computes the hash of a word byte by byte.
type Hasher uint64

// NewHash returns the Hasher of the empty word.
func NewHash() Hasher { return fnvOffset }

// Add returns the Hasher of the word with c appended.
func (h Hasher) Add(c byte) Hasher { return (h ^ Hasher(c)) * fnvPrime }

// Sum returns the hash of the word.
func (h Hasher) Sum() uint64 { return Mix(uint64(h)) }

// count counts a word of the text; hash is not yet mixed.
func (s *Counter) count(hash uint64, start, end int, kind Kind, times uint32) {
	hash = Mix(hash)
	at := hash & s.mask
	for {
		i := s.slots[at]
		if i == 0 {
			break
		}
		if w := &s.words[i-1]; w.Hash == hash {
			w.Count += times
			if kind == Part && w.Kind != Part {
				// Its position must be that of the word itself, not of read_line or readLine.
				w.Kind, w.Start, w.End = kind, uint32(start), uint32(end)
			}
			return
		}
		at = (at + 1) & s.mask
	}
	// Half of the slots stay free, so that the loop above is short.
	if 2*uint64(len(s.words)) > s.mask {
		return
	}
	s.words = append(s.words, Word{hash, uint32(start), uint32(end), times, kind})
	s.slots[at] = uint16(len(s.words))
}

// Hashing is FNV-1a over lower-cased UTF-8, finished by Mix.
const (
	fnvOffset = 14695981039346656037
	fnvPrime  = 1099511628211
)

// Mix is the finisher of MurmurHash3 (Appleby).
func Mix(h uint64) uint64 {
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}

// The classes of characters.
const (
	other = iota
	lower
	upper
	digit
	joiner // the underscore, between parts of an identifier
	ideograph
)

// runeClass returns the class of a character.
func runeClass(r rune) uint8 {
	switch {
	case 'a' <= r && r <= 'z':
		return lower
	case 'A' <= r && r <= 'Z':
		return upper
	case '0' <= r && r <= '9':
		return digit
	case r == '_':
		return joiner
	case r < utf8.RuneSelf:
		return other
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar):
		return ideograph
	case unicode.IsUpper(r):
		return upper
	case unicode.IsLetter(r), unicode.IsMark(r):
		return lower
	case unicode.IsDigit(r):
		return digit
	}
	return other
}

func newClasses() (classes [utf8.RuneSelf]uint8) {
	for c := range classes {
		classes[c] = runeClass(rune(c))
	}
	return classes
}

// classAt returns the class of the character at i; other at the end of the text.
func (s *Counter) classAt(text string, i int) (class uint8, r rune, size int) {
	if i < len(text) && text[i] < utf8.RuneSelf {
		return s.classes[text[i]], rune(text[i]), 1
	}
	return classBeyondASCII(text, i)
}

func classBeyondASCII(text string, i int) (class uint8, r rune, size int) {
	if i >= len(text) {
		return other, 0, 0
	}
	r, size = utf8.DecodeRuneInString(text[i:])
	return runeClass(r), r, size
}

// Scan counts the words in text[start:end]; each occurrence counts times times.
func (s *Counter) Scan(text string, start, end int, times uint32) {
	text = text[:end]
	for i := start; i < len(text); {
		class, _, size := s.classAt(text, i)
		switch class {
		case lower, upper, digit:
			i = s.identifier(text, i, times)
		case ideograph:
			i = s.ideographs(text, i, times)
		default:
			i += size
		}
	}
}

// identifier counts the parts of the identifier at start, and the whole identifier if it has several parts, and returns
// its end. Parts end at underscores, at digits, and where the case changes, as in camelCase and HTTPServer.
func (s *Counter) identifier(text string, start int, times uint32) int {
	whole, part := uint64(fnvOffset), uint64(fnvOffset)
	from, parts := start, 0
	last := uint8(joiner)
	i := start
	for {
		if last == lower {
			// Fast path for lower-case ASCII letters, the most frequent characters.
			for i < len(text) && 'a' <= text[i] && text[i] <= 'z' {
				c := uint64(text[i])
				whole = (whole ^ c) * fnvPrime
				part = (part ^ c) * fnvPrime
				i++
			}
		}
		class, r, size := s.classAt(text, i)
		in := class == lower || class == upper || class == digit
		if last != joiner && (!in || s.turns(text, i+size, last, class)) {
			s.countPart(part, from, i, last, times)
			parts++
			from, part = i, fnvOffset
		}
		switch {
		case class == joiner:
			from, part = i+size, fnvOffset
		case !in:
			if parts > 1 {
				s.count(whole, start, i, Whole, times)
			}
			return i
		case r < utf8.RuneSelf:
			c := uint64(r)
			if class == upper {
				c += 'a' - 'A'
			}
			whole = (whole ^ c) * fnvPrime
			part = (part ^ c) * fnvPrime
		default:
			whole = hashRune(whole, unicode.ToLower(r))
			part = hashRune(part, unicode.ToLower(r))
		}
		last = class
		i += size
	}
}

// turns reports whether a character of the given class begins a new part of an identifier, after a character of class
// last; next is the offset of the character after it.
func (s *Counter) turns(text string, next int, last, class uint8) bool {
	if last == class && class != upper {
		return false
	}
	if class == digit || last == digit {
		return true
	}
	if class != upper {
		return false
	}
	if last == lower {
		return true
	}
	// HTTPServer has a new part at the S, but the plural IDs has none.
	following, r, size := s.classAt(text, next)
	if following != lower {
		return false
	}
	if r == 's' {
		after, _, _ := s.classAt(text, next+size)
		return after == lower
	}
	return true
}

func (s *Counter) countPart(hash uint64, start, end int, last uint8, times uint32) {
	switch {
	case last == digit:
		s.count(hash, start, end, Number, times)
	case end-start > 1:
		s.count(hash, start, end, Part, times)
	}
}

func hashRune(h uint64, r rune) uint64 {
	var buf [utf8.UTFMax]byte
	for _, c := range buf[:utf8.EncodeRune(buf[:], r)] {
		h = (h ^ uint64(c)) * fnvPrime
	}
	return h
}

// ideographs counts the characters of a run in a script without spaces, alone and in pairs, and returns its end.
func (s *Counter) ideographs(text string, start int, times uint32) int {
	i, before := start, -1
	for {
		class, r, size := s.classAt(text, i)
		if class != ideograph {
			return i
		}
		s.count(hashRune(fnvOffset, r), i, i+size, Ideograph, times)
		if before >= 0 {
			previous, _ := utf8.DecodeRuneInString(text[before:])
			s.count(hashRune(hashRune(fnvOffset, previous), r), before, i+size, Ideograph, times)
		}
		before = i
		i += size
	}
}
