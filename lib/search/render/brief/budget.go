package brief

import (
	"slices"

	"cortex/lib/search/answer"
)

// Each kind of answer has a default budget. A request may name another.

const (
	// DefaultTokens is the budget of an answer if the request names none.
	DefaultTokens = 700
	// topicTokens is the default budget for each of several topics.
	topicTokens = 500
	// WideTokens is the default budget for relations, and for results with surrounding lines; wholeTokens for whole
	// definitions.
	WideTokens  = 2000
	wholeTokens = 4000
)

// Budget returns the number of tokens for the text of the responses: named, or a default if named is not positive.
func Budget(responses []*answer.Response, named int) int {
	if named > 0 {
		return named
	}
	for _, r := range responses {
		switch {
		case hasExcerpts(r.Results):
			return max(wholeTokens, 2*topicTokens*len(responses))
		case slices.ContainsFunc(r.Results, func(h answer.Hit) bool { return h.Context != nil }):
			return max(WideTokens, 2*topicTokens*len(responses))
		}
	}
	return max(DefaultTokens, topicTokens*len(responses))
}

// Further reports whether a text may show results that Best leaves out. named is the requested budget in tokens, as for
// Budget.
func Further(around answer.Around, named int) bool {
	return named > DefaultTokens || named <= 0 && around != (answer.Around{})
}

func hasExcerpts(hits []answer.Hit) bool {
	return slices.ContainsFunc(hits, func(h answer.Hit) bool { return h.Excerpts != nil })
}

// Cost returns what a text takes of the budget: its tokens, or a fourth of its bytes if that is more, as a reader may
// estimate it so.
func Cost(text string) int { return max(Tokens(text), (len(text)+3)/4) }
