// Package exact answers queries in the language of package query: it finds the chunks that satisfy a query, scores each
// by how closely it matches, and explains why none does.
//
// Begin with find.go. eval.go evaluates a query's tree, variants.go finds the terms of the index that a word stands
// for, phrase.go and tally.go count and score their occurrences, and raise.go puts declarations first. share.go
// restricts an evaluation to a part of the chunks, so that several parts are evaluated at once. continued.go drops
// further parts of definitions.
//
// explain.go says why nothing matches, nearest.go finds similar terms. message.go finds the places that produce a
// message which occurs nowhere verbatim, chain.go compares their texts with the message.
package exact

import (
	"context"
	"regexp"
	"slices"

	"cortex/lib/record"
	"cortex/lib/search/answer"
	"cortex/lib/search/corpus"
	"cortex/lib/search/query"
)

// Find evaluates the query among the chunks in allowed; nil allows all. allowed holds the chunks that the filter f
// allows. why explains what matches nothing: the query, or alternatives of it; nil if there is no such thing.
func (x *Searcher) Find(ctx context.Context, node query.Node, f answer.Filter, allowed corpus.Set) (found *corpus.Matches, why *answer.NoMatch, err error) {
	e := &evaluator{x: x, ctx: ctx, filter: f, asked: askedTiers(node, f)}
	if found, err = e.eval(node); err != nil {
		return nil, nil, err
	}
	if e.otherCases != nil {
		defer func() {
			if err == nil {
				x.otherCases.Put(&e.otherCases)
			}
		}()
	}
	if err := e.findTitles(node); err != nil {
		return nil, nil, err
	}
	e.allowed = e.visible()
	if allowed != nil {
		e.allowed.Intersect(allowed)
	}
	found.Set.Intersect(e.allowed)
	if found.Set.Count() == 0 {
		why, err = e.explain(node)
		return found, why, err
	}
	e.dropContinued(node, found.Set)
	if err = e.favourVerbatim(node, found); err == nil {
		why, err = e.explainAlternatives(node)
	}
	return found, why, err
}

const (
	// maxVerbatim bounds the matches whose texts are read to find those that have a phrase verbatim, punctuation
	// included. A phrase of fewer than leastVerbatim words is usually a name, which is written in several ways.
	maxVerbatim, leastVerbatim = 200, 3
	// otherPunctuation is the factor for a match with the words of a phrase but other punctuation. It makes such a match rank
	// below one with a word in another case.
	otherPunctuation = 0.5
)

// favourVerbatim lowers the scores of matches that have none of the query's phrases verbatim.
func (e *evaluator) favourVerbatim(n query.Node, found *corpus.Matches) error {
	if count := found.Set.Count(); count < 2 || count > maxVerbatim {
		return nil
	}
	var phrases []*regexp.Regexp
	query.Walk(n, func(t *query.Term) {
		if t.Phrase && t.Field == query.Text && t.Literal == nil && len(wordsOf(t.Text)) >= leastVerbatim {
			if verbatim := query.Verbatim(t.Text); verbatim != nil {
				phrases = append(phrases, verbatim)
			}
		}
	})
	if phrases == nil {
		return nil
	}
	var chunks []int
	found.Set.Each(func(i int) { chunks = append(chunks, i) })
	gen := e.x.Generation
	if err := gen.Prepare(chunks); err != nil {
		return err
	}
	for _, i := range chunks {
		if err := e.ctx.Err(); err != nil {
			return err
		}
		c, err := gen.Chunk(i)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(phrases, func(p *regexp.Regexp) bool { return p.MatchString(c.Text) }) {
			found.Score[i] *= otherPunctuation
		}
	}
	return nil
}

// askedTiers returns the chunk types that the request names, directly or by a pattern. A lone wildcard, which matches
// all of them, names none.
func askedTiers(n query.Node, f answer.Filter) map[record.ChunkType]bool {
	asked := corpus.AskedTypes(f)
	query.Walk(n, func(t *query.Term) {
		if t.Field != query.ChunkType || t.IsAnything() {
			return
		}
		match := facetPattern(t)
		if match == nil {
			asked[record.ChunkType(corpus.FacetValue(query.ChunkType, t.Text))] = true
			return
		}
		for _, name := range record.ChunkTypes {
			if match(string(name)) {
				asked[name] = true
			}
		}
	})
	return asked
}
