package search

import (
	"context"
	"fmt"
	"math"

	"cortex/lib/hint"
	"cortex/lib/record"
	"cortex/lib/search/index"
)

// A textIndex holds the terms of the chunks: for each field of words one dictionary
// of each kind. Chunks are named by their number in the
// catalogue. All methods may be called at once.
type textIndex interface {
	// each visits the chunks that have the term, in any order. length is the number of terms of
	// that dictionary in the chunk over their mean.
	each(ctx context.Context, d dict, term string, visit func(chunk, freq int, length float64)) error
	// spans visits those of the chunks that have the term, with the places where.
	// spans is valid during the call. among comes from order.
	spans(ctx context.Context, d dict, term string, among []uint64, visit func(chunk int, spans []span)) error
	// order prepares a set of chunks for spans: the numbers that the index has for them,
	// ascending. chunk undoes it.
	order(set bitset) []uint64
	chunk(number uint64) int
	// count is the number of chunks that have the term.
	count(d dict, term string) (int, error)
	// terms lists the terms with the prefix that satisfy match, each once, in order; it stops with
	// errTooManyTerms beyond limit.
	terms(d dict, prefix string, match func(term string) bool, limit int) ([]string, error)
	// near lists the terms that are at most edits (1 or 2) away.
	near(d dict, term string, edits, limit int) ([]nearTerm, error)
}

// A span is an interval of positions; see package token.
type span struct{ from, to int }

type nearTerm struct {
	term  string
	edits int
}

// tooManyTerms says that a pattern has more than limit terms.
type tooManyTerms struct{ limit int }

func (e *tooManyTerms) Error() string {
	return fmt.Sprintf("matches more than %d different words", e.limit)
}

// indexed is what package index is to know of the chunks.
func indexed(stemmer *stemmer) *index.Analysis {
	fields := analysedFields(stemmer)
	a := &index.Analysis{Version: stemmer.analyserVersion(), Symbols: declared, Traits: traits}
	for _, f := range fields {
		for kind := range dictKinds {
			a.Dicts = append(a.Dicts, dict{f.field, kind}.name())
		}
	}
	a.Terms = func(c *record.Chunk, emit func(dict int, term string, from, to int)) {
		for i, f := range fields {
			first := i * int(dictKinds)
			f.analyse(c, func(kind dictKind, term string, at span) { emit(first+int(kind), term, at.from, at.to) })
		}
	}
	return a
}

// storedText is the textIndex of package index.
type storedText struct {
	*index.Text
	// place has each dictionary's number there.
	place map[dict]int
}

func newStoredText(t *index.Text) *storedText {
	s := &storedText{Text: t, place: map[dict]int{}}
	for i, f := range wordFields() {
		for kind := range dictKinds {
			s.place[dict{f.field, kind}] = i*int(dictKinds) + int(kind)
		}
	}
	return s
}

func (s *storedText) each(ctx context.Context, d dict, term string, visit func(chunk, freq int, length float64)) error {
	return s.Each(ctx, s.place[d], term, visit)
}

func (s *storedText) spans(ctx context.Context, d dict, term string, among []uint64, visit func(chunk int, spans []span)) error {
	var list []span
	return s.Spans(ctx, s.place[d], term, among, func(chunk int, spans []index.Span) {
		list = list[:0]
		for _, at := range spans {
			list = append(list, span{at.From, at.To})
		}
		visit(chunk, list)
	})
}

func (s *storedText) order(set bitset) []uint64 { return s.Numbers(set.each) }

func (s *storedText) chunk(number uint64) int { return s.Chunk(number) }

func (s *storedText) count(d dict, term string) (int, error) { return s.Count(s.place[d], term) }

func (s *storedText) terms(d dict, prefix string, match func(string) bool, limit int) (list []string, err error) {
	tooMany := false
	err = s.Terms(s.place[d], prefix, match, func(term string) bool {
		if tooMany = len(list) == limit; !tooMany {
			list = append(list, term)
		}
		return !tooMany
	})
	if err == nil && tooMany {
		err = &tooManyTerms{limit}
	}
	return list, err
}

func (s *storedText) near(d dict, term string, edits, limit int) (list []nearTerm, err error) {
	tooMany := false
	err = s.Near(s.place[d], term, edits, func(other string) bool {
		distance := hint.Distance(term, other, edits)
		if distance > edits {
			return true
		}
		if tooMany = len(list) == limit; !tooMany {
			list = append(list, nearTerm{other, distance})
		}
		return !tooMany
	})
	if err == nil && tooMany {
		return nil, &tooManyTerms{limit}
	}
	return list, err
}

// idf is the weight of a term that df of n chunks have, as in BM25 (Robertson and
// Zaragoza 2009), and never negative.
func idf(n, df int) float64 {
	return math.Log(1 + (float64(n)-float64(df)+0.5)/(float64(df)+0.5))
}
