package rank

import (
	"slices"
	"strings"

	"cortex/lib/search/corpus"
	"cortex/lib/search/query"
	"cortex/lib/search/wording"
)

const (
	// typo is the weight of a form one edit away from a word of the question that occurs nowhere.
	typo = 0.5
	// leastTypo is the least length in bytes of a word to correct; shorter words are close to too many others.
	leastTypo = 4
	// maxTypos bounds the words of a question that are corrected, maxTypoForms the forms of each.
	maxTypos, maxTypoForms = 3, 20
)

// mendTypos adds to words that occur nowhere the forms that are one edit away and occur.
func (a *Topic) mendTypos() error {
	if !a.x.typos {
		return nil
	}
	var asked []corpus.Dict // dictionaries that questions search
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
		// Forms with the same first letter come first: few people mistype the first letter.
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
