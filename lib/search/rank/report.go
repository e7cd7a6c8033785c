package rank

import (
	"cmp"
	"context"
	"math"
	"slices"

	"cortex/lib/search/corpus"
	"cortex/lib/search/query"
	"cortex/lib/search/token"
	"cortex/lib/search/wording"
)

// Reports, such as the description of a fault with a traceback, are searched differently from questions: most of their
// words are irrelevant, the first line sums up, and names and paths point to the place.

const (
	// maxReportTerms is the number of words of a report that are searched for, by greatest weight.
	maxReportTerms = 40
	// maxReportWords is the number of distinct words at the beginning of a report from which these are chosen.
	maxReportWords = 5000
	// namedWhole is the weight of an identifier of several parts, quotedShare the factor for words in quoted lines.
	namedWhole, quotedShare = 1.5, 0.5
	// reportRarity is the exponent of the rarity of words: among many words, the rarest is often there by chance.
	reportRarity = 0.8
)

// isAboutCode reports whether the topic is a report whose headline does not ask how something is used.
func (a *Topic) isAboutCode() bool { return a.Headline != "" && !a.Asks.Use }

// readReport sets Terms to the words of the report with the greatest weights, and scores the headline.
func (a *Topic) readReport(ctx context.Context) (err error) {
	if a.headlineTerms, err = wording.Terms(a.x.Text, a.Headline); err != nil {
		return err
	}
	if a.headlineWords, err = a.x.wordScores(ctx, a.headlineTerms, a.allowed); err != nil {
		return err
	}
	if err = a.addConcepts(ctx, a.Headline, a.headlineWords); err != nil {
		return err
	}
	a.Terms, err = a.x.reportTerms(a.topic)
	return err
}

// reportTerms returns the words of a report that are rare in the index and frequent in the report.
func (x *Ranker) reportTerms(topic string) ([]wording.Term, error) {
	counts := map[string]int{}
	weights := map[string]float32{}
	var words []string
	for line, quoted := range wording.QuotedLines(topic) {
		token.Scan(line, func(t token.Token) {
			if wording.IsFunctionWord(t.Term) || t.Kind == token.Sigil {
				return
			}
			weight := float32(1)
			switch {
			case t.Kind == token.Part:
				weight = wording.PieceWeight
			case t.To-t.From > 1:
				weight = namedWhole
			}
			if quoted {
				weight *= quotedShare
			}
			if counts[t.Term] == 0 {
				if len(words) == maxReportWords {
					return
				}
				words = append(words, t.Term)
			}
			counts[t.Term]++
			weights[t.Term] = max(weights[t.Term], weight)
		})
	}
	type valued struct {
		wording.Term
		value float64
	}
	var list []valued
	frequencies, err := x.Text.Counts(corpus.DictsOf(query.Text), words)
	if err != nil {
		return nil, err
	}
	for i, word := range words {
		if frequencies[i] == 0 {
			continue
		}
		rarity := corpus.IDF(x.Generation.Len(), frequencies[i])
		weight := float64(weights[word]) * (1 + math.Log(float64(counts[word])))
		term := wording.Term{Word: word, Weight: float32(weight * math.Pow(rarity, reportRarity-1)), Forms: []wording.Form{{Text: word, Weight: 1}}}
		list = append(list, valued{term, weight * rarity})
	}
	slices.SortStableFunc(list, func(a, b valued) int { return cmp.Compare(b.value, a.value) })
	var terms []wording.Term
	for _, v := range list[:min(len(list), maxReportTerms)] {
		terms = append(terms, v.Term)
	}
	return terms, nil
}
