package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"cortex/lib/hint"
	"cortex/lib/record"
	"cortex/lib/search/query"
	"cortex/lib/search/token"
)

// What makes a place like another: the cosine of the embeddings, and the BM25 of the rarest words as a share of what the place itself
// has.
const likeMeaning, likeWords = 0.6, 0.4

// Bounds of the words of a place.
const (
	// maxLikeWords is the number of its rarest words that count.
	maxLikeWords = 24
	// maxLikeTerms is the number of different words of which the rarest are sought.
	maxLikeTerms = 1000
	leastLike    = 3 // letters
)

// similar finds code and documentation like that at a place. The place itself, what overlaps it in its file and the further parts of its
// declaration are no hits.
func (x *Index) similar(ctx context.Context, req Request, allowed bitset) (*Response, error) {
	start := time.Now()
	if req.Mode == Fusion {
		req.Mode = Hybrid
	}
	place, err := x.locate(req.Like)
	if err != nil {
		return nil, err
	}
	allowed = x.elsewhere(place, allowed, req.Filter)
	c, err := x.cat.Chunk(place)
	if err != nil {
		return nil, err
	}
	var vector []float32
	if req.Mode != Keyword {
		if vector = x.cat.Vector(place); vector == nil && req.Mode != Auto && req.Mode != "" {
			return nil, hint.Wrap(fmt.Errorf("%s search: no embedding of %s", req.Mode, c.ID), withoutMeaning)
		}
	}
	weights := &Weights{}
	response := &Response{Query: "like " + req.Like, Metadata: ResponseMetadata{Source: string(Hybrid)}}
	switch {
	case vector == nil:
		weights[Words], response.Metadata.Source = 1, string(Keyword)
	case req.Mode == Semantic:
		weights[Meaning], response.Metadata.Source = 1, string(Semantic)
	default:
		weights[Words], weights[Meaning] = likeWords, likeMeaning
	}
	var terms []term
	found := map[int]*candidate{}
	of := func(chunk int) *candidate {
		if found[chunk] == nil {
			found[chunk] = &candidate{scored: scored{chunk: chunk}, weights: weights}
		}
		return found[chunk]
	}
	if weights[Words] > 0 {
		var words *matches
		if terms, words, err = x.rareWords(ctx, c); err != nil {
			return nil, err
		}
		own := words.score[place]
		words.set.intersect(allowed)
		for _, s := range words.best(x.cat, x.pool(req, poolWords)) {
			of(s.chunk).evidence[Words] = min(share(float32(s.score), own), 1)
			of(s.chunk).match = MatchKeyword
		}
	}
	if weights[Meaning] > 0 {
		list, err := x.vectors.nearest(ctx, vector, x.pool(req, poolMeaning), allowed)
		if err != nil {
			return nil, err
		}
		for _, s := range list {
			if s.score <= 0 {
				continue
			}
			near := of(s.chunk)
			near.evidence[Meaning] = float32(s.score)
			if near.match = MatchSemantic; near.evidence[Words] > 0 {
				near.match = MatchBoth
			}
		}
	}
	var list []result
	for _, near := range found {
		near.score = rounded(weights.sum(&near.evidence))
		list = append(list, result{candidate: *near, base: near.score})
	}
	slices.SortFunc(list, x.bestFirst)
	response.TotalFound = len(list)
	if len(list) == 0 {
		response.NoMatch = &NoMatch{Message: "nothing else shares a word or a meaning with the place"}
	}
	list = x.goodEnough(response, list, req)
	if err := x.fill(response, page(list, req), req, questionNeedles(terms), &finder{test: req.Filter.symbolTest(), lines: req.Lines, dull: notice | imports}); err != nil {
		return nil, err
	}
	response.finish(start)
	return response, nil
}

// locate finds the chunk that Request.Like names: by its identifier, or by a line of a file that it shows. A file may be named by
// the end of its path if no other ends so.
func (x *Index) locate(like string) (int, error) {
	like = strings.TrimSpace(like)
	if chunk, ok := x.cat.Find(like); ok {
		return chunk, nil
	}
	const cure = "write PATH:LINE, such as lib/server.go:42, or the identifier of a chunk"
	colon := strings.LastIndexByte(like, ':')
	line, err := strconv.Atoi(like[colon+1:])
	if colon < 1 || err != nil || line < 1 {
		return 0, hint.Wrap(fmt.Errorf("place %q: expected a file and a line", shortened(like)), cure)
	}
	name := path.Clean(strings.ReplaceAll(like[:colon], `\`, "/"))
	file, ok := x.cat.FileNamed(name)
	if !ok {
		var ends []string
		x.cat.EachFile(func(of uint32, path string, _ int) {
			if strings.HasSuffix(path, "/"+name) || strings.HasSuffix(path, ":"+name) {
				file, ends = of, append(ends, path)
			}
		})
		switch {
		case len(ends) == 0:
			return 0, hint.Wrap(fmt.Errorf("place %q: no such file in the index", shortened(like)), cure+", as in the results of a search")
		case len(ends) > 1:
			return 0, hint.Wrap(fmt.Errorf("place %q: %d files end so", shortened(like), len(ends)), "write more of the path, such as "+slices.Min(ends))
		}
	}
	best, rank, last := -1, [3]int{}, 0
	for i := range x.cat.Chunks(file) {
		start, end := x.cat.Lines(i)
		last = max(last, end)
		if x.cat.Traits(i)&traitDerived != 0 {
			continue
		}
		// What has the line in it, else what is nearest; pieces of the file before what shows several; the shortest.
		own := [3]int{max(start-line, line-end, 0), 0, end - start}
		if !isVerbatim(x.cat.ChunkType(i)) {
			own[1] = 1
		}
		if best < 0 || slices.Compare(own[:], rank[:]) < 0 {
			best, rank = i, own
		}
	}
	if best < 0 || line > last {
		return 0, hint.Wrap(fmt.Errorf("place %q: the file has %d lines in the index", shortened(like), last), "make the index again if the file has changed")
	}
	return best, nil
}

// elsewhere is the set of chunks that may be like the place.
func (x *Index) elsewhere(place int, allowed bitset, f Filter) bitset {
	set := slices.Clone(x.withLines())
	for tier := range askedTypes(nil, f) {
		x.addValue(set, query.ChunkType, string(tier))
	}
	if allowed != nil {
		set.intersect(allowed)
	}
	first, last := x.cat.Lines(place)
	own := withoutPart(x.cat.ID(place))
	for i := range x.cat.Chunks(x.cat.File(place)) {
		if start, end := x.cat.Lines(i); start <= last && first <= end || withoutPart(x.cat.ID(i)) == own {
			set.remove(i)
		}
	}
	return set
}

// rareWords are the rarest words of the chunk that others have too, and how the chunks score for them.
func (x *Index) rareWords(ctx context.Context, c *record.Chunk) ([]term, *matches, error) {
	var words []string
	seen := map[string]bool{}
	for _, part := range ownText(c) {
		token.Scan(c.Text[part.from:part.to], func(t token.Token) {
			if t.Kind == token.Whole && len(t.Term) >= leastLike && !seen[t.Term] && !isFunctionWord(t.Term) && len(words) < maxLikeTerms {
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
	for _, word := range words {
		n, err := x.text.count(dict{query.Text, wholeTerms}, word)
		if err != nil {
			return nil, nil, err
		}
		if n > 1 {
			list = append(list, rare{word, n})
		}
	}
	slices.SortFunc(list, func(a, b rare) int {
		return cmp.Or(cmp.Compare(a.count, b.count), strings.Compare(a.word, b.word))
	})
	var terms []term
	for _, r := range list[:min(len(list), maxLikeWords)] {
		terms = append(terms, term{word: r.word, weight: 1, forms: []form{{r.word, 1}}})
	}
	scores, err := x.wordScores(ctx, x.text, terms, nil)
	return terms, scores, err
}

// errLike tells of a request that asks in words and for a place.
var errLike = errors.New("a question and a place to compare with: give one of them")
