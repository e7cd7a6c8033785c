package embed

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"cortex/lib/embed/lexicon"
	"cortex/lib/embed/provider"
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

// hashEmbedder is the provider hash.
type hashEmbedder struct {
	model   string
	dims    int
	weights *weightTable
	sums    sync.Pool // of *hashSum
}

func openHash(_ context.Context, cfg provider.Config) (provider.Embedder, error) {
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

func hashMade(model string, _ provider.Config) (provider.Config, bool) {
	dims, ok := hashModel(model)
	return provider.Config{Provider: hashName, Dimensions: dims}, ok
}

func (e *hashEmbedder) Model() string   { return e.model }
func (e *hashEmbedder) Dimensions() int { return e.dims }
func (e *hashEmbedder) Close() error    { return nil }

func (e *hashEmbedder) Card() provider.Card {
	return provider.Card{Text: "Hashed words and n-grams, without training or data."}
}

// Embed implements Embedder. A text without any word has the vector of one feature
// that no other text has, so that every vector has length 1.
func (e *hashEmbedder) Embed(ctx context.Context, mode provider.Mode, texts []string) ([][]float32, error) {
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

// hashSum embeds one text after another.
type hashSum struct {
	sums    []int64
	counter *lexicon.Counter
	chars   []byte // of the word whose n-grams are added
}

func newHashSum(dims int) *hashSum {
	return &hashSum{
		sums:    make([]int64, dims),
		counter: lexicon.NewCounter(),
		chars:   make([]byte, 0, maxGramRunes+2),
	}
}

func (s *hashSum) embed(vector []float32, weights *weightTable, mode provider.Mode, text string) {
	text = lexicon.Normal(text)
	clear(s.sums)
	s.counter.Reset(len(text))
	if mode == provider.Passage {
		head := strings.IndexByte(text, '\n') + 1
		s.counter.Scan(text, 0, head, titleCount)
		s.counter.Scan(text, head, len(text), 1)
	} else {
		s.counter.Scan(text, 0, len(text), 1)
	}
	words := s.counter.Words()
	for i := range words {
		s.add(text, &words[i], weights)
	}
	s.normalise(vector)
}

// add adds what a word says to the sums.
func (s *hashSum) add(text string, w *lexicon.Word, weights *weightTable) {
	weight := weights.count(w.Count)
	switch w.Kind {
	case lexicon.Whole:
		s.put(w.Hash, weight*wholeWeight)
	case lexicon.Number:
		s.put(w.Hash, weight*numberWeight)
	case lexicon.Ideograph:
		s.put(w.Hash, weight*wordWeight)
	default:
		own := weights.word(w.Hash)
		s.put(w.Hash, weight*own)
		if own == wordWeight {
			s.grams(text[w.Start:w.End], weight, weights)
		}
	}
}

// grams adds the n-grams of a word with n 3 and 4. A character counts by one byte,
// which is its own in ASCII and in most alphabets.
func (s *hashSum) grams(text string, weight int64, weights *weightTable) {
	chars := append(s.chars[:0], '<')
	for _, r := range text {
		if len(chars) > maxGramRunes {
			break
		}
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		} else if r >= utf8.RuneSelf {
			r = unicode.ToLower(r)
			r += r >> 8 * 31
		}
		chars = append(chars, byte(r))
	}
	chars = append(chars, '>')
	s.chars = chars
	if len(chars) < 5 {
		// The one gram of two letters is the word itself.
		return
	}
	// The squares of n weights add up to the square of gramsWeight.
	weight = weight * gramsWeight * one / weights.root(2*len(chars)-5)
	gram := uint32(chars[0])<<8 | uint32(chars[1])
	for i, c := range chars[2:] {
		gram = gram<<8 | uint32(c)
		s.put(uint64(gram&0xffffff)*gramFactor, weight)
		if i > 0 {
			s.put(uint64(gram)*gramFactor, weight)
		}
	}
}

// gramFactor spreads a gram over the upper bits, which put uses: multiplicative hashing
// (Knuth, The Art of Computer Programming, 6.4).
const gramFactor = 0xd6e8feb86659fd93

// put adds a signed weight to the component that the upper bits of hash choose.
func (s *hashSum) put(hash uint64, weight int64) {
	at := hash >> 40 * uint64(len(s.sums)) >> 24
	// The sign is bit 39: 0 leaves the weight, -1 negates it.
	sign := int64(hash<<24) >> 63
	s.sums[at] += (weight ^ sign) - sign
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
		s.put(lexicon.Hash(""), 1)
		squares = 1
	}
	length := math.Sqrt(squares)
	for i, x := range s.sums {
		vector[i] = float32(float64(x) / length)
	}
}
