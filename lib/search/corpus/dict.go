package corpus

import (
	"slices"

	"cortex/lib/search/query"
)

// A dictKind says which terms of a field a dictionary has.
//
// Chunks overlap: outlines, headings and breadcrumbs are generated, and signatures occur in two tiers. A chunk's own
// words of a text field are the words in lines that belong to this chunk and to no other, so that each line of a file
// counts once. The chunk's other words are in the dictionaries madeTerms and madeParts.
type dictKind uint8

const (
	// WholeTerms are whole words and sigils.
	WholeTerms dictKind = iota
	// PartTerms are the parts of identifiers.
	PartTerms
	// madeTerms and madeParts are whole words and parts in lines that are not the chunk's own.
	madeTerms
	madeParts
	// StemTerms are the stems of plain words in the prose of documents.
	StemTerms
	// CasedTerms are the chunk's own whole words that contain capitals, in the form that CasedTerm returns.
	CasedTerms
	dictKinds
)

// A Dict identifies one dictionary of a Text.
type Dict struct {
	Field query.Field
	Kind  dictKind
}

// DictsOf returns the dictionaries of a field with whole words and parts, both the chunk's own and the others.
func DictsOf(field query.Field) []Dict {
	dicts := []Dict{{field, WholeTerms}, {field, PartTerms}}
	for _, d := range dicts {
		if made, ok := d.Made(); ok {
			dicts = append(dicts, made)
		}
	}
	return dicts
}

// IsPart reports whether the dictionary has parts of words.
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

// Made returns the dictionary for those terms of d's kind that are not the chunk's own; ok is false if there is none.
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

// counted returns the dictionary to whose length the terms of d are added.
func (d Dict) counted() Dict {
	switch d.Kind {
	case madeTerms:
		d.Kind = WholeTerms
	case madeParts:
		d.Kind = PartTerms
	}
	return d
}

// dictOrder lists the dictionaries in the order of their numbers in package index. The dictionaries with most terms
// have the smallest numbers, which take the least space.
var dictOrder = [...]Dict{
	{query.Text, WholeTerms}, {query.Text, PartTerms}, {query.Text, StemTerms}, {query.Text, CasedTerms}, {query.Title, WholeTerms}, {query.Symbol, WholeTerms},
	{query.Text, madeTerms}, {query.Symbol, CasedTerms}, {query.Text, madeParts}, {query.Title, PartTerms}, {query.Symbol, PartTerms},
	{query.FilePath, WholeTerms}, {query.FilePath, PartTerms}, {query.Package, WholeTerms}, {query.Package, PartTerms}, {query.Tags, WholeTerms},
}

// Number returns the number of the dictionary in package index.
func (d Dict) Number() int { return slices.Index(dictOrder[:], d) }

// dictBits returns the dictionaries as a bit mask, the form that package index takes.
func dictBits(dicts []Dict) (mask uint64) {
	for _, d := range dicts {
		mask |= 1 << d.Number()
	}
	return mask
}

// CasedTerm returns the term of CasedTerms for a word as it is written. The terms of one folded word sort together.
func CasedTerm(folded, written string) string { return folded + casedSeparator + written }

const casedSeparator = "\x00"

// MaxGap is the greatest number of positions that a lone wildcard within a name stands for.
const MaxGap = 8
