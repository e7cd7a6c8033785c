package search

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"cortex/lib/record"
	"cortex/lib/search/answer"
	"cortex/lib/search/corpus"
	"cortex/lib/search/exact"
	"cortex/lib/search/index"
	"cortex/lib/search/query"
	"cortex/lib/search/show"
)

// FindOrMakers is Find for queries that may be messages of a program, with values that no file has. If a query has no
// hits, or only hits in test code, it returns the places that have the most of the message, followed by the hits in
// test code, with a Doubt. If there are no such places, it returns what Find does.
func (x *Index) FindOrMakers(ctx context.Context, req answer.Request) (f *Found, err error) {
	defer index.Guard(&err)()
	f, err = x.Find(ctx, req)
	if err == nil {
		return f.orMakers()
	}
	problem, words := (*query.Error)(nil), query.Node(nil)
	if errors.As(err, &problem) && len(req.Queries) == 1 {
		words = query.AsWords(req.Queries[0])
	}
	if words == nil {
		return nil, err
	}
	found, failed := x.find(ctx, req, words)
	if failed == nil {
		found, failed = found.orMakers()
	}
	switch {
	case failed != nil:
		return nil, failed
	case found.Doubt == "":
		return nil, err
	}
	found.Warning = "looked for as a message, since it is no query: " + problem.Problem
	return found, nil
}

// orMakers returns f if it has hits other than test code, or was looked for as it is written; else what FindOrMakers
// returns for the query of f.
func (f *Found) orMakers() (*Found, error) {
	gen := f.x.corpus.Generation
	if (f.req.Filter.Tests == answer.TestsOnly || f.Warning != "") && f.total > 0 {
		return f, nil
	}
	tests := corpus.NewSet(gen.Len())
	f.x.corpus.AddValue(tests, query.Tags, record.TagTest)
	rest := slices.Clone(f.matches.Set)
	rest.Subtract(tests)
	if rest.Count() > 0 {
		return f, nil
	}
	code := corpus.NewSet(gen.Len())
	code.Fill(gen.Len())
	code.Subtract(tests)
	if f.allowed != nil {
		code.Intersect(f.allowed)
	}
	makers, err := f.x.exact.Makers(f.ctx, f.node, f.req.Filter, code, f.total > 0)
	if err == nil && makers == nil && f.total == 0 {
		makers, err = f.x.exact.Makers(f.ctx, f.node, f.req.Filter, f.allowed, false)
	}
	if err != nil || makers == nil {
		return f, err
	}
	if err := f.x.ranker.WeighPlaces(makers.Matches); err != nil {
		return nil, err
	}
	other := *f
	other.NoMatch, other.matches, other.needles = nil, makers.Matches, show.ExactNeedles(makers.Said, f.x.corpus.Stemmer)
	other.Doubt = doubtOf(makers, f.total > 0)
	// The hits of the query rank below the places that produce the message.
	const behind = 0.1
	most := float32(0)
	f.matches.Set.Each(func(i int) { most = max(most, f.matches.Score[i]) })
	least := float32(1)
	makers.Set.Each(func(i int) { least = min(least, makers.Score[i]) })
	f.matches.Set.Each(func(i int) {
		makers.Set.Add(i)
		makers.Score[i] = least * behind * f.matches.Score[i] / most
	})
	if f.total > 0 {
		other.needles = append(other.needles, f.needles...)
	}
	other.total = makers.Set.Count()
	return &other, nil
}

// doubtOf says that no code has the text of the query, and which parts of the text were taken for values.
func doubtOf(makers *exact.Makers, inTests bool) string {
	who, what, of := "no place has", "this text as it is written", "its words"
	if inTests {
		who = "only test code has"
	}
	if !makers.Phrase {
		what, of = "all of these words", "them"
	}
	text := fmt.Sprintf("not verbatim: %s %s; these places have the most of %s in order", who, what, of)
	if len(makers.Values) > 0 {
		text += ". Taken for values: " + listed(makers.Values)
	}
	return text
}
