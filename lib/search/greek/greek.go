// Package greek finds the stems of Greek words, so that a word of a document is found in all its forms. lib/search uses it where search.stemmer is
// greek.
//
// It is the algorithm of Ntais (Development of a Stemmer for the Greek Language, Stockholm 2006) as Saroukos has enhanced it (Enhancing a Greek
// Language Stemmer, Tampere 2008) and Snowball publishes it. rules.go has its endings, this file what is done with them.
package greek

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// A Stemmer has the rules of the algorithm. It may be used by many at once.
type Stemmer struct{ rules []rule }

// New makes a Stemmer.
func New() *Stemmer { return &Stemmer{rules()} }

// leastLetters is the number of letters below which a word has no ending.
const leastLetters = 3

// Stem is the stem of a word, without accents.
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
		return word // which is nothing but an ending
	}
	return stem
}

// plain is a letter in lower case without accents, and sigma as it stands inside words.
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

// A rule takes the longest of its endings off a word.
type rule struct {
	endings []string
	// put takes the ending's place.
	put string
	// whole is set where the ending must be all of the word.
	whole bool
	// keepsEnding is set where an ordinary ending may still be taken off, which onlyUncut rules do of words that have lost nothing else.
	keepsEnding, onlyUncut bool
	// then has what is put behind certain words that are left. The first that fits counts.
	then []exception
}

// An exception is for what is left of a word if it is one of words, or ends with one of ends; without both, for all.
type exception struct {
	words, ends []string
	// cut is taken off, and add put at the end.
	cut, add string
}

// apply returns the word without the ending; ok is false if it has none.
func (r *rule) apply(word string) (rest string, ok bool) {
	longest := ""
	for _, ending := range r.endings {
		if len(ending) > len(longest) && strings.HasSuffix(word, ending) {
			longest = ending
		}
	}
	if longest == "" || r.whole && longest != word {
		return word, false
	}
	rest = word[:len(word)-len(longest)] + r.put
	for _, e := range r.then {
		if e.fits(rest) {
			return strings.TrimSuffix(rest, e.cut) + e.add, true
		}
	}
	return rest, true
}

func (e *exception) fits(rest string) bool {
	if e.words == nil && e.ends == nil || slices.Contains(e.words, rest) {
		return true
	}
	return slices.ContainsFunc(e.ends, func(end string) bool { return strings.HasSuffix(rest, end) })
}
