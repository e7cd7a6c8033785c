package bag

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"cortex/lib/embed/lexicon"
)

// A Class is what is known of a word that the vocabulary lacks. Such a word is added to the sum
// as its pieces that the vocabulary has, and as a vector of random signs that is its own, so
// that it is found where it stands again. How much that counts is learned for each class.
type Class uint8

// The classes. A word's length is counted in bytes.
const (
	ShortWord  Class = iota // of at most 3
	MiddleWord              // of 4 to 6
	LongWord                // of 7 or more
	Compound                // a whole identifier of several parts
	Digits
	Symbol  // a character of a script without spaces, or a pair of them
	Classes = iota
)

// A Feature is a row that a text adds to its vector.
type Feature struct {
	// Part is where the word stands.
	Part Part
	// Row is the row of a word or of a piece of one; from Len on it is Len plus the Class of
	// a word without a row.
	Row int32
	// Count is how often the word stands in the text.
	Count uint32
	// Hash is the word's; it chooses the signs if Row is a class.
	Hash uint64
}

// A Vocabulary numbers the words that a model knows. It is read only.
type Vocabulary struct {
	words []string
	slots []vocabularySlot
	mask  uint64
}

type vocabularySlot struct {
	hash uint64
	row  int32 // + 1; 0 where free
}

// NewVocabulary returns the vocabulary of the words, which are in lower case as lexicon cuts
// them, without joiners, and distinct. Some may be bigrams, as Bigrams writes them. A word's row is its index.
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

// Len is the number of words.
func (v *Vocabulary) Len() int { return len(v.words) }

// Words are the words by row. The slice is the vocabulary's own.
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

// Bounds of words that are cut into pieces, in bytes.
const (
	minPiece      = 3
	maxPieces     = 8
	maxPiecedWord = 40
)

// Features appends the rows of a text, in the order of its parts and of the words of each. Of a passage, the
// first line is what embed.Text puts there: "PATH: NAME", or one of both; a path has no blanks, and
// its last two elements count.
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
	// All files of a repository share the folders above.
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

// pieces appends the longest words of the vocabulary with which what is left of the word
// begins, one after another; where none begins, one character is passed over.
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

// bigrams appends the rows of the bigrams of a question, each as often as it stands there.
func (v *Vocabulary) bigrams(features []Feature, text string) []Feature {
	for bigram := range Bigrams(text) {
		if row := v.Row(lexicon.Hash(bigram)); row >= 0 {
			features = append(features, Feature{Part: Question, Row: row, Count: 1})
		}
	}
	return features
}

// Bigrams yields each two words of a text that follow each other, in lower case with a blank between them. A word is a row of letters. A bigram has a meaning
// that its words alone do not have: "throw away" does not throw an exception, and "sign in" signs nothing.
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

// IsBigram reports whether a word of a vocabulary is a bigram.
func IsBigram(word string) bool { return strings.Contains(word, " ") }
