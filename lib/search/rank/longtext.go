package rank

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"cortex/lib/search/corpus"
	"cortex/lib/search/query"
	"cortex/lib/search/token"
	"cortex/lib/search/wording"
)

// Long texts, such as a report of a fault with a traceback, ask differently from questions: most words are
// beside the point, the first line sums up, and names and paths point to the place.

const (
	// longTerms is how many of them are searched for, those that say most.
	longTerms = 40
)

// readLong replaces the terms by those of a long text that say most, and scores its headline.
func (a *Topic) readLong(ctx context.Context) error {
	headline := firstLine(a.topic)
	terms, err := wording.Terms(a.x.Text, headline)
	if err != nil {
		return err
	}
	if a.headline, err = a.x.wordScores(ctx, terms, a.allowed); err != nil {
		return err
	}
	a.Terms, err = a.x.longTerms(a.topic)
	return err
}

func firstLine(text string) string {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			return line
		}
	}
	return ""
}

// longTerms takes those words of a long text that are rare and repeated.
func (x *Ranker) longTerms(topic string) ([]wording.Term, error) {
	counts := map[string]int{}
	weights := map[string]float32{}
	var words []string
	token.Scan(topic, func(t token.Token) {
		if wording.IsFunctionWord(t.Term) || t.Kind == token.Sigil {
			return
		}
		weight := float32(1)
		if t.Kind == token.Part {
			weight = wording.PieceWeight
		}
		if counts[t.Term] == 0 {
			words = append(words, t.Term)
		}
		counts[t.Term]++
		weights[t.Term] = max(weights[t.Term], weight)
	})
	type valued struct {
		wording.Term
		value float64
	}
	var list []valued
	for _, word := range words {
		frequency := 0
		for _, d := range corpus.DictsOf(query.Text) {
			n, err := x.Text.Count(d, word)
			if err != nil {
				return nil, err
			}
			frequency = max(frequency, n)
		}
		if frequency == 0 {
			continue
		}
		weight := weights[word] * float32(1+math.Log(float64(counts[word])))
		list = append(list, valued{wording.Term{Word: word, Weight: weight, Forms: []wording.Form{{Text: word, Weight: 1}}}, float64(weight) * corpus.IDF(x.Generation.Len(), frequency)})
	}
	slices.SortStableFunc(list, func(a, b valued) int { return cmp.Compare(b.value, a.value) })
	var terms []wording.Term
	for _, v := range list[:min(len(list), longTerms)] {
		terms = append(terms, v.Term)
	}
	return terms, nil
}

// longText returns the scores of the headline, and the files that a long text gives.
func (a *Topic) longText() (*corpus.Matches, map[uint32]float32) {
	if a.headline == nil {
		return nil, nil
	}
	return a.headline, a.x.places().find(a.topic)
}
