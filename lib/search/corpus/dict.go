package corpus

import (
	"slices"

	"cortex/lib/search/query"
)

// A dictKind says which of the terms of a field a dictionary has.
//
// Chunks overlap: outlines, headings and breadcrumbs are made up, and signatures stand in two tiers. The words
// of a field of text that are its own are those of lines that belong to this chunk and no other, so
// that each line of a file counts once. The others are in dictionaries of made terms.
type dictKind uint8

const (
	// WholeTerms are whole words and sigils.
	WholeTerms dictKind = iota
	// PartTerms are the parts of identifiers.
	PartTerms
	// madeTerms and madeParts are those that are not the chunk's own.
	madeTerms
	madeParts
	// StemTerms are the stems of plain words in the prose of documents.
	StemTerms
	// CasedTerms are the chunk's own whole words with capitals: CasedTerm of each.
	CasedTerms
	dictKinds
)

// A Dict is one dictionary of a Text.
type Dict struct {
	Field query.Field
	Kind  dictKind
}

// DictsOf are the dictionaries of a field with words and parts of them, be they the chunk's own or not.
func DictsOf(field query.Field) []Dict {
	dicts := []Dict{{field, WholeTerms}, {field, PartTerms}}
	for _, d := range dicts {
		if made, ok := d.Made(); ok {
			dicts = append(dicts, made)
		}
	}
	return dicts
}

// IsPart reports whether the dictionary is one of parts.
func (d Dict) IsPart() bool { return d.Kind == PartTerms || d.Kind == madeParts }

func (d Dict) name() string {
	name := string(d.Field)
	switch d.Kind {
	case PartTerms:
		return name + ".parts"
	case madeTerms:
		return name + ".made"
	case madeParts:
		return name + ".madeparts"
	case StemTerms:
		return name + ".stems"
	case CasedTerms:
		return name + ".cased"
	}
	return name
}

// Made is the dictionary of the terms of d that are not the chunk's own; ok is false if it has none.
func (d Dict) Made() (made Dict, ok bool) {
	switch {
	case d.Field != query.Text:
	case d.Kind == WholeTerms:
		return Dict{d.Field, madeTerms}, true
	case d.Kind == PartTerms:
		return Dict{d.Field, madeParts}, true
	}
	return Dict{}, false
}

// counted is the dictionary in whose length the terms of d count.
func (d Dict) counted() Dict {
	switch d.Kind {
	case madeTerms:
		d.Kind = WholeTerms
	case madeParts:
		d.Kind = PartTerms
	}
	return d
}

// dictOrder are the dictionaries as package index numbers them: those with most terms have the least numbers, which take the least room.
var dictOrder = [...]Dict{
	{query.Text, WholeTerms}, {query.Text, PartTerms}, {query.Text, StemTerms}, {query.Text, CasedTerms}, {query.Title, WholeTerms}, {query.Symbol, WholeTerms},
	{query.Text, madeTerms}, {query.Symbol, CasedTerms}, {query.Text, madeParts}, {query.Title, PartTerms}, {query.Symbol, PartTerms},
	{query.FilePath, WholeTerms}, {query.FilePath, PartTerms}, {query.Package, WholeTerms}, {query.Package, PartTerms}, {query.Tags, WholeTerms},
}

// Number is that of the dictionary in package index.
func (d Dict) Number() int { return slices.Index(dictOrder[:], d) }

// dictBits are dictionaries as package index takes several.
func dictBits(dicts []Dict) (mask uint64) {
	for _, d := range dicts {
		mask |= 1 << d.Number()
	}
	return mask
}

// CasedTerm is the term of CasedTerms for a word as it is written. Terms of one word stand together.
func CasedTerm(folded, written string) string { return folded + casedSeparator + written }

const casedSeparator = "\x00"

// MaxGap is the greatest number of positions that a lone wildcard within a name stands for.
const MaxGap = 8
