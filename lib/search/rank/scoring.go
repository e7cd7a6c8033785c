package rank

import (
	"context"

	"cortex/lib/parallel"
	"cortex/lib/search/corpus"
	"cortex/lib/search/index"
	"cortex/lib/search/query"
	"cortex/lib/search/wording"
)

// wordScores returns the BM25 scores of all chunks that share at least one word with the question.
func (x *Ranker) wordScores(ctx context.Context, terms []wording.Term, allowed corpus.Set) (*corpus.Matches, error) {
	total := x.NewMatches()
	total.Coverage = make([]float32, x.Generation.Len())
	var err error
	total.BestCoverage, err = x.addWords(ctx, terms, total, total.Coverage, allowed)
	return total, err
}

// An occurrence is a chunk that has a word. weight is the word's frequency in the chunk, weighted by field and length.
type occurrence struct {
	chunk  int32
	weight float32
}

// occurrences holds the occurrences of the question's words in one share of the index: segment by segment, and word by
// word within a segment. ends has the end in list of each word of each segment.
type occurrences struct {
	list   []occurrence
	ends   []int
	counts []int // number of chunks by word
	// set holds the allowed chunks among them, occurs says which words these have; best is the greatest coverage.
	set    corpus.Set
	occurs []bool
	best   float32
}

// addWords adds the scores of the words to total. If coverage is not nil, addWords sets it to the share of the words,
// by rarity, that each chunk has, and returns the greatest share. It sets Rarity, Found and Occurs of the terms.
func (x *Ranker) addWords(ctx context.Context, terms []wording.Term, total *corpus.Matches, coverage []float32, allowed corpus.Set) (best float32, err error) {
	shares := make([]occurrences, x.Generation.Shares())
	if err := x.findWords(ctx, terms, shares); err != nil {
		return 0, err
	}
	all := float32(0)
	for i := range terms {
		t, count := &terms[i], 0
		for _, s := range shares {
			count += s.counts[i]
		}
		if t.Rarity, t.Found = t.Weight*float32(corpus.IDF(x.Generation.Len(), count)), count > 0; t.Found {
			all += t.Rarity
		}
	}
	group, _ := parallel.NewGroup(ctx)
	for i := range shares {
		group.Go(func() error {
			s := &shares[i]
			s.set, s.occurs = corpus.NewSet(x.Generation.Len()), make([]bool, len(terms))
			start := 0
			for i, end := range s.ends {
				term := i % len(terms)
				rarity := terms[term].Rarity
				for _, o := range s.list[start:end] {
					if allowed != nil && !allowed.Has(int(o.chunk)) {
						continue
					}
					s.occurs[term] = true
					s.set.Add(int(o.chunk))
					total.Score[o.chunk] += rarity * o.weight / (o.weight + corpus.BM25K1)
					if coverage != nil {
						coverage[o.chunk] += rarity
					}
				}
				start = end
			}
			if coverage != nil {
				s.set.Each(func(i int) {
					if coverage[i] /= all; coverage[i] > s.best {
						s.best = coverage[i]
					}
				})
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return 0, err
	}
	for _, s := range shares {
		total.Set.Union(s.set)
		for i := range terms {
			terms[i].Occurs = terms[i].Occurs || s.occurs[i]
		}
		best = max(best, s.best)
		x.buffers.Put(&s.list)
	}
	return best, nil
}

// findWords finds the chunks that have the words, and fills the elements of shares concurrently.
func (x *Ranker) findWords(ctx context.Context, terms []wording.Term, shares []occurrences) error {
	var texts []string
	for _, t := range terms {
		for _, form := range t.Forms {
			texts = append(texts, form.Text)
		}
		texts = append(texts, t.Word)
	}
	found, err := x.Text.Look(ctx, texts)
	if err != nil {
		return err
	}
	scale := wordScale(x.Text)
	tags := corpus.Dict{Field: query.Tags, Kind: corpus.WholeTerms}.Number()
	find := func(ctx context.Context, share int) error {
		s := &shares[share]
		s.list, s.counts = (*x.buffers.Get().(*[]occurrence))[:0], make([]int, len(terms))
		var sum index.Sum
		var factors []float32
		return found.Scan(ctx, share, len(shares), func(p *index.Part) {
			sum.Reset(p)
			text := 0
			for i := range terms {
				factors = factors[:0]
				for _, form := range terms[i].Forms {
					factors = append(factors, form.Weight)
				}
				p.Add(&sum, scale, text, factors)
				text += len(factors)
				p.Each(text, tags, func(row, freq int, _ float64) { sum.Add(row, tagBoost*float32(freq)) })
				text++
				for _, row := range sum.Rows {
					s.list = append(s.list, occurrence{int32(p.First) + row, sum.Weights[row]})
					sum.Weights[row] = 0
				}
				s.counts[i] += len(sum.Rows)
				s.ends = append(s.ends, len(s.list))
				sum.Rows = sum.Rows[:0]
			}
		})
	}
	if len(shares) == 1 {
		return find(ctx, 0)
	}
	group, ctx := parallel.NewGroup(ctx)
	for share := range shares {
		group.Go(func() error { return find(ctx, share) })
	}
	return group.Wait()
}

// A questionField is a field that questions search, with its weight.
type questionField struct {
	field query.Field
	boost float32
}

func questionFields() []questionField {
	return []questionField{{query.Title, titleBoost}, {query.Symbol, symbolBoost}, {query.FilePath, pathBoost}, {query.Text, textBoost}}
}

// wordScale returns the weights of the dictionaries that questions search.
func wordScale(text corpus.Text) *index.Scale {
	var dicts []int
	var weights []float32
	for _, f := range questionFields() {
		for _, d := range corpus.DictsOf(f.field) {
			weight := f.boost
			if d.IsPart() {
				weight *= questionPart
			}
			dicts, weights = append(dicts, d.Number()), append(weights, weight)
		}
	}
	return text.NewScale(dicts, weights, corpus.BM25B)
}

const titleBoost, symbolBoost, pathBoost, textBoost = 2.0, 2.0, 1.0, 1.0

// tagBoost is the weight of a tag that equals the word.
const tagBoost = 2.5

// questionPart is the weight of a match with a part of an identifier, relative to a whole word.
const questionPart = 0.8
