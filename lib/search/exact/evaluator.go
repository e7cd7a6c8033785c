package exact

import (
	"context"
	"slices"
	"sync"

	"cortex/lib/record"
	"cortex/lib/search/answer"
	"cortex/lib/search/corpus"
	"cortex/lib/search/query"
)

// A Searcher answers queries over a corpus. Its methods may be called concurrently.
type Searcher struct {
	*corpus.Corpus
	// Pools of slices with a number for each chunk: tallies, scores of matches, and evaluator.otherCases.
	tallies, scores, otherCases *sync.Pool
}

// New returns a searcher.
func New(c *corpus.Corpus) *Searcher { return &Searcher{c, &sync.Pool{}, &sync.Pool{}, &sync.Pool{}} }

// Over returns a searcher that reads the same chunks through the corpus of another request, with the same pools.
func (x *Searcher) Over(c *corpus.Corpus) *Searcher {
	return &Searcher{c, x.tallies, x.scores, x.otherCases}
}

// evaluator evaluates one query.
type evaluator struct {
	x   *Searcher
	ctx context.Context
	// filter is that of the request, and allowed has the visible chunks that it allows, once the query is evaluated.
	filter  answer.Filter
	allowed corpus.Set
	// asked are the chunk types that the request names.
	asked map[record.ChunkType]bool
	// titled has the chunks with a title that the query asks for.
	titled corpus.Set
	// unranked is set while no scores are needed.
	unranked bool
	// otherCases counts by chunk how often the chunk has a word in another case; it is all 0 between uses.
	otherCases []int32
}

// newMatches returns an empty set of matches with a slice of scores that are all 0.
func (x *Searcher) newMatches() *corpus.Matches {
	if scores, ok := x.scores.Get().(*[]float32); ok {
		return &corpus.Matches{Set: corpus.NewSet(x.Generation.Len()), Score: *scores}
	}
	return x.NewMatches()
}

// forget returns the slice of scores to its pool. m must not be used afterwards.
func (x *Searcher) forget(m *corpus.Matches) {
	if m.Score != nil {
		clear(m.Score)
		x.scores.Put(&m.Score)
	}
}

func (e *evaluator) noMatches() *corpus.Matches {
	if e.unranked {
		return &corpus.Matches{Set: corpus.NewSet(e.x.Generation.Len())}
	}
	return e.x.newMatches()
}

// takesMade reports whether words of the chunk match that are not its own: they do if the request asks for the chunk's
// type.
func (e *evaluator) takesMade(chunk int) bool {
	if len(e.asked) == 0 {
		return false
	}
	tier := e.x.Generation.ChunkType(chunk)
	return e.asked[tier] && tier != record.Documentation && tier != record.Implementations
}

// visible returns the chunks that may be hits: those with lines of their own, and others whose type or title the
// request asks for.
func (e *evaluator) visible() corpus.Set {
	set := slices.Clone(e.x.WithLines())
	for tier := range e.asked {
		e.x.AddValue(set, query.ChunkType, string(tier))
	}
	if e.titled != nil {
		set.Union(e.titled)
	}
	return set
}

// dictsOf returns the dictionaries to search for terms of d: d itself and, if the request asks for chunk types, the one
// with terms that are not the chunk's own.
func (e *evaluator) dictsOf(d corpus.Dict) []corpus.Dict {
	if made, ok := d.Made(); ok && len(e.asked) > 0 {
		return []corpus.Dict{d, made}
	}
	return []corpus.Dict{d}
}

// terms returns the terms of all dictsOf(d) that begin with prefix and match, sorted.
func (e *evaluator) terms(d corpus.Dict, prefix string, match func(string) bool, limit int) ([]string, error) {
	var all []string
	for _, own := range e.dictsOf(d) {
		list, err := e.x.Text.Terms(own, prefix, match, limit)
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

func tooBroad(t *query.Term, many *corpus.TooManyTerms) error {
	return t.Errorf("write more letters of it", "%q %v", t.Text, many)
}

// present returns the chunks whose field is not empty.
func (e *evaluator) present(field query.Field) *corpus.Matches {
	m := e.noMatches()
	e.x.Generation.Having(corpus.TraitOf(field), m.Set.Add)
	return m
}
