package embed

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"cortex/lib/hint"
)

// The model hash needs no training and no data: the words of a text and their n-grams
// are hashed to signed components of the vector (Weinberger et al., Feature Hashing for
// Large Scale Multitask Learning, 2009), the n-grams with marks at both ends of a
// word as in fastText (Bojanowski et al., 2017), so that read, reads and reader are near each
// other. Vectors are sums of integers until the last step, hence the same on
// every machine.
const (
	// hashName must change whenever the vectors do, since stores are compared by it.
	hashName       = "hash"
	hashDimensions = 256

	minHashDimensions = 16
	maxHashDimensions = 4096
)

// Weights, in units of 1/256.
const (
	wordWeight   = 256
	wholeWeight  = 160 // of an identifier of several parts
	numberWeight = 96
	gramsWeight  = 160 // of all n-grams of one word together
	stopWeight   = 20  // of words that say nothing
	commonWeight = 90  // of words that say little in code
	titleCount   = 3   // how often a word of the first line counts
)

// Bounds on what one text costs.
const (
	maxWords     = 4096 // distinct
	maxGramRunes = 30   // of a word
	maxCount     = 64
)

// hashEmbedder is the provider hash.
type hashEmbedder struct {
	model   string
	dims    int
	weights *weightTable
	sums    sync.Pool // of *hashSum
}

func openHash(_ context.Context, cfg Config) (Embedder, error) {
	dims := cfg.Dimensions
	if cfg.Model != "" && cfg.Model != hashName {
		named, ok := hashModel(cfg.Model)
		if !ok {
			return nil, hint.Wrap(fmt.Errorf("unknown model %q of the embedding provider hash", cfg.Model),
				"leave embedding.model empty, or choose another embedding.provider")
		}
		if dims != 0 && dims != named {
			return nil, fmt.Errorf("model %q has %d dimensions, not %d", cfg.Model, named, dims)
		}
		dims = named
	}
	if dims == 0 {
		dims = hashDimensions
	}
	if dims < minHashDimensions || dims > maxHashDimensions {
		return nil, fmt.Errorf("embedding provider hash: expected %d to %d dimensions, not %d", minHashDimensions, maxHashDimensions, dims)
	}
	if cfg.Endpoint != "" {
		return nil, hint.Wrap(fmt.Errorf("embedding provider hash has no endpoint, but embedding.endpoint is %q", cfg.Endpoint),
			"choose the embedding.provider that the endpoint belongs to")
	}
	return newHash(dims), nil
}

func newHash(dims int) *hashEmbedder {
	e := &hashEmbedder{
		model:   hashName + "-" + strconv.Itoa(dims),
		dims:    dims,
		weights: newWeightTable(),
	}
	e.sums.New = func() any { return newHashSum(dims) }
	return e
}

// hashModel returns the dimensions that the name of a model of this provider tells.
func hashModel(model string) (dims int, ok bool) {
	digits, ok := strings.CutPrefix(model, hashName+"-")
	if !ok {
		return 0, false
	}
	dims, err := strconv.Atoi(digits)
	return dims, err == nil && strconv.Itoa(dims) == digits && dims >= minHashDimensions && dims <= maxHashDimensions
}

func hashMade(model string, _ Config) (Config, bool) {
	dims, ok := hashModel(model)
	return Config{Provider: hashName, Dimensions: dims}, ok
}

func (e *hashEmbedder) Model() string   { return e.model }
func (e *hashEmbedder) Dimensions() int { return e.dims }
func (e *hashEmbedder) Close() error    { return nil }

// Embed implements Embedder. A text without any word has the vector of one feature
// that no other text has, so that every vector has length 1.
func (e *hashEmbedder) Embed(ctx context.Context, mode Mode, texts []string) ([][]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	sum := e.sums.Get().(*hashSum)
	defer e.sums.Put(sum)
	vectors := make([][]float32, len(texts))
	all := make([]float32, len(texts)*e.dims)
	for i, text := range texts {
		vectors[i] = all[i*e.dims : (i+1)*e.dims : (i+1)*e.dims]
		sum.embed(vectors[i], e.weights, mode, text)
	}
	return vectors, nil
}

// A word is a distinct word of a text: a part of an identifier, or a whole one.
type word struct {
	hash       uint64
	start, end uint32 // in the text; of its first occurrence
	count      uint32
	kind       wordKind
}

type wordKind uint8

const (
	partWord wordKind = iota
	wholeWord
	numberWord
	ideographWord // one or two characters of a script without spaces
)

// hashSum embeds one text after another.
type hashSum struct {
	sums  []int64
	words []word
	slots []uint16 // open addressing: index into words + 1, 0 where free
	mask  uint64
	runes []uint32
}

func newHashSum(dims int) *hashSum {
	return &hashSum{
		sums:  make([]int64, dims),
		words: make([]word, 0, 256),
		slots: make([]uint16, 2*maxWords),
		runes: make([]uint32, 0, maxGramRunes+2),
	}
}

func (s *hashSum) embed(vector []float32, weights *weightTable, mode Mode, text string) {
	text = normal(text)
	s.reset(len(text))
	if mode == Passage {
		head := strings.IndexByte(text, '\n') + 1
		s.scan(text, 0, head, titleCount)
		s.scan(text, head, len(text), 1)
	} else {
		s.scan(text, 0, len(text), 1)
	}
	for i := range s.words {
		s.add(text, &s.words[i], weights)
	}
	s.normalise(vector)
}

// normal brings accents to the form in which they are mostly written.
func normal(text string) string {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			if !norm.NFC.IsNormalString(text[i:]) {
				return norm.NFC.String(text)
			}
			break
		}
	}
	return text
}

// reset makes room for the words of a text of the given length in bytes.
func (s *hashSum) reset(length int) {
	clear(s.sums)
	s.words = s.words[:0]
	size := min(2*maxWords, max(64, 1<<bits.Len(uint(length))))
	clear(s.slots[:size])
	s.mask = uint64(size - 1)
}

// count counts a word of the text.
func (s *hashSum) count(hash uint64, start, end int, kind wordKind, times uint32) {
	hash = mix(hash)
	at := hash & s.mask
	for {
		i := s.slots[at]
		if i == 0 {
			break
		}
		if w := &s.words[i-1]; w.hash == hash {
			w.count += times
			if kind == partWord {
				w.kind = partWord
			}
			return
		}
		at = (at + 1) & s.mask
	}
	// Half of the slots stay free, so that the loop above ends soon.
	if 2*uint64(len(s.words)) > s.mask {
		return
	}
	s.words = append(s.words, word{hash, uint32(start), uint32(end), times, kind})
	s.slots[at] = uint16(len(s.words))
}

// Hashing is FNV-1a over lower-cased UTF-8, finished by mix.
const (
	fnvOffset = 14695981039346656037
	fnvPrime  = 1099511628211
)

// mix is the finisher of MurmurHash3 (Appleby).
func mix(h uint64) uint64 {
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
	joiner // the underscore: in an identifier, between its parts
	ideograph
)

// asciiClass returns the class of a byte below 0x80.
func asciiClass(c byte) uint8 {
	switch {
	case 'a' <= c && c <= 'z':
		return lower
	case 'A' <= c && c <= 'Z':
		return upper
	case '0' <= c && c <= '9':
		return digit
	case c == '_':
		return joiner
	}
	return other
}

// runeClass returns the class of a character.
func runeClass(r rune) uint8 {
	switch {
	case r < utf8.RuneSelf:
		return asciiClass(byte(r))
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

func classAt(text string, i int) (class uint8, r rune, size int) {
	if i >= len(text) {
		return other, 0, 0
	}
	if c := text[i]; c < utf8.RuneSelf {
		return asciiClass(c), rune(c), 1
	}
	r, size = utf8.DecodeRuneInString(text[i:])
	return runeClass(r), r, size
}

// scan counts the words in text[start:end].
func (s *hashSum) scan(text string, start, end int, times uint32) {
	text = text[:end]
	for i := start; i < end; {
		class, _, size := classAt(text, i)
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

// identifier counts the parts of the identifier at start, and the whole if there are
// several, and returns where it ends. Parts end at underscores, at digits, and where
// camelCase and HTTPServer turn.
func (s *hashSum) identifier(text string, start int, times uint32) int {
	whole, part := uint64(fnvOffset), uint64(fnvOffset)
	from, parts := start, 0
	last := uint8(joiner)
	i := start
	for {
		class, r, size := classAt(text, i)
		in := class == lower || class == upper || class == digit
		if !in || turns(text, i+size, last, class) {
			if i > from && last != joiner {
				s.countPart(part, from, i, last, times)
				parts++
			}
			from, part = i, fnvOffset
		}
		if class == joiner {
			from = i + size
		} else if !in {
			break
		} else if r < utf8.RuneSelf {
			c := uint64(r)
			if class == upper {
				c += 'a' - 'A'
			}
			whole = (whole ^ c) * fnvPrime
			part = (part ^ c) * fnvPrime
		} else {
			whole = hashRune(whole, unicode.ToLower(r))
			part = hashRune(part, unicode.ToLower(r))
		}
		last = class
		i += size
	}
	if parts > 1 {
		s.count(whole, start, i, wholeWord, times)
	}
	return i
}

// turns reports whether a new part of an identifier begins with a character of the
// given class, after one of class last; next is where the following one stands.
func turns(text string, next int, last, class uint8) bool {
	if last == joiner || last == class && class != upper {
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
	// HTTPServer turns before the S, but the plural IDs does not turn.
	following, r, size := classAt(text, next)
	if following != lower {
		return false
	}
	if r == 's' {
		after, _, _ := classAt(text, next+size)
		return after == lower
	}
	return true
}

func (s *hashSum) countPart(hash uint64, start, end int, last uint8, times uint32) {
	switch {
	case last == digit:
		s.count(hash, start, end, numberWord, times)
	case end-start > 1:
		s.count(hash, start, end, partWord, times)
	}
}

func hashRune(h uint64, r rune) uint64 {
	var buf [utf8.UTFMax]byte
	for _, c := range buf[:utf8.EncodeRune(buf[:], r)] {
		h = (h ^ uint64(c)) * fnvPrime
	}
	return h
}

// ideographs counts the characters, alone and in pairs, of a run in a script without
// spaces, and returns where it ends.
func (s *hashSum) ideographs(text string, start int, times uint32) int {
	i, before := start, -1
	for {
		class, r, size := classAt(text, i)
		if class != ideograph {
			return i
		}
		s.count(hashRune(fnvOffset, r), i, i+size, ideographWord, times)
		if before >= 0 {
			previous, _ := utf8.DecodeRuneInString(text[before:])
			s.count(hashRune(hashRune(fnvOffset, previous), r), before, i+size, ideographWord, times)
		}
		before = i
		i += size
	}
}

// add adds what a word says to the sums.
func (s *hashSum) add(text string, w *word, weights *weightTable) {
	weight := weights.count(w.count)
	switch w.kind {
	case wholeWord:
		s.put(w.hash, weight*wholeWeight)
	case numberWord:
		s.put(w.hash, weight*numberWeight)
	case ideographWord:
		s.put(w.hash, weight*wordWeight)
	default:
		own := weights.word(w.hash)
		s.put(w.hash, weight*own)
		if own > commonWeight {
			s.grams(text[w.start:w.end], weight, weights)
		}
	}
}

// grams adds the n-grams of a word with n 3 and 4.
func (s *hashSum) grams(text string, weight int64, weights *weightTable) {
	runes := append(s.runes[:0], '<')
	for _, r := range text {
		if len(runes) > maxGramRunes {
			break
		}
		if r < utf8.RuneSelf {
			if 'A' <= r && r <= 'Z' {
				r += 'a' - 'A'
			}
		} else {
			r = unicode.ToLower(r)
		}
		runes = append(runes, uint32(r))
	}
	runes = append(runes, '>')
	s.runes = runes
	if len(runes) < 5 {
		// The one gram of two letters is the word itself.
		return
	}
	// The squares of n weights add up to the square of gramsWeight.
	weight = weight * gramsWeight * one / weights.root(2*len(runes)-5)
	for i := 0; i+3 <= len(runes); i++ {
		h := uint64(runes[i])<<42 ^ uint64(runes[i+1])<<21 ^ uint64(runes[i+2])
		s.put(mix(h), weight)
		if i+4 <= len(runes) {
			s.put(mix(h*fnvPrime^uint64(runes[i+3])), weight)
		}
	}
}

// put adds a signed weight to the component that the hash chooses.
func (s *hashSum) put(hash uint64, weight int64) {
	at := (hash >> 32) * uint64(len(s.sums)) >> 32
	sign := int64(hash&1)<<1 - 1
	s.sums[at] += sign * weight
}

// normalise writes the sums to vector as a vector of length 1.
func (s *hashSum) normalise(vector []float32) {
	squares := 0.0
	for _, x := range s.sums {
		// The conversion keeps the compiler from fusing the sum with the product, which
		// some machines round otherwise.
		squares += float64(float64(x) * float64(x))
	}
	if squares == 0 {
		s.put(mix(fnvOffset), 1)
		squares = 1
	}
	length := math.Sqrt(squares)
	for i, x := range s.sums {
		vector[i] = float32(float64(x) / length)
	}
}
