package main

import (
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"

	"cortex/lib/embed/lexicon"
)

// A bm25 scores passages by the words of a question (Robertson and Zaragoza, 2009). To make it good at code, it uses
// stems, indexes parts of identifiers in addition to whole ones, and ignores stop words in questions.
type bm25 struct {
	postings map[uint64][]posting
	sizes    []float64
	mean     float64
	counter  *lexicon.Counter
	stems    map[uint64]uint64
	env      *snowballstem.Env
	stop     map[uint64]bool
	// lengthShare is the parameter b: how much the length of a passage counts against it.
	lengthShare float64
	// whole says to count whole identifiers only.
	whole bool
}

type posting struct {
	passage int32
	count   float32
}

const bm25K1 = 2.0

// newBM25 indexes passages. If names are given, their words count twice more.
func newBM25(passages, names []string, lengthShare float64, whole bool) *bm25 {
	b := &bm25{lengthShare: lengthShare, whole: whole, postings: map[uint64][]posting{}, counter: lexicon.NewCounter(), stems: map[uint64]uint64{}, env: snowballstem.NewEnv(""), stop: map[uint64]bool{}}
	for _, w := range strings.Fields(stopWords) {
		b.stop[lexicon.Hash(w)] = true
	}
	for i, text := range passages {
		counts := map[uint64]float32{}
		for _, t := range b.terms(text) {
			counts[t.term] += t.count
		}
		if names != nil {
			for _, t := range b.terms(names[i]) {
				counts[t.term] += 2 * t.count
			}
		}
		size := 0.0
		for term, n := range counts {
			b.postings[term] = append(b.postings[term], posting{int32(i), n})
			size += float64(n)
		}
		b.sizes = append(b.sizes, size)
		b.mean += size / float64(len(passages))
	}
	return b
}

var identifiers = regexp.MustCompile(`[\pL\pN_$]+`)

type termCount struct {
	term, word uint64
	count      float32
}

// terms returns the stems of a text's words.
func (b *bm25) terms(text string) []termCount {
	if b.whole {
		counts := map[string]float32{}
		for _, w := range identifiers.FindAllString(strings.ToLower(text), -1) {
			counts[w]++
		}
		var terms []termCount
		for _, w := range slices.Sorted(maps.Keys(counts)) {
			terms = append(terms, termCount{lexicon.Hash(w), lexicon.Hash(w), counts[w]})
		}
		return terms
	}
	text = lexicon.Normal(text)
	b.counter.Reset(len(text))
	b.counter.Scan(text, 0, len(text), 1)
	var terms []termCount
	for _, w := range b.counter.Words() {
		stem, ok := b.stems[w.Hash]
		if !ok {
			b.env.SetCurrent(strings.ToLower(strings.ReplaceAll(text[w.Start:w.End], "_", "")))
			english.Stem(b.env)
			stem = lexicon.Hash(b.env.Current())
			b.stems[w.Hash] = stem
		}
		terms = append(terms, termCount{stem, w.Hash, float32(w.Count)})
	}
	return terms
}

// score returns the score of every passage.
func (b *bm25) score(query string) []float32 {
	scores := make([]float32, len(b.sizes))
	for _, t := range b.terms(query) {
		list := b.postings[t.term]
		if b.stop[t.word] || len(list) == 0 {
			continue
		}
		n := float64(len(list))
		idf := math.Log(1 + (float64(len(b.sizes))-n+0.5)/(n+0.5))
		for _, p := range list {
			tf := float64(p.count)
			norm := bm25K1 * (1 - b.lengthShare + b.lengthShare*b.sizes[p.passage]/b.mean)
			scores[p.passage] += float32(idf * tf * (bm25K1 + 1) / (tf + norm))
		}
	}
	return scores
}

const stopWords = `a about all also an and any are as at be been but by can do does each for from given has have if in into is it its
may more must no not of on one only or other should so some such than that the their them then there these they this
to up used using was we what when where whether which will with would you your how why who`
