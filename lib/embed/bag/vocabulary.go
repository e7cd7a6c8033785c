package bag

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"cortex/lib/embed/lexicon"
)

// A Class is the kind of a word that is not in the vocabulary. Such a word adds the rows of those of its pieces that
// are in the vocabulary, and a vector of random signs of its own, so that a question with the word finds texts with it.
// The weight of that vector is learned for each class.
type Class uint8

// The classes. A word's length is counted in bytes.
const (
	ShortWord  Class = iota // at most 3 bytes
	MiddleWord              // 4 to 6 bytes
	LongWord                // 7 bytes or more
	Compound                // a whole identifier of several parts
	Digits
	Symbol  // a character of a script without spaces, or two successive ones
	Classes = iota
)

// A Feature is a row that a text adds to its vector.
type Feature struct {
	// Part is the part of the text that the word is in.
	Part Part
	// Row is the row of a word or of a piece of a word. A row from Len on is Len plus the Class of a word that is not
	// in the vocabulary.
	Row int32
	// Count is how often the word occurs in the part.
	Count uint32
	// Hash is the hash of the word; it selects the random signs if Row is a class.
	Hash uint64
}

// A Vocabulary numbers the words that a model knows. It is read-only.
type Vocabulary struct {
	words []string
	slots []vocabularySlot
	mask  uint64
}

type vocabularySlot struct {
	hash uint64
	row  int32 // row plus 1; 0 in a free slot
}

// NewVocabulary returns a vocabulary. The words must be distinct and as lexicon cuts them, in lower case without
// joiners; some may be bigrams as Bigrams returns them. The row of a word is its index.
func NewVocabulary(words []string) *Vocabulary {
	size := 64
	for size < 3*len(words) {
		size *= 2
	}
	v := &Vocabulary{words: words, slots: make([]vocabularySlot, size), mask: uint64(size - 1)}
	for i, w := range words {
		h := lexicon.Hash(w)
		at := h & v.mask
		for v.slots[at].row != 0 && v.slots[at].hash != h {
			at = (at + 1) & v.mask
		}
		if v.slots[at].row == 0 {
			v.slots[at] = vocabularySlot{h, int32(i + 1)}
		}
	}
	return v
}

// Len returns the number of words.
func (v *Vocabulary) Len() int { return len(v.words) }

// Words returns the words by row. The slice belongs to the vocabulary.
func (v *Vocabulary) Words() []string { return v.words }

// Row returns the row of the word with the hash, -1 if there is none.
func (v *Vocabulary) Row(hash uint64) int32 {
	for at := hash & v.mask; ; at = (at + 1) & v.mask {
		slot := &v.slots[at]
		if slot.hash == hash || slot.row == 0 {
			return slot.row - 1
		}
	}
}

// Bounds of words that are cut into pieces: lengths in bytes, and the number of pieces of one word.
const (
	minPiece      = 3
	maxPieces     = 8
	maxPiecedWord = 40
)

// Features appends the rows of a text, in the order of its parts and of the words in each. The first line of a passage
// is the one that embed.Text writes: "PATH: NAME", or one of the two. A path has no blanks; only its last two elements
// count.
func (v *Vocabulary) Features(features []Feature, counter *lexicon.Counter, side Side, text string) []Feature {
	text = lexicon.Normal(text)
	if side == Query {
		return v.bigrams(v.part(features, counter, Question, text), text)
	}
	line := strings.IndexByte(text, '\n')
	if line < 0 {
		line = len(text)
	}
	path := strings.IndexByte(text[:line], ' ')
	switch {
	case path < 0:
		path = line
	case path == 0 || text[path-1] != ':':
		path = 0
	}
	// The folders above are the same for most files of a repository.
	tail := strings.LastIndexByte(text[:path], '/')
	tail = strings.LastIndexByte(text[:max(tail, 0)], '/') + 1
	features = v.part(features, counter, Path, text[tail:path])
	features = v.part(features, counter, Name, text[path:line])
	return v.part(features, counter, Body, text[line:])
}

// part appends the features of one part of a text.
func (v *Vocabulary) part(features []Feature, counter *lexicon.Counter, part Part, text string) []Feature {
	if text == "" {
		return features
	}
	counter.Reset(len(text))
	counter.Scan(text, 0, len(text), 1)
	from := len(features)
	features = v.append(features, counter, text)
	for i := range features[from:] {
		features[from+i].Part = part
	}
	return features
}

// append appends the features of a text whose words counter has counted.
func (v *Vocabulary) append(features []Feature, counter *lexicon.Counter, text string) []Feature {
	words := counter.Words()
	for i := range words {
		w := &words[i]
		if row := v.Row(w.Hash); row >= 0 {
			features = append(features, Feature{Row: row, Count: w.Count, Hash: w.Hash})
			continue
		}
		class := classOf(w)
		features = append(features, Feature{Row: int32(len(v.words)) + int32(class), Count: w.Count, Hash: w.Hash})
		if class == MiddleWord || class == LongWord {
			features = v.pieces(features, text[w.Start:w.End], w.Count)
		}
	}
	return features
}

func classOf(w *lexicon.Word) Class {
	switch w.Kind {
	case lexicon.Whole:
		return Compound
	case lexicon.Number:
		return Digits
	case lexicon.Ideograph:
		return Symbol
	}
	switch length := w.End - w.Start; {
	case length <= 3:
		return ShortWord
	case length <= 6:
		return MiddleWord
	}
	return LongWord
}

// pieces cuts a word into the longest words of the vocabulary, from left to right, and appends their rows. Where no
// word of the vocabulary begins, it skips one byte.
func (v *Vocabulary) pieces(features []Feature, word string, count uint32) []Feature {
	if len(word) > maxPiecedWord {
		word = word[:maxPiecedWord]
	}
	var buf [maxPiecedWord + utf8.UTFMax]byte
	lower := buf[:0]
	for _, r := range word {
		if r == utf8.RuneError || len(lower) >= maxPiecedWord {
			break
		}
		lower = utf8.AppendRune(lower, unicode.ToLower(r))
	}
	found := 0
	for start := 0; start+minPiece <= len(lower) && found < maxPieces; {
		best, end := int32(-1), start+1
		hash := lexicon.NewHash()
		for i := start; i < len(lower); i++ {
			hash = hash.Add(lower[i])
			if i-start+1 < minPiece {
				continue
			}
			if row := v.Row(hash.Sum()); row >= 0 {
				best, end = row, i+1
			}
		}
		if best >= 0 {
			features = append(features, Feature{Row: best, Count: count})
			found++
		}
		start = end
	}
	return features
}

// bigrams appends the rows of the bigrams of a question, once for each occurrence.
func (v *Vocabulary) bigrams(features []Feature, text string) []Feature {
	for bigram := range Bigrams(text) {
		if row := v.Row(lexicon.Hash(bigram)); row >= 0 {
			features = append(features, Feature{Part: Question, Row: row, Count: 1})
		}
	}
	return features
}

// Bigrams returns each pair of successive words of a text, in lower case with a blank between them. A word is a run of
// letters. A bigram can have a meaning that its words do not have: "throw away" does not throw an exception, and "sign
// in" signs nothing.
func Bigrams(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		before := ""
		for word := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) }) {
			if before != "" && !yield(before+" "+word) {
				return
			}
			before = word
		}
	}
}
