package corpus

import (
	"iter"
	"slices"

	"cortex/lib/record"
	"cortex/lib/search/index"
	"cortex/lib/search/query"
)

// Analysis returns the functions and dictionaries by which package index indexes a chunk.
func Analysis(stemmer *Stemmer) *index.Analysis {
	a := &index.Analysis{Version: stemmer.analyserVersion(), Symbols: Declared, Traits: traits, Name: func(path string) iter.Seq[string] { return slices.Values(NameOf(path)) }}
	var own, shared []wordField
	for _, d := range dictOrder {
		shared := d.Field == query.FilePath || d.Field == query.Package
		a.Dicts = append(a.Dicts, index.Dict{Name: d.name(), Shared: shared, Places: d.Kind != StemTerms && d.Kind != CasedTerms, Length: d.counted().Number()})
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
				numbers[i][kind] = Dict{f.field, kind}.Number()
			}
		}
		return func(c *record.Chunk, emit func(dict int, term string, from, to int)) {
			for i, f := range fields {
				f.analyse(c, func(kind dictKind, term string, at index.Span) { emit(numbers[i][kind], term, at.From, at.To) })
			}
		}
	}
	words, subjects := analyse(own), Dict{query.Tags, WholeTerms}.Number()
	a.Terms = func(c *record.Chunk, emit func(dict int, term string, from, to int)) {
		words(c, emit)
		eachSubject(c, func(tag string) { emit(subjects, tag, 0, 1) })
	}
	a.PlaceTerms = analyse(shared)
	return a
}
