package search

import (
	"errors"
	"slices"
	"strings"

	"cortex/lib/search/query"
)

const (
	// typo is what a word counts that is one edit away from a word of the question that is nowhere.
	typo = 0.5
	// leastTypo is the number of letters from which on a word may be mistyped; shorter ones are near to everything.
	leastTypo = 4
	// maxTypos bounds the words of a question that are looked up, and maxTypoForms the forms of one.
	maxTypos, maxTypoForms = 3, 20
)

// mendTypos gives words of the question that have no match the forms that are one edit away.
func (a *asker) mendTypos() error {
	if a.x.settings.fuzziness() == 0 {
		return nil
	}
	var wrong []int
	for i, t := range a.terms {
		if len(wrong) == maxTypos {
			break
		}
		if t.weight < 1 || len(t.forms) > 1 || len(t.word) < leastTypo || !isLetters(t.word) {
			continue
		}
		known, err := isKnown(a.text, t.word)
		if err != nil {
			return err
		}
		if !known {
			wrong = append(wrong, i)
		}
	}
	if len(wrong) == 0 {
		return nil
	}
	for _, i := range wrong {
		t := &a.terms[i]
		var found []string
		for _, d := range dictsOf(query.Text) {
			list, err := a.text.near(d, t.word, 1, maxFuzzyTerms)
			if many := (*tooManyTerms)(nil); err != nil && !errors.As(err, &many) {
				return err
			}
			for _, n := range list {
				if isLetters(n.term) {
					found = append(found, n.term)
				}
			}
		}
		// Those that begin alike first: few mistype the first letter.
		slices.SortFunc(found, func(a, b string) int {
			if alike := a[0] == t.word[0]; alike != (b[0] == t.word[0]) {
				if alike {
					return -1
				}
				return 1
			}
			return strings.Compare(a, b)
		})
		found = slices.Compact(found)
		for _, term := range found[:min(len(found), maxTypoForms)] {
			t.forms = append(t.forms, form{term, typo})
			t.misspelt = true
		}
	}
	return nil
}

// isKnown reports whether any chunk has the word in any field that questions ask.
func isKnown(text textIndex, word string) (bool, error) {
	for _, f := range questionFields() {
		for _, d := range dictsOf(f.field) {
			if n, err := text.count(d, word); n > 0 || err != nil {
				return true, err
			}
		}
	}
	return false, nil
}
