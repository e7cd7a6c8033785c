package corpus

import (
	"fmt"

	"cortex/lib/record"
	"cortex/lib/search/index"
	"cortex/lib/search/query"
	"cortex/lib/search/token"
)

// analysisVersion must be raised with every change to the terms that analyse emits or that package token makes, and to
// the traits of a chunk.
const analysisVersion = 8

// analyserVersion returns a version that changes whenever the same chunk may get other terms.
func (s *Stemmer) analyserVersion() string { return fmt.Sprintf("%d %s", analysisVersion, s.language) }

// wordFields returns the word fields, each with a function that returns its values in a chunk.
func wordFields() []wordField {
	return []wordField{
		{field: query.Text, values: func(c *record.Chunk) []string { return oneValue(c.Text) }},
		{field: query.Title, values: func(c *record.Chunk) []string { return oneValue(c.Title) }},
		{field: query.Symbol, values: symbolNames},
		{field: query.FilePath, values: func(c *record.Chunk) []string { return oneValue(c.Metadata.FilePath) }, shared: true},
		{field: query.Package, values: func(c *record.Chunk) []string { return oneValue(c.Metadata.Package) }, shared: true},
	}
}

// analysedFields returns the wordFields with the stemmer that indexing uses.
func analysedFields(s *Stemmer) []wordField {
	fields := wordFields()
	for i := range fields {
		fields[i].stemmer = s
	}
	return fields
}

// A wordField is a field of a chunk whose values are split into words. It has any number of values, none of them empty.
type wordField struct {
	field  query.Field
	values func(*record.Chunk) []string
	// shared says that the values depend on the chunk's path and package alone.
	shared bool
	// stemmer finds stems; if it is nil, the field has no stems.
	stemmer *Stemmer
}

// apart is the number of positions between two values of a field: more than MaxGap, so that no phrase matches across
// them.
const apart = MaxGap + 1

// analyse calls emit for every term of the field in the chunk, with the kind of its dictionary and its interval of
// positions. Terms of one kind come in the order of their first positions.
func (f wordField) analyse(c *record.Chunk, emit func(kind dictKind, term string, at index.Span)) {
	offset := 0
	isText := f.field == query.Text
	cased := isText || f.field == query.Symbol
	for _, value := range f.values(c) {
		var own, prose Intervals
		if isText {
			own = OwnText(c)
			if c.ChunkType == record.Documentation && f.stemmer != nil {
				prose = ProseOf(c, own)
			}
		}
		offset += apart + token.Scan(value, func(t token.Token) {
			at := index.Span{From: t.From + offset, To: t.To + offset}
			kind, made := WholeTerms, madeTerms
			if t.Kind == token.Part {
				kind, made = PartTerms, madeParts
			}
			if isText && !own.Hold(t.Start) {
				emit(made, t.Term, at)
				return
			}
			emit(kind, t.Term, at)
			if kind == PartTerms {
				return
			}
			if written := value[t.Start:t.End]; cased && written != t.Term && len(written) <= token.MaxTerm {
				emit(CasedTerms, CasedTerm(t.Term, written), at)
			}
			if t.Kind == token.Whole && prose.Hold(t.Start) {
				if stem, ok := f.stemmer.StemOf(t.Term); ok {
					emit(StemTerms, stem, at)
				}
			}
		})
	}
}
