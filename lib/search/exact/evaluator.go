package exact

import (
	"context"
	"slices"
	"sync"

	"cortex/lib/record"
	"cortex/lib/search/corpus"
	"cortex/lib/search/query"
)

// A Searcher answers queries over a corpus. Its methods may be called at once.
type Searcher struct {
	*corpus.Corpus
	// Numbers for each chunk, which are used again: tallies, scores of matches, and counts for evaluator.others.
	tallies, scores, counts *sync.Pool
}

// New makes a searcher.
func New(c *corpus.Corpus) *Searcher { return &Searcher{c, &sync.Pool{}, &sync.Pool{}, &sync.Pool{}} }

// Over is the searcher of the same chunks as another request asks them, over whose corpus it is.
func (x *Searcher) Over(c *corpus.Corpus) *Searcher {
	return &Searcher{c, x.tallies, x.scores, x.counts}
}

// evaluator evaluates one query.
type evaluator struct {
	x   *Searcher
	ctx context.Context
	// asked are the chunk types that the request names.
	asked map[record.ChunkType]bool
	// titled are the chunks that have a title which the query asks for.
	titled corpus.Set
	// unranked is set while scores are not asked for.
	unranked bool
	// others counts how often a chunk has a word in other capitals; it is all 0 between uses.
	others []int32
}

// newMatches is an empty set of matches with room for scores, all of them 0.
func (x *Searcher) newMatches() *corpus.Matches {
	if scores, ok := x.scores.Get().(*[]float32); ok {
		return &corpus.Matches{Set: corpus.NewSet(x.Generation.Len()), Score: *scores}
	}
	return x.NewMatches()
}

// forget takes back the room for the scores of matches that nobody needs any more.
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

// counts reports whether words of the chunk count that are not its own: they do where a request asks for its tier.
func (e *evaluator) counts(chunk int) bool {
	if len(e.asked) == 0 {
		return false
	}
	tier := e.x.Generation.ChunkType(chunk)
	return e.asked[tier] && tier != record.Documentation && tier != record.Implementations
}

// visible is the set of chunks that may be hits: those with lines of their own, and others whose type or title the
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

// dictsOf are the dictionaries that have the terms that each asks for in d.
func (e *evaluator) dictsOf(d corpus.Dict) []corpus.Dict {
	if made, ok := d.Made(); ok && len(e.asked) > 0 {
		return []corpus.Dict{d, made}
	}
	return []corpus.Dict{d}
}

// terms are those of Text for all dictsOf d.
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

// present finds the chunks in which the field is not empty.
func (e *evaluator) present(field query.Field) *corpus.Matches {
	m := e.noMatches()
	e.x.Generation.Having(corpus.TraitOf(field), m.Set.Add)
	return m
}
