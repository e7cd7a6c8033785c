package search

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"

	"cortex/lib/hint"
	"cortex/lib/record"
	"cortex/lib/search/index"
	"cortex/lib/search/query"
)

// A span is an interval of positions, see package token, or of bytes.
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
	a := &index.Analysis{Version: stemmer.analyserVersion(), Symbols: declared, Traits: traits, Name: func(path string) iter.Seq[string] { return slices.Values(nameOf(path)) }}
	var own, shared []wordField
	for _, d := range dictOrder {
		shared := d.field == query.FilePath || d.field == query.Package
		a.Dicts = append(a.Dicts, index.Dict{Name: d.name(), Shared: shared, Places: d.kind != stemTerms && d.kind != casedTerms, Length: d.counted().number()})
	}
	for _, f := range analysedFields(stemmer) {
		if f.shared {
			shared = append(shared, f)
		} else {
			own = append(own, f)
		}
	}
	analyse := func(fields []wordField) func(c *record.Chunk, emit func(dict int, term string, from, to int)) {
		numbers := make([][dictKinds]int, len(fields))
		for i, f := range fields {
			for kind := range dictKinds {
				numbers[i][kind] = dict{f.field, kind}.number()
			}
		}
		return func(c *record.Chunk, emit func(dict int, term string, from, to int)) {
			for i, f := range fields {
				f.analyse(c, func(kind dictKind, term string, at span) { emit(numbers[i][kind], term, at.from, at.to) })
			}
		}
	}
	words, subjects := analyse(own), dict{query.Tags, wholeTerms}.number()
	a.Terms = func(c *record.Chunk, emit func(dict int, term string, from, to int)) {
		words(c, emit)
		eachSubject(c, func(tag string) { emit(subjects, tag, 0, 1) })
	}
	a.PlaceTerms = analyse(shared)
	return a
}

// dictOrder are the dictionaries as package index numbers them: those with most terms have the least numbers, which take the least room.
var dictOrder = [...]dict{
	{query.Text, wholeTerms}, {query.Text, partTerms}, {query.Text, stemTerms}, {query.Text, casedTerms}, {query.Title, wholeTerms}, {query.Symbol, wholeTerms},
	{query.Text, madeTerms}, {query.Symbol, casedTerms}, {query.Text, madeParts}, {query.Title, partTerms}, {query.Symbol, partTerms},
	{query.FilePath, wholeTerms}, {query.FilePath, partTerms}, {query.Package, wholeTerms}, {query.Package, partTerms}, {query.Tags, wholeTerms},
}

// number is that of the dictionary in package index.
func (d dict) number() int { return slices.Index(dictOrder[:], d) }

// A textIndex holds the terms of the chunks: for each field of words one dictionary
// of each kind. Chunks are named by their number in the
// catalogue. All methods may be called at once.
type textIndex struct{ *index.Text }

// each visits the chunks that have the term, in any order. length is the number of terms of
// that dictionary in the chunk over their mean.
func (t textIndex) each(ctx context.Context, d dict, term string, visit func(chunk, freq int, length float64)) error {
	return t.Each(ctx, d.number(), term, visit)
}

// spans visits those of the chunks that have the term, with the places where, in a dictionary that has places.
// spans is valid during the call.
func (t textIndex) spans(ctx context.Context, d dict, term string, among bitset, visit func(chunk int, spans []index.Span)) error {
	return t.Spans(ctx, d.number(), term, among.has, visit)
}

// count is the number of chunks that have the term.
func (t textIndex) count(d dict, term string) (int, error) { return t.Count(d.number(), term) }

// terms lists the terms with the prefix that satisfy match, each once, in order; it stops with
// errTooManyTerms beyond limit.
func (t textIndex) terms(d dict, prefix string, match func(string) bool, limit int) (list []string, err error) {
	// Who asks for all words wants all or none; of those with a prefix the first ones are of use.
	most := 0
	if prefix == "" {
		most = limit
	}
	tooMany, err := t.Terms(d.number(), prefix, match, most, func(term string) bool {
		list = append(list, term)
		return len(list) <= limit
	})
	if err == nil && (tooMany || len(list) > limit) {
		return list[:min(len(list), limit)], &tooManyTerms{limit}
	}
	return list, err
}

// near lists the terms that are at most edits (1 or 2) away.
func (t textIndex) near(d dict, term string, edits, limit int) (list []nearTerm, err error) {
	tooMany := false
	err = t.Near(d.number(), term, edits, func(other string) bool {
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
