package corpus

import (
	"context"
	"slices"
	"strings"

	"cortex/lib/language"
	"cortex/lib/search/index"
	"cortex/lib/search/query"
	"cortex/lib/search/token"
)

// facetOf returns package index's facet for a field that is compared as a whole.
func facetOf(field query.Field) index.Facet {
	switch field {
	case query.Tags:
		return index.Tags
	case query.Language:
		return index.Language
	case query.SymbolType:
		return index.SymbolType
	case query.Tree:
		return index.Tree
	}
	return index.ChunkType
}

// Values returns all values of the field, folded, sorted, each once.
func (x *Corpus) Values(field query.Field) []string {
	var values []string
	for _, value := range x.Generation.Values(facetOf(field)) {
		if value != "" {
			values = append(values, token.Fold(value))
		}
	}
	slices.Sort(values)
	return slices.Compact(values)
}

// AddValue adds to set the chunks whose field has the value.
func (x *Corpus) AddValue(set Set, field query.Field, value string) {
	value = FacetValue(field, value)
	_ = x.AddMatching(context.Background(), set, field, func(v string) bool { return v == value })
}

// FacetValue returns the form in which values of the field are compared: folded, and with a language's alias replaced
// by its name.
func FacetValue(field query.Field, value string) string {
	value = token.Fold(strings.TrimSpace(value))
	if field == query.Language {
		if l, ok := language.ByName(value); ok {
			return token.Fold(l.Name)
		}
	}
	return value
}

// AddMatching adds to set the chunks whose field has a value that satisfies match.
func (x *Corpus) AddMatching(ctx context.Context, set Set, field query.Field, match func(string) bool) error {
	x.Generation.Select(facetOf(field), func(value string) bool {
		return value != "" && ctx.Err() == nil && match(token.Fold(value))
	}, set.AddAll)
	return ctx.Err()
}

// AddFiles adds to set the chunks of all files whose path satisfies match.
func (x *Corpus) AddFiles(ctx context.Context, set Set, match func(path string) bool) error {
	x.Generation.EachFile(func(file uint32, path string, _ int) {
		if ctx.Err() == nil && match(path) {
			for chunk := range x.Generation.Chunks(file) {
				set.Add(chunk)
			}
		}
	})
	return ctx.Err()
}
