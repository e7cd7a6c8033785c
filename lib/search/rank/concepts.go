package rank

import (
	"context"
	"slices"
	"strings"

	"cortex/lib/search/answer"
	"cortex/lib/search/concept"
	"cortex/lib/search/corpus"
	"cortex/lib/search/wording"
)

// Concepts: a question in other words than the code's is also searched for by words that code is likely to use.

const (
	// leastConcept is the weight below which a concept's word is not searched for.
	leastConcept = 0.05
	// conceptFade is the share of their weight that concepts lose if one chunk has all words of the question.
	conceptFade = 0.9
	// besideNames is the share of their weight that concepts keep in a question that contains an identifier.
	besideNames = 0.6
	// maxConcepts bounds the words that are searched for.
	maxConcepts = 150
	// maxAlso is how many words of concepts a topic lists; an answer names those of them that its results have.
	maxAlso = 24
)

// conceptsOf returns the words that code may use for a question in plain words; nil for identifiers and single words.
func (x *Ranker) conceptsOf(topic string) []concept.Word {
	words := wording.PlainWords(topic)
	if len(words) < 2 || wording.IsIdentifier(topic) {
		return nil
	}
	lexicon := x.lexicon()
	if lexicon == nil {
		return nil
	}
	var stems []string
	for _, w := range words {
		stems = append(stems, wording.Stem(w))
	}
	return unsaid(lexicon.Words(stems, x.meaningOf(topic)), stems)
}

// unsaid returns the words whose stems are not among the question's stems, at most maxConcepts.
func unsaid(words []concept.Word, stems []string) []concept.Word {
	words = slices.DeleteFunc(words, func(w concept.Word) bool { return slices.Contains(stems, wording.Stem(w.Text)) })
	return words[:min(len(words), maxConcepts)]
}

// joinedName returns a name without underscores. It finds the name where code writes it in camel case.
func joinedName(word string) string { return strings.ReplaceAll(word, "_", "") }

// addConcepts searches for the words of the question's concepts and adds their scores to words. question is the whole
// question or the headline of a report. The weight of concepts falls with the best coverage of the question's own words
// and with their number. addConcepts notes in Also and byConcepts which of the concepts' words the index has.
func (a *Topic) addConcepts(ctx context.Context, question string, words *corpus.Matches) error {
	fade := wording.Brevity(wording.WordsOfSubstance(question)) * (1 - conceptFade*float64(words.BestCoverage))
	if list, alone := wording.Mentions(question); !alone && slices.ContainsFunc(list, func(m wording.Mention) bool { return m.Identifier }) {
		fade *= besideNames
	}
	if a.mode == answer.Fusion || fade == 0 {
		return nil
	}
	concepts := a.concepts()
	var terms []wording.Term
	for _, w := range concepts {
		weight := w.Weight * fade
		if weight < leastConcept {
			break
		}
		t := wording.Term{Word: w.Text, Weight: float32(weight), Forms: []wording.Form{{Text: w.Text, Weight: 1}}}
		if joined := joinedName(w.Text); joined != w.Text {
			t.Forms = append(t.Forms, wording.Form{Text: joined, Weight: 1})
		}
		terms = append(terms, t)
	}
	if _, err := a.x.addWords(ctx, terms, words, nil, a.allowed); err != nil {
		return err
	}
	for i, t := range terms {
		if t.Occurs && concepts[i].Shared {
			a.byConcepts += t.Rarity
		}
		if t.Found && len(a.Also) < maxAlso {
			a.Also = append(a.Also, t.Word)
		}
	}
	return nil
}
