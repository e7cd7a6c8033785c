package main

import (
	"strings"

	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/analysis/token/porter"

	"cortex/lib/search/concept"
)

// stem returns the stem of an English word (Porter 1980).
func stem(word string) string {
	if len(word) < 3 {
		return word
	}
	return string(porter.NewPorterStemmer().Filter(analysis.TokenStream{{Term: []byte(word)}})[0].Term)
}

// lexiconPairs returns pairs of a phrase of the lexicon of lib/search/concept and the code words of its group. The words
// are alternately a text, and a name with a text.
func lexiconPairs() *source {
	s := &source{lexicon: true}
	group := 0
	for line := range strings.Lines(concept.Text()) {
		said, words, ok := strings.Cut(strings.TrimSpace(line), " = ")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		words = strings.Join(strings.Fields(words), " ")
		for k, phrase := range strings.Split(said, ", ") {
			text := "\n" + words
			if (group+k)%2 == 0 {
				text = " " + words + "\n" + words
			}
			s.pairs = append(s.pairs, pair{phrase, text, uint32(group)})
		}
		group++
	}
	return s
}
