package search

import (
	"context"
	"slices"
	"strings"

	"cortex/lib/language"
	"cortex/lib/search/index"
	"cortex/lib/search/query"
	"cortex/lib/search/token"
)

// facetOf is the field, which is compared as a whole, as package index knows it.
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

// values are all values of the field, folded.
func (x *Index) values(field query.Field) []string {
	var values []string
	for _, value := range x.cat.Values(facetOf(field)) {
		if value != "" {
			values = append(values, token.Fold(value))
		}
	}
	slices.Sort(values)
	return slices.Compact(values)
}

// addValue adds to set the chunks whose field has the value.
func (x *Index) addValue(set bitset, field query.Field, value string) {
	value = facetValue(field, value)
	_ = x.addMatching(context.Background(), set, field, func(v string) bool { return v == value })
}

// facetValue is the form in which values of the field are compared; languages may go by an alias.
func facetValue(field query.Field, value string) string {
	value = token.Fold(strings.TrimSpace(value))
	if field == query.Language {
		if l, ok := language.ByName(value); ok {
			return token.Fold(l.Name)
		}
	}
	return value
}

// addMatching adds to set the chunks whose field has a value that satisfies match.
func (x *Index) addMatching(ctx context.Context, set bitset, field query.Field, match func(string) bool) error {
	x.cat.Select(facetOf(field), func(value string) bool {
		return value != "" && ctx.Err() == nil && match(token.Fold(value))
	}, set.addAll)
	return ctx.Err()
}

// addFiles adds to set the chunks of all files whose path satisfies match.
func (x *Index) addFiles(ctx context.Context, set bitset, match func(path string) bool) error {
	x.cat.EachFile(func(file uint32, path string, _ int) {
		if ctx.Err() == nil && match(path) {
			for chunk := range x.cat.Chunks(file) {
				set.add(chunk)
			}
		}
	})
	return ctx.Err()
}
