package rank

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"cortex/lib/hint"
	"cortex/lib/notation"
	"cortex/lib/record"
	"cortex/lib/search/answer"
	"cortex/lib/search/corpus"
	"cortex/lib/search/query"
	"cortex/lib/search/token"
	"cortex/lib/search/wording"
)

// The weights of the two measures of similarity between places: the cosine of the embeddings, and the BM25 score of the
// place's rarest words as a share of the score of the place itself.
const likeMeaning, likeWords = 0.6, 0.4

// Bounds of the words that are compared.
const (
	// maxLikeWords is the number of rarest words that are compared.
	maxLikeWords = 24
	// maxLikeTerms is the number of distinct words of the place from which the rarest are chosen.
	maxLikeTerms = 1000
	leastLike    = 3 // bytes of the shortest word that is compared
)

// Like ranks chunks by their similarity to the chunk place. mode is the mode that it used: Keyword if the place has no
// embedding, else Semantic or Hybrid as the request says. The place, chunks of its file that overlap it, further parts
// of its declaration, and declarations inside or around it are no candidates. terms are the words that were compared.
func (x *Ranker) Like(ctx context.Context, place int, req answer.Request, allowed corpus.Set) (list []Result, terms []wording.Term, mode answer.Mode, err error) {
	if req.Mode == answer.Fusion {
		req.Mode = answer.Hybrid
	}
	allowed = x.elsewhere(place, allowed, req.Filter)
	c, err := x.Generation.Chunk(place)
	if err != nil {
		return nil, nil, "", err
	}
	var vector []float32
	if req.Mode != answer.Keyword {
		if vector, err = x.vectors.Vector(place); err != nil {
			return nil, nil, "", err
		}
		if vector == nil && req.Mode != answer.Auto && req.Mode != "" {
			return nil, nil, "", hint.Wrap(fmt.Errorf("%s search: no embedding of %s", req.Mode, c.ID), WithoutMeaning)
		}
	}
	weights := &Weights{}
	switch {
	case vector == nil:
		weights[Words], mode = 1, answer.Keyword
	case req.Mode == answer.Semantic:
		weights[Meaning], mode = 1, answer.Semantic
	default:
		weights[Words], weights[Meaning], mode = likeWords, likeMeaning, answer.Hybrid
	}
	found := map[int]*Candidate{}
	of := func(chunk int) *Candidate {
		if found[chunk] == nil {
			found[chunk] = &Candidate{Scored: corpus.Scored{Chunk: chunk}, evidence: &evidence{}, weights: weights}
		}
		return found[chunk]
	}
	if weights[Words] > 0 {
		var words *corpus.Matches
		if terms, words, err = x.rareWords(ctx, c); err != nil {
			return nil, nil, "", err
		}
		own := words.Score[place]
		words.Set.Intersect(allowed)
		best, err := words.Best(x.Generation, x.Pool(req, PoolWords))
		if err != nil {
			return nil, nil, "", err
		}
		for _, s := range best {
			of(s.Chunk).evidence[Words] = min(share(float32(s.Score), own), 1)
			of(s.Chunk).Match = answer.MatchKeyword
		}
	}
	if weights[Meaning] > 0 {
		near, err := x.vectors.Nearest(ctx, vector, x.Pool(req, poolMeaning), allowed)
		if err != nil {
			return nil, nil, "", err
		}
		for _, s := range near {
			if s.Score <= 0 {
				continue
			}
			c := of(s.Chunk)
			c.evidence[Meaning] = float32(s.Score)
			if c.Match = answer.MatchSemantic; c.evidence[Words] > 0 {
				c.Match = answer.MatchBoth
			}
		}
	}
	for _, c := range found {
		c.Score = corpus.Rounded(weights.sum(c.evidence))
		list = append(list, Result{Candidate: *c, Base: c.Score, Chance: c.Score})
	}
	slices.SortFunc(list, x.bestFirst)
	return list, terms, mode, nil
}

// elsewhere returns the set of chunks that Like may return.
func (x *Ranker) elsewhere(place int, allowed corpus.Set, f answer.Filter) corpus.Set {
	set := slices.Clone(x.WithLines())
	for tier := range corpus.AskedTypes(f) {
		x.AddValue(set, query.ChunkType, string(tier))
	}
	if allowed != nil {
		set.Intersect(allowed)
	}
	first, last := x.Generation.Lines(place)
	own := notation.WithoutParts(x.Generation.ID(place))
	for i := range x.Generation.Chunks(x.Generation.File(place)) {
		if start, end := x.Generation.Lines(i); start <= last && first <= end || isAround(own, notation.WithoutParts(x.Generation.ID(i))) {
			set.Remove(i)
		}
	}
	return set
}

// isAround reports whether two identifiers without part numbers are of the same declaration or section, or of one that
// is inside the other. The rest of a file, whose identifier ends with the path, is around nothing.
func isAround(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return a == b || strings.Contains(a, "#") && corpus.IsWithin(b, a)
}

// rareWords returns the chunk's rarest words that other chunks have as well, and the scores of all chunks for them.
func (x *Ranker) rareWords(ctx context.Context, c *record.Chunk) ([]wording.Term, *corpus.Matches, error) {
	var words []string
	seen := map[string]bool{}
	for _, part := range corpus.OwnText(c) {
		token.Scan(c.Text[part.From:part.To], func(t token.Token) {
			if t.Kind == token.Whole && len(t.Term) >= leastLike && !seen[t.Term] && !wording.IsFunctionWord(t.Term) && len(words) < maxLikeTerms {
				seen[t.Term] = true
				words = append(words, t.Term)
			}
		})
	}
	type rare struct {
		word  string
		count int
	}
	var list []rare
	counts, err := x.Text.Counts([]corpus.Dict{{Field: query.Text, Kind: corpus.WholeTerms}}, words)
	if err != nil {
		return nil, nil, err
	}
	for i, word := range words {
		if counts[i] > 1 {
			list = append(list, rare{word, counts[i]})
		}
	}
	slices.SortFunc(list, func(a, b rare) int {
		return cmp.Or(cmp.Compare(a.count, b.count), strings.Compare(a.word, b.word))
	})
	var terms []wording.Term
	for _, r := range list[:min(len(list), maxLikeWords)] {
		terms = append(terms, wording.Term{Word: r.word, Weight: 1, Forms: []wording.Form{{Text: r.word, Weight: 1}}})
	}
	scores, err := x.wordScores(ctx, terms, nil)
	return terms, scores, err
}
