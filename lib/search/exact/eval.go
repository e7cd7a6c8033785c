package exact

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"

	"cortex/lib/hint"
	"cortex/lib/record"
	"cortex/lib/search/corpus"
	"cortex/lib/search/index"
	"cortex/lib/search/query"
	"cortex/lib/search/token"
)

// Weights of exact search.
const (
	// symbolWeight and titleWeight are the weights of a term of the text that also occurs in the symbol's name and in
	// the title. They put a definition before a use.
	symbolWeight, titleWeight = 1.0, 0.5
)

// findTitles adds to titled the chunks with the titles that the query asks for, including outlines. It leaves out
// documentation: a heading without text of its own is found by the sections below it.
func (e *evaluator) findTitles(n query.Node) error {
	var failed error
	query.Walk(n, func(t *query.Term) {
		if t.Field != query.Title || t.IsAnything() || failed != nil {
			return
		}
		set, err := e.set(t)
		if err != nil {
			failed = err
			return
		}
		set.Each(func(i int) {
			if e.x.Generation.ChunkType(i) == record.Documentation {
				set.Remove(i)
			}
		})
		if e.titled == nil {
			e.titled = set
		} else {
			e.titled.Union(set)
		}
	})
	return failed
}

// eval returns the matches of the node. The caller owns the result and may change it.
func (e *evaluator) eval(n query.Node) (*corpus.Matches, error) {
	switch n := n.(type) {
	case *query.And:
		return e.and(n)
	case *query.Or:
		all := e.noMatches()
		for _, child := range n.Nodes {
			m, err := e.eval(child)
			if err != nil {
				return nil, err
			}
			addScores(all, m, m.Set)
			all.Set.Union(m.Set)
			e.x.forget(m)
		}
		return all, nil
	case *query.Not:
		m, err := e.set(n.Node)
		if err != nil {
			return nil, err
		}
		all := e.noMatches()
		all.Set.Fill(e.x.Generation.Len())
		all.Set.Subtract(m)
		return all, nil
	case *query.Term:
		return e.term(n)
	}
	return nil, fmt.Errorf("search: unknown node %T", n)
}

func (e *evaluator) and(n *query.And) (*corpus.Matches, error) {
	var all *corpus.Matches
	var excluded []*query.Not
	for _, child := range n.Nodes {
		if not, ok := child.(*query.Not); ok {
			excluded = append(excluded, not)
			continue
		}
		m, err := e.eval(child)
		if err != nil {
			return nil, err
		}
		if all == nil {
			all = m
			continue
		}
		all.Set.Intersect(m.Set)
		addScores(all, m, all.Set)
		e.x.forget(m)
	}
	if all == nil {
		all = e.noMatches()
		all.Set.Fill(e.x.Generation.Len())
	}
	for _, not := range excluded {
		set, err := e.set(not.Node)
		if err != nil {
			return nil, err
		}
		all.Set.Subtract(set)
	}
	return all, nil
}

// addScores adds the scores of from to those of to for the chunks in set, all of which are in from.
func addScores(to, from *corpus.Matches, set corpus.Set) {
	if to.Score != nil && from.Score != nil {
		set.Each(func(i int) { to.Score[i] += from.Score[i] })
	}
}

// set returns the chunks that match the node, without scores.
func (e *evaluator) set(n query.Node) (corpus.Set, error) {
	before := e.unranked
	e.unranked = true
	m, err := e.eval(n)
	e.unranked = before
	if err != nil {
		return nil, err
	}
	return m.Set, nil
}

// term evaluates a term. A term of the text also gets scores from symbols and titles.
func (e *evaluator) term(t *query.Term) (*corpus.Matches, error) {
	if !t.Field.HasWords() {
		return e.facet(t)
	}
	m, err := e.words(t, t.Field)
	if err != nil {
		return nil, err
	}
	if t.Field == query.FilePath && t.IsPattern() {
		if err := e.x.AddFiles(e.ctx, m.Set, pathPattern(t)); err != nil {
			return nil, err
		}
	}
	qualified := t.Field == query.Text && !t.Phrase && !t.IsPattern() && len(token.Words(t.Text)) > 1
	if e.unranked {
		if qualified {
			more, err := e.words(t, query.Symbol)
			if err != nil {
				return nil, err
			}
			e.addQualified(m, more)
		}
		return m, nil
	}
	// Declarations are found by whole words of their names.
	var declaring corpus.Set
	if t.Field == query.Symbol {
		declaring = m.Whole
	}
	if t.Field == query.Text && !t.IsAnything() {
		for _, extra := range []struct {
			field  query.Field
			weight float32
		}{{query.Symbol, symbolWeight}, {query.Title, titleWeight}} {
			more, err := e.words(t, extra.field)
			if err != nil {
				return nil, err
			}
			if extra.field == query.Symbol {
				declaring = more.Whole
				if qualified {
					e.addQualified(m, more)
				}
			}
			more.Set.Each(func(i int) {
				if m.Set.Has(i) && !e.x.namesNothing(i) {
					m.Score[i] += extra.weight * more.Score[i]
				}
			})
			e.x.forget(more)
		}
	}
	if declaring != nil && !t.IsAnything() {
		e.x.raiseDeclarations(m, declaring, t)
	}
	if t.Boost != 1 {
		m.Set.Each(func(i int) { m.Score[i] *= float32(t.Boost) })
	}
	return m, nil
}

// addQualified adds the chunks that declare a qualified name whose parts are not next to each other in the text.
func (e *evaluator) addQualified(m, declaring *corpus.Matches) {
	declaring.Set.Each(func(i int) {
		if !m.Set.Has(i) && e.x.Generation.Traits(i)&corpus.TraitContinued == 0 {
			m.Set.Add(i)
			if m.Score != nil {
				m.Score[i] = 0 // term adds the score of the symbol below
			}
		}
	})
}

// facet evaluates a term in a field that is compared as a whole. Such fields filter and give no score. It checks the
// values of closed sets, because otherwise a misspelt value looks like one that no chunk has.
func (e *evaluator) facet(t *query.Term) (*corpus.Matches, error) {
	m := e.noMatches()
	if match := facetPattern(t); match != nil {
		return m, e.x.AddMatching(e.ctx, m.Set, t.Field, match)
	}
	e.x.AddValue(m.Set, t.Field, t.Text)
	if err := e.x.CheckFacet(t.Field, t.Text); err != nil {
		return nil, t.Errorf(hint.Of(err), "%v", err)
	}
	return m, nil
}

// facetPattern returns the test of a term that may match several values of its field; nil for a term that is one value.
func facetPattern(t *query.Term) func(value string) bool {
	switch {
	case t.Regexp != nil:
		return t.Regexp.Match
	case len(t.Wild) > 0:
		return token.PatternOf(t.Text, t.Wild).Match
	case t.Fuzzy > 0:
		want := corpus.FacetValue(t.Field, t.Text)
		return func(value string) bool { return hint.Distance(want, value, t.Fuzzy) <= t.Fuzzy }
	}
	return nil
}

// pathPattern returns the test of a path for a term. A pattern with wildcards matches a whole path or its end after a
// slash, a regular expression any part of a path.
func pathPattern(t *query.Term) func(string) bool {
	if t.Regexp != nil {
		return func(path string) bool { return t.Regexp.Match(token.FoldAll(path)) }
	}
	pattern := token.PatternOf(t.Text, t.Wild)
	return func(path string) bool { return pattern.MatchEnd(token.FoldAll(path)) }
}

// words evaluates the term in a field of words.
func (e *evaluator) words(t *query.Term, field query.Field) (*corpus.Matches, error) {
	if t.IsAnything() {
		return e.present(field), nil
	}
	list, err := e.variants(t, field)
	if err != nil {
		var many *corpus.TooManyTerms
		if errors.As(err, &many) {
			return nil, tooBroad(t, many)
		}
		return nil, err
	}
	var m *corpus.Matches
	if len(list) == 1 {
		m, err = e.single(field, list[0])
	} else {
		m, err = e.phrase(field, list)
	}
	if err == nil && t.Literal != nil && field == query.Text {
		err = e.onlyLiteral(m.Set, t.Literal)
	}
	return m, err
}

// readTogether is the number of chunks that a remote index reads in one round trip.
const readTogether = 500

// onlyLiteral removes the chunks whose text does not match literal.
func (e *evaluator) onlyLiteral(set corpus.Set, literal *regexp.Regexp) error {
	gen := e.x.Generation
	others := make([][]int, gen.Shares())
	err := corpus.InShares(gen, func(share index.Share, first, end int) error {
		var chunks []int
		set.EachIn(first, end, func(i int) { chunks = append(chunks, i) })
		for some := range slices.Chunk(chunks, readTogether) {
			if err := cmp.Or(e.ctx.Err(), gen.Prepare(some)); err != nil {
				return err
			}
			for _, i := range some {
				c, err := gen.Chunk(i)
				if err != nil {
					return err
				}
				if !literal.MatchString(c.Text) {
					others[share.Number] = append(others[share.Number], i)
				}
			}
		}
		return nil
	})
	for _, list := range others {
		for _, i := range list {
			set.Remove(i)
		}
	}
	return err
}
