// Package concept knows the words of code for what people say: for "stop people from trying many passwords" code has "rate", "throttle", "lockout".
// The words of a question go in; words that code may use for it come out, each with a weight.
//
// The lexicon is lexicon.txt, a group a line: phrases that people say, then " = ", then the words of code.
//
//	send a visitor elsewhere, bounce to another page = redirect location moved found 301 302 forward
//
// lexicon.bin is compiled from it, is in the binary and is read in place. A test of lib/search compiles the text and compares:
// UPDATE_GOLDEN=1 go test ./lib/search -run TestLexicon writes the table after a change of the text.
package concept

import (
	"cmp"
	_ "embed"
	"slices"
	"strings"
)

//go:embed lexicon.txt
var lexiconText string

//go:embed lexicon.bin
var lexiconTable string

// Text is the lexicon as it is written.
func Text() string { return lexiconText }

// Default is the lexicon in the binary.
func Default() (*Lexicon, error) { return Open(lexiconTable) }

// A Word may stand in the code that a question is about.
type Word struct {
	Text string
	// Weight is what the word counts beside a word of the question itself, above 0.
	Weight float64
}

const (
	// leastMatch is the share of a phrase, by the rarity of its words among all phrases, that a question must have.
	leastMatch = 0.5
	// maxGroups is how many groups a question calls up, those whose phrases match best.
	maxGroups = 20
	// maxWeight is the weight of a word that one group has whose phrase is all in the question, and commonness what each group that
	// has the word takes off.
	maxWeight, commonness = 2.5, 0.04
	// confirmed is the share of its weight that each further group with the same word adds.
	confirmed = 0.5
)

// Words lists the words that code may have for what a question says, those that count most first. The question is given by the stems
// of its words, by the stemmer with which the lexicon was compiled.
func (l *Lexicon) Words(stems []string) []Word {
	shared := map[uint32]float32{} // rarity of the words that a phrase and the question share, by phrase
	for i, s := range stems {
		if slices.Contains(stems[:i], s) {
			continue
		}
		n, ok := l.stems.find(s)
		if !ok {
			continue
		}
		for _, phrase := range l.phrasesOf(n) {
			shared[phrase] += l.rarity(n)
		}
	}
	type match struct {
		group uint32
		share float64
	}
	best := map[uint32]float64{}
	for phrase, sum := range shared {
		group, total := l.phrase(phrase)
		if share := float64(sum / total); share >= leastMatch {
			best[group] = max(best[group], min(share, 1))
		}
	}
	matches := make([]match, 0, len(best))
	for group, share := range best {
		matches = append(matches, match{group, share})
	}
	slices.SortFunc(matches, func(a, b match) int { return cmp.Or(cmp.Compare(b.share, a.share), cmp.Compare(a.group, b.group)) })
	weights := map[uint32]float64{}
	for _, m := range matches[:min(len(matches), maxGroups)] {
		for _, word := range l.wordsOf(m.group) {
			w := maxWeight * m.share / (1 + commonness*float64(l.groupsWith(word)))
			weights[word] = max(weights[word], w) + confirmed*min(weights[word], w)
		}
	}
	words := make([]Word, 0, len(weights))
	for word, weight := range weights {
		words = append(words, Word{l.words.at(word), weight})
	}
	slices.SortFunc(words, func(a, b Word) int { return cmp.Or(cmp.Compare(b.Weight, a.Weight), strings.Compare(a.Text, b.Text)) })
	return words
}
