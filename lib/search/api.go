package search

import (
	"cortex/lib/search/answer"
	"cortex/lib/search/query"
	"cortex/lib/search/rank"
)

// Settings shape what an Index holds and how it answers.
type Settings struct {
	// Stemmer names the language of the prose in documents (see Stemmers), in which a word is found in all its
	// forms; "" is DefaultStemmer, and NoStemmer finds words as they are written alone.
	Stemmer string
	// FuzzyDistance is how many edits away a term with ~ and no number may be, from 0 to 2; nil is 1. With 0, misspelt words of
	// questions are taken as they are, too.
	FuzzyDistance *int
	// MinScore is Request.MinScore for requests that have none.
	MinScore float64
	// Merging is how hits of one document become one, nil for DefaultMerging.
	Merging *rank.Merging
}

// fuzziness is how many edits away a term with a bare ~ may be.
func (s *Settings) fuzziness() int {
	if s.FuzzyDistance == nil {
		return 1
	}
	return *s.FuzzyDistance
}

// A QueryError points to the fault in a query that cannot be understood.
type QueryError = query.Error

// What is asked and answered: the types of package answer, which the packages below share.
type (
	Mode             = answer.Mode
	Filter           = answer.Filter
	Around           = answer.Around
	Request          = answer.Request
	Response         = answer.Response
	ResponseMetadata = answer.ResponseMetadata
	Hit              = answer.Hit
	Highlight        = answer.Highlight
	MatchedLine      = answer.MatchedLine
	Excerpt          = answer.Excerpt
	NoMatch          = answer.NoMatch
	Counts           = answer.Counts
	// Merging says how hits of one document become one.
	Merging = rank.Merging
)

// The modes of questions, and the other values of requests and answers.
const (
	Auto    = answer.Auto
	Keyword = answer.Keyword
	Hybrid  = answer.Hybrid

	MaxLimit = answer.MaxLimit

	SourceExact = answer.SourceExact
)
