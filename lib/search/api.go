package search

import (
	"cortex/lib/search/answer"
	"cortex/lib/search/query"
	"cortex/lib/search/rank"
)

// Settings determine what an Index holds and how it answers.
type Settings struct {
	// Stemmer names the language of prose in documents (see Stemmers). In prose, a search for a word finds all its
	// forms. "" means DefaultStemmer; with NoStemmer only the word as written is found.
	Stemmer string
	// FuzzyDistance is the edit distance, from 0 to 2, that a term with ~ and no number allows; nil means 1. With 0,
	// misspelt words of questions are not corrected either.
	FuzzyDistance *int
	// MinScore replaces Request.MinScore in requests that have none.
	MinScore float64
	// Merging says how hits of one document become one; nil means DefaultMerging.
	Merging *rank.Merging
}

// fuzziness returns the edit distance that a term with a bare ~ allows.
func (s *Settings) fuzziness() int {
	if s.FuzzyDistance == nil {
		return 1
	}
	return *s.FuzzyDistance
}

// A QueryError points to a syntax error in a query.
type QueryError = query.Error

// The types of requests and answers, from package answer.
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
