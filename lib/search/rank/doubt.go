package rank

import (
	"context"
	"slices"

	"cortex/lib/search/answer"
	"cortex/lib/search/wording"
)

// Doubt.
//
// Every question has nearest chunks, so nonsense gets hits as well. But few words of nonsense occur in the index, the
// lexicon has no words for it (see concepts.go), and its nearest chunk is no nearer than that of other nonsense. If all
// of this holds, the answer begins by saying that its hits are guesses.
//
// How near is near depends on the model; embed.Card.Near says it if it was measured. For the built-in model, Near
// separates the best cosines of nonsense from those of most questions that have an answer. The distance to the other
// chunks of the index, such as the number of standard deviations above their mean, does not separate them. A question
// in words that the code does not use is no nearer than nonsense; its concepts tell it apart. scripts/relevance
// --nonsense measures both kinds of mistakes.
//
// A question about something that a repository does not have is made of words that it does have. Its hits are Far if
// they are even less near, and none of them has most of the words.

const (
	// leastKnown is the share of a topic's words, by weight and rarity, that must occur if no chunk is near in meaning.
	leastKnown = 0.4
	// misspeltShare is the value, as a known word, of one that occurs only misspelt: most words are close to others.
	misspeltShare = 0.5
	// farShare is the share of Near below which the best cosine is far.
	farShare = 0.9
	// farCoverage is the coverage above which the words vouch for hits that are far in meaning.
	farCoverage = 0.7
	// conceptShare is the value, as a known word, of a concept's word: a phrase may bring many by half of its words.
	conceptShare = 0.5
)

// A Doubt says whether the hits of a topic are guesses.
type Doubt uint8

const (
	// sure: the words of the topic occur, or a chunk is near to it in meaning.
	sure Doubt = iota
	// Far: the words of the topic occur, but in different places, and no chunk is near in meaning.
	Far
	// ByMeaning: no word occurs, and the Near of the model was not measured.
	ByMeaning
	// Guesses: few words occur, and no chunk is near in meaning.
	Guesses
)

// Judge reports whether the hits of the topic are guesses and, if few of its words occur, which ones do. nearness is
// the Near of the model's card, 0 if it was not measured.
func (a *Topic) Judge(ctx context.Context, nearness float64) (Doubt, []string, error) {
	near := 0.0
	if a.mode != answer.Keyword {
		near = nearness
		if near > 0 && a.nearest >= near {
			return sure, nil, nil
		}
	}
	terms := a.Terms
	// The mode Semantic has not searched for words yet, and the terms of a report are only words that occur.
	if a.words == nil || a.headlineWords != nil {
		var err error
		if terms, err = wording.Terms(a.x.Text, a.topic); err != nil {
			return sure, nil, err
		}
		words, err := a.x.wordScores(ctx, terms, a.allowed)
		if err != nil {
			return sure, nil, err
		}
		if a.words == nil {
			if err := a.takeWords(ctx, words); err != nil {
				return sure, nil, err
			}
		}
	}
	var words []string
	for _, t := range terms {
		if t.Occurs && !t.Misspelt && t.Weight == 1 {
			words = append(words, t.Word)
		}
	}
	known, all := a.known(terms)
	switch {
	case a.mode != answer.Keyword && near > 0 && known < leastKnown*all:
		return Guesses, words, nil
	case known > 0 && a.nearest < farShare*near && a.coverage < farCoverage:
		return Far, nil, nil
	case known > 0:
		return sure, nil, nil
	case a.mode != answer.Keyword && near == 0 && len(a.meaning) > 0:
		return ByMeaning, nil, nil
	}
	return Guesses, nil, nil
}

// Absent returns the identifiers of a question that no chunk has, as the question writes them; alone reports whether
// the question consists of one identifier. For a report it returns none.
func (a *Topic) Absent() (names []string, alone bool) {
	if a.words == nil || a.headlineWords != nil { // the terms of a report are only words that occur
		return nil, false
	}
	list, alone := wording.Mentions(a.topic)
	for _, m := range list {
		if !m.Identifier || m.Word == "" {
			continue
		}
		if slices.ContainsFunc(a.Terms, func(t wording.Term) bool { return t.Word == m.Word && !t.Found }) {
			names = append(names, m.Text)
		}
	}
	return names, alone
}

// known returns the sums of the rarities of the terms that occur, with those of concepts' words, and of all terms.
func (a *Topic) known(terms []wording.Term) (known, all float32) {
	for _, t := range terms {
		all += t.Rarity
		switch {
		case !t.Occurs:
		case t.Misspelt:
			known += misspeltShare * t.Rarity
		default:
			known += t.Rarity
		}
	}
	return known + conceptShare*a.byConcepts, all
}
