// Package greek finds the stems of Greek words, so that a search finds a word of a document in all its forms.
// lib/search uses it if search.stemmer is greek.
//
// The algorithm is that of Ntais (Development of a Stemmer for the Greek Language, Stockholm 2006) as Saroukos enhanced
// it (Enhancing a Greek Language Stemmer, Tampere 2008) and Snowball publishes it. rules.go has the endings, greek.go
// applies them.
package greek

import (
	"strings"
	"unicode/utf8"
)

// A Stemmer has the rules of the algorithm. It is safe for concurrent use.
type Stemmer struct{ rules []rule }

func New() *Stemmer { return &Stemmer{rules()} }

// leastLetters is the number of letters below which a word is not stemmed.
const leastLetters = 3

// Stem returns the stem of a word, in lower case without accents.
func (s *Stemmer) Stem(word string) string {
	word = strings.Map(plain, word)
	if utf8.RuneCountInString(word) < leastLetters {
		return word
	}
	stem, cut := word, false
	for i := range s.rules {
		if r := &s.rules[i]; !cut || !r.onlyUncut {
			var applied bool
			stem, applied = r.apply(stem)
			cut = cut || applied && !r.keepsEnding
		}
	}
	if stem == "" {
		return word // the word consists of an ending
	}
	return stem
}

// plain returns a letter in lower case without accents; a final sigma becomes a regular one.
func plain(r rune) rune {
	switch r {
	case 'ά', 'Ά':
		return 'α'
	case 'έ', 'Έ':
		return 'ε'
	case 'ή', 'Ή':
		return 'η'
	case 'ί', 'ϊ', 'ΐ', 'Ί', 'Ϊ':
		return 'ι'
	case 'ό', 'Ό':
		return 'ο'
	case 'ύ', 'ϋ', 'ΰ', 'Ύ', 'Ϋ':
		return 'υ'
	case 'ώ', 'Ώ':
		return 'ω'
	case 'ς':
		return 'σ'
	}
	if 'Α' <= r && r <= 'Ω' {
		return r + 'α' - 'Α'
	}
	return r
}
