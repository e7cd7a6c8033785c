package rank

import (
	"slices"
	"strings"

	"cortex/lib/search/corpus"
	"cortex/lib/search/query"
	"cortex/lib/search/wording"
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
func (a *Topic) mendTypos() error {
	if !a.x.typos {
		return nil
	}
	var asked []corpus.Dict // those that questions ask
	for _, f := range questionFields() {
		asked = append(asked, corpus.DictsOf(f.field)...)
	}
	var terms []*wording.Term
	var words []string
	for i := range a.Terms {
		if t := &a.Terms[i]; t.Weight >= 1 && len(t.Forms) <= 1 && len(t.Word) >= leastTypo && wording.IsLetters(t.Word) {
			terms, words = append(terms, t), append(words, t.Word)
		}
	}
	counts, err := a.x.Text.Counts(asked, words)
	if err != nil {
		return err
	}
	looked := 0
	for i, t := range terms {
		if counts[i] > 0 || looked == maxTypos {
			continue
		}
		looked++
		var found []string
		for _, d := range corpus.DictsOf(query.Text) {
			list, err := a.x.Text.Near(d, t.Word, 1, corpus.MaxNear)
			if err != nil && !corpus.IsTooMany(err) {
				return err
			}
			for _, n := range list {
				if wording.IsLetters(n.Term) {
					found = append(found, n.Term)
				}
			}
		}
		// Those that begin alike first: few mistype the first letter.
		slices.SortFunc(found, func(a, b string) int {
			if alike := a[0] == t.Word[0]; alike != (b[0] == t.Word[0]) {
				if alike {
					return -1
				}
				return 1
			}
			return strings.Compare(a, b)
		})
		found = slices.Compact(found)
		for _, term := range found[:min(len(found), maxTypoForms)] {
			t.Forms = append(t.Forms, wording.Form{Text: term, Weight: typo})
			t.Misspelt = true
		}
	}
	return nil
}
