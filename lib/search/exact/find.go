// Package exact answers queries in the language of package query: it finds the chunks that satisfy a query, scores each by how closely it matches, and
// explains why none does.
//
// Begin with find.go. eval.go evaluates a query's tree, variants.go says for which terms of the index a word stands, phrase.go and tally.go count and score
// their occurrences, raise.go puts declarations first, explain.go explains. message.go finds what makes a message that nothing has as it is written.
package exact

import (
	"context"

	"cortex/lib/record"
	"cortex/lib/search/answer"
	"cortex/lib/search/corpus"
	"cortex/lib/search/query"
)

// Find evaluates the query among the chunks that the filter admits, of which allowed is the set, nil for all of them. Where nothing is found, why explains it; otherwise it is nil.
func (x *Searcher) Find(ctx context.Context, node query.Node, f answer.Filter, allowed corpus.Set) (found *corpus.Matches, why *answer.NoMatch, err error) {
	e := &evaluator{x: x, ctx: ctx, asked: askedTiers(node, f)}
	if found, err = e.eval(node); err != nil {
		return nil, nil, err
	}
	if e.others != nil {
		defer func() {
			if err == nil {
				x.counts.Put(&e.others)
			}
		}()
	}
	if err := e.findTitles(node); err != nil {
		return nil, nil, err
	}
	visible := e.visible()
	if allowed != nil {
		visible.Intersect(allowed)
	}
	found.Set.Intersect(visible)
	if found.Set.Count() == 0 {
		why, err = e.explain(node, visible, f)
	}
	return found, why, err
}

// askedTiers are the chunk types that the request names, or gives a pattern of. A lone wildcard, which all of them match, asks for none.
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
