package concept

import (
	"errors"
	"iter"
	"math"
	"sort"
	"unsafe"
)

// A Lexicon is a compiled lexicon, which refers to the table that it was opened from. Numbers in the table are 32 bits,
// little-endian; a list is its length and its members. A list of lists is a list of the ends of the lists, then a list
// of all their members. Texts are a list of their ends, then all bytes. The table consists of:
//
//	stems      texts, sorted: the stems of the words in phrases
//	phrases    list of lists of numbers, each ascending: the phrases that have each stem
//	rarities   list of numbers: the rarity of each stem, a float32
//	groups     list of numbers: for each phrase its group and, as a float32, the sum of its rarities
//	members    list of lists of numbers: the words of each group
//	words      texts, sorted: words of code
//	counts     list of numbers: how many groups have each word
//	scales     list of numbers: the scale of each group's vector, a float32
//	vectors    the vector of each group: the direction of the mean of its phrases' embeddings, packed by package cosine
type Lexicon struct {
	stems, words                      texts
	phrases, members                  lists
	rarities, phraseGroups, wordCount numbers

	scales  []float32
	vectors []int8
}

var errTable = errors.New("open lexicon: it is cut off")

// Open decodes a table, to which the Lexicon refers.
func Open(table string) (*Lexicon, error) {
	r := reader{rest: table}
	l := &Lexicon{}
	l.stems = r.texts()
	l.phrases = r.lists()
	l.rarities = r.numbers()
	l.phraseGroups = r.numbers()
	l.members = r.lists()
	l.words = r.texts()
	l.wordCount = r.numbers()
	scales := r.numbers()
	l.scales = make([]float32, scales.len())
	for i := range l.scales {
		l.scales[i] = math.Float32frombits(scales.at(i))
	}
	if r.short || len(l.scales) != l.members.ends.len() || len(l.scales) > 0 && len(r.rest)%len(l.scales) != 0 {
		return nil, errTable
	}
	l.vectors = unsafe.Slice((*int8)(unsafe.Pointer(unsafe.StringData(r.rest))), len(r.rest)) // shared with the table like the other parts; it is never written to
	return l, nil
}

func (l *Lexicon) rarity(stem int) float32 { return math.Float32frombits(l.rarities.at(stem)) }

func (l *Lexicon) phrasesOf(stem int) numbers { return l.phrases.at(stem) }

func (l *Lexicon) phrase(n uint32) (group uint32, total float32) {
	return l.phraseGroups.at(2 * int(n)), math.Float32frombits(l.phraseGroups.at(2*int(n) + 1))
}

func (l *Lexicon) wordsOf(group uint32) iter.Seq[uint32] { return l.members.at(int(group)).all() }

func (l *Lexicon) groupsWith(word uint32) uint32 { return l.wordCount.at(int(word)) }

// numbers is an array of 32-bit numbers.
type numbers string

func (n numbers) len() int { return len(n) / 4 }

func (n numbers) at(i int) uint32 {
	return uint32(n[4*i]) | uint32(n[4*i+1])<<8 | uint32(n[4*i+2])<<16 | uint32(n[4*i+3])<<24
}

func (n numbers) all() iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for i := 0; i < n.len() && yield(n.at(i)); i++ {
		}
	}
}

// lists is a list of lists of numbers.
type lists struct{ ends, members numbers }

func (l lists) at(i int) numbers {
	start := 0
	if i > 0 {
		start = int(l.ends.at(i - 1))
	}
	return l.members[4*start : 4*int(l.ends.at(i))]
}

// texts is a list of texts.
type texts struct {
	ends  numbers
	bytes string
}

func (t texts) at(i uint32) string {
	start := uint32(0)
	if i > 0 {
		start = t.ends.at(int(i) - 1)
	}
	return t.bytes[start:t.ends.at(int(i))]
}

func (t texts) find(text string) (int, bool) {
	i := sort.Search(t.ends.len(), func(i int) bool { return t.at(uint32(i)) >= text })
	return i, i < t.ends.len() && t.at(uint32(i)) == text
}

// A reader cuts parts off the beginning of a table; short is set if the table ends too early.
type reader struct {
	rest  string
	short bool
}

func (r *reader) take(size int) string {
	if size < 0 || size > len(r.rest) {
		r.short = true
		return ""
	}
	part := r.rest[:size]
	r.rest = r.rest[size:]
	return part
}

func (r *reader) numbers() numbers {
	head := numbers(r.take(4))
	if r.short {
		return ""
	}
	return numbers(r.take(4 * int(head.at(0))))
}

func (r *reader) lists() lists {
	return lists{r.numbers(), r.numbers()}
}

func (r *reader) texts() texts {
	ends := r.numbers()
	if r.short || ends.len() == 0 {
		return texts{}
	}
	return texts{ends, r.take(int(ends.at(ends.len() - 1)))}
}
