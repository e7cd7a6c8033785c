package search

import (
	"cortex/lib/record"
	"cortex/lib/search/query"
	"cortex/lib/search/token"
)

// A dictKind says which of the terms of a field a dictionary has.
type dictKind uint8

const (
	// wholeTerms are whole words and sigils.
	wholeTerms dictKind = iota
	// partTerms are the parts of identifiers.
	partTerms
	dictKinds
)

// A dict is one dictionary of a textIndex.
type dict struct {
	field query.Field
	kind  dictKind
}

func (d dict) name() string {
	if d.kind == partTerms {
		return string(d.field) + ".parts"
	}
	return string(d.field)
}

// wordFields are the fields of words with what they hold of a chunk.
func wordFields() []wordField {
	return []wordField{
		{query.Text, func(c *record.Chunk) []string { return oneValue(c.Text) }},
		{query.Title, func(c *record.Chunk) []string { return oneValue(c.Title) }},
		{query.Symbol, symbolNames},
		{query.FilePath, func(c *record.Chunk) []string { return oneValue(c.Metadata.FilePath) }},
		{query.Package, func(c *record.Chunk) []string { return oneValue(c.Metadata.Package) }},
	}
}

// A wordField has any number of values, none of them empty.
type wordField struct {
	field  query.Field
	values func(*record.Chunk) []string
}

func oneValue(value string) []string {
	if value == "" {
		return nil
	}
	return []string{value}
}

// apart is the number of positions between the values of a field, which no phrase bridges.
const apart = maxGap + 1

// analyse calls emit for every term of the field in the chunk, with the kind of dictionary
// that it belongs to and its interval of positions. The terms of one kind come in the order of
// their first positions.
func (f wordField) analyse(c *record.Chunk, emit func(kind dictKind, term string, at span)) {
	offset := 0
	for _, value := range f.values(c) {
		offset += apart + token.Scan(value, func(t token.Token) {
			kind := wholeTerms
			if t.Kind == token.Part {
				kind = partTerms
			}
			emit(kind, t.Term, span{t.From + offset, t.To + offset})
		})
	}
}
