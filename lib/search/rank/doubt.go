package rank

import (
	"context"
	"slices"

	"cortex/lib/search/answer"
	"cortex/lib/search/wording"
)

// Doubt.
//
// A question always has nearest chunks, so nonsense has hits, too. But few of its words occur in the index, code has no words for what it says (see
// concepts.go), and its nearest chunk is as far as that of other nonsense. Where all of this holds, an answer begins by saying that its hits
// are guesses.
//
// How near is near depends on the model: embed.Card.Near says it where it was measured. In the built-in model it parts the best cosines of
// nonsense from those of most questions that have an answer; no difference to the other chunks of the index, such as standard deviations
// above their mean, does that. Questions in words that the code does not use are no nearer than nonsense, and are told from it by their
// concepts. scripts/relevance --nonsense measures both kinds of mistakes.

const (
	// leastKnown is the share of a topic's words, by their weight and rarity, that must occur where nothing is near in meaning. Words of
	// concepts count beside them.
	leastKnown = 0.4
	// misspeltShare is what a word counts there that occurs only in another spelling. Most short words are one edit away from another.
	misspeltShare = 0.5
	// conceptShare is what a word of a concept counts there, of which a phrase may call up many by half of its words.
	conceptShare = 0.5
)

// A Doubt is how far the hits of a topic are guesses.
type Doubt uint8

const (
	// sure: the words of the topic occur, or a chunk is near to it in meaning.
	sure Doubt = iota
	// byMeaning: no word occurs, and nobody knows what is near in this model.
	ByMeaning
	// guesses: few words occur, and nothing is near in meaning.
	Guesses
)

// Judge tells how far what was found for the Topic's topic are guesses, and which of its words occur.
func (a *Topic) Judge(ctx context.Context, nearness float64) (Doubt, []string, error) {
	near := 0.0
	if a.mode != answer.Keyword {
		near = nearness
		if near > 0 && len(a.meaning) > 0 && a.meaning[0].Score >= near {
			return sure, nil, nil
		}
	}
	terms := a.Terms
	// Mode Semantic has not looked at words, and of a report only those that occur are among the terms.
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
	case known > 0:
		return sure, nil, nil
	case a.mode != answer.Keyword && near == 0 && len(a.meaning) > 0:
		return ByMeaning, nil, nil
	}
	return Guesses, nil, nil
}

// Absent lists the identifiers of a question that no chunk has, as they are written in it; alone reports whether the question consists of one identifier. Of a
// report it lists none.
func (a *Topic) Absent() (names []string, alone bool) {
	if a.words == nil || a.headlineWords != nil { // the words of a report are chosen from those that occur
		return nil, false
	}
	list, alone := mentions(a.topic)
	for _, m := range list {
		if !m.identifier || m.word == "" {
			continue
		}
		if slices.ContainsFunc(a.Terms, func(t wording.Term) bool { return t.Word == m.word && !t.Found }) {
			names = append(names, m.text)
		}
	}
	return names, alone
}

// known is how much of the words' rarity is that of words that occur, and how much there is in all. Words of concepts count beside them.
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
