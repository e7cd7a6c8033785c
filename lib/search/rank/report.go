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

// Reports, such as that of a fault with a traceback, ask differently from questions: most words are
// beside the point, the first line sums up, and names and paths point to the place.

const (
	// maxReportTerms is how many words of a report are searched for, those that say most.
	maxReportTerms = 40
	// maxReportWords is how many different words of a report are looked up to choose these from, the first ones.
	maxReportWords = 5000
	// namedWhole is by how much more a name of several parts says, as it is written, and quotedShare what a word of quoted lines says.
	namedWhole, quotedShare = 1.5, 0.5
	// reportRarity is the power of their rarity by which words count: among many, the rarest one is often there by chance.
	reportRarity = 0.8
)

// isAboutCode reports whether the topic is a report that does not ask how something is used.
func (a *Topic) isAboutCode() bool { return a.Headline != "" && !asksForUse(a.Headline) }

// readReport replaces the terms by those of a report that say most, and scores its headline.
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

// reportTerms takes those words of a report that are rare and repeated.
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
