package search

import (
	"context"
	"math"
	"slices"
	"strings"

	"cortex/lib/search/concept"
)

// Concepts: a question in other words than the code's is also asked in the words that code is likely to have for it.

const (
	// leastConcept is the weight below which a concept's word is not looked for.
	leastConcept = 0.05
	// conceptFade is the share of their weight that concepts lose where one chunk has all words of the question.
	conceptFade = 0.9
	// maxConcepts bounds the words that are looked for.
	maxConcepts = 100
	// maxAlso is the number of words that an answer names.
	maxAlso = 6
)

// conceptAnalysis compares the words of the lexicon as those of questions are compared.
func conceptAnalysis() concept.Analysis {
	return concept.Analysis{Stem: stem, Ignore: isFunctionWord}
}

// openLexicon opens the lexicon in the binary, which a test has read.
func openLexicon() *concept.Lexicon {
	l, err := concept.Default()
	if err != nil {
		return nil
	}
	return l
}

// conceptsOf are the words that code may have for what a question in words says. Names, of which single words are taken for some, and long texts
// have words of their own.
func (x *Index) conceptsOf(topic string) []concept.Word {
	words := plainWords(topic)
	if len(words) < 2 || isIdentifier(topic) || wordsOfSubstance(topic) > longWords {
		return nil
	}
	lexicon := x.lexicon()
	if lexicon == nil {
		return nil
	}
	var stems []string
	for _, w := range words {
		stems = append(stems, stem(w))
	}
	return unsaid(lexicon.Words(stems), stems)
}

// unsaid are those of the words, no more than maxConcepts, whose stems the question does not have.
func unsaid(words []concept.Word, stems []string) []concept.Word {
	words = slices.DeleteFunc(words, func(w concept.Word) bool { return slices.Contains(stems, stem(w.Text)) })
	return words[:min(len(words), maxConcepts)]
}

// joinedName is a name of several parts as it is found where it is written in camel case.
func joinedName(word string) string { return strings.ReplaceAll(word, "_", "") }

// addConcepts adds to the scores what chunks have of the concepts' words, the less the better a chunk bears out the question's own, and notes
// which of them the index has.
func (a *asker) addConcepts(ctx context.Context) error {
	fade := 1 - conceptFade*math.Pow(float64(most(a.words.coverage)), 2)
	var terms []term
	for _, w := range a.concepts {
		weight := w.Weight * fade
		if weight < leastConcept {
			break
		}
		t := term{word: w.Text, weight: float32(weight), forms: []form{{w.Text, 1}}}
		if joined := joinedName(w.Text); joined != w.Text {
			t.forms = append(t.forms, form{joined, 1})
		}
		terms = append(terms, t)
	}
	return a.x.addWords(ctx, a.text, terms, a.words, a.allowed, func(t term, _ bitset) {
		if t.occurs {
			a.byConcepts += t.rarity
		}
		if len(a.also) < maxAlso {
			a.also = append(a.also, t.word)
		}
	})
}
