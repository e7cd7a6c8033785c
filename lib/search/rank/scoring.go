package rank

import (
	"context"
	"io"
	"runtime"
	"sync"

	"cortex/lib/parallel"
	"cortex/lib/search/corpus"
	"cortex/lib/search/query"
	"cortex/lib/search/wording"
)

// A sum adds up one word's occurrences in all fields of a chunk.
type sum struct {
	set    corpus.Set
	weight []float32
}

// wordScores scores chunks by the words that they share with the question, any of them (BM25).
func (x *Ranker) wordScores(ctx context.Context, terms []wording.Term, allowed corpus.Set) (*corpus.Matches, error) {
	total := x.NewMatches()
	total.Coverage = make([]float32, x.Generation.Len())
	all := float32(0)
	err := x.addWords(ctx, terms, total, allowed, func(t wording.Term, chunks corpus.Set) {
		all += t.Rarity
		chunks.Each(func(i int) { total.Coverage[i] += t.Rarity })
	})
	if err != nil {
		return nil, err
	}
	total.Set.Each(func(i int) { total.Coverage[i] /= all })
	return total, nil
}

// addWords adds the scores of the words to those of the chunks. found is told of each word that any chunk has, with the allowed ones of these.
func (x *Ranker) addWords(ctx context.Context, terms []wording.Term, total *corpus.Matches, allowed corpus.Set, found func(t wording.Term, chunks corpus.Set)) error {
	rest := terms
	next := func() (*wording.Term, error) {
		if len(rest) == 0 {
			return nil, io.EOF
		}
		t := &rest[0]
		rest = rest[1:]
		return t, nil
	}
	type summed struct {
		*wording.Term
		sum *sum
	}
	idle := sync.Pool{New: func() any { return &sum{corpus.NewSet(x.Generation.Len()), make([]float32, x.Generation.Len())} }}
	add := func(ctx context.Context, t *wording.Term) (w summed, err error) {
		w = summed{t, idle.Get().(*sum)}
		return w, x.addWord(ctx, *t, w.sum)
	}
	take := func(w summed) error {
		t, word := w.Term, w.sum
		count := word.set.Count()
		t.Rarity = t.Weight * float32(corpus.IDF(x.Generation.Len(), count))
		if count == 0 {
			idle.Put(word)
			return nil
		}
		if allowed != nil {
			word.set.Intersect(allowed)
		}
		t.Occurs = word.set.Count() > 0
		found(*t, word.set)
		total.Set.Union(word.set)
		word.set.Each(func(i int) {
			total.Score[i] += t.Rarity * word.weight[i] / (word.weight[i] + corpus.BM25K1)
		})
		clear(word.set)
		clear(word.weight)
		idle.Put(word)
		return nil
	}
	workers := min(runtime.GOMAXPROCS(0), 1+x.Generation.Len()/wordsShare)
	return parallel.Map(ctx, workers, next, add, take)
}

// wordsShare is the least number of chunks for which another goroutine pays that adds up words.
const wordsShare = 20_000

// A questionField is a field in which the words of a question are looked for, and its weight.
type questionField struct {
	field query.Field
	boost float32
}

func questionFields() []questionField {
	return []questionField{{query.Title, titleBoost}, {query.Symbol, symbolBoost}, {query.FilePath, pathBoost}, {query.Text, textBoost}}
}

// addWord adds up the word's occurrences in all fields.
func (x *Ranker) addWord(ctx context.Context, t wording.Term, s *sum) error {
	for _, f := range questionFields() {
		for _, d := range corpus.DictsOf(f.field) {
			weight := f.boost
			if d.IsPart() {
				weight *= questionPart
			}
			for _, form := range t.Forms {
				err := x.Text.Each(ctx, d, form.Text, func(chunk, freq int, length float64) {
					s.set.Add(chunk)
					s.weight[chunk] += weight * form.Weight * float32(freq) / float32(1-corpus.BM25B+corpus.BM25B*length)
				})
				if err != nil {
					return err
				}
			}
		}
	}
	return x.Text.Each(ctx, corpus.Dict{Field: query.Tags, Kind: corpus.WholeTerms}, t.Word, func(chunk, freq int, _ float64) {
		s.set.Add(chunk)
		s.weight[chunk] += tagBoost * float32(freq)
	})
}

const titleBoost, symbolBoost, pathBoost, textBoost = 2.0, 2.0, 1.0, 1.0

// tagBoost is what a tag that equals the word counts.
const tagBoost = 2.5

// questionPart is what a part of an identifier counts beside a whole word.
const questionPart = 0.8
