package corpus

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"cortex/lib/hint"
	"cortex/lib/search/index"
)

// A NearTerm is a term of a dictionary, and how many edits it is away.
type NearTerm struct {
	Term  string
	Edits int
}

// TooManyTerms says that a pattern has more than Limit terms.
type TooManyTerms struct{ Limit int }

// Error says it of a word.
func (e *TooManyTerms) Error() string {
	return fmt.Sprintf("matches more than %d different words", e.Limit)
}

// IsTooMany reports whether the error is a *TooManyTerms.
func IsTooMany(err error) bool { return errors.As(err, new(*TooManyTerms)) }

// A Text holds the terms of the chunks: for each field of words one dictionary of each kind. All methods may be called at once.
type Text struct {
	index *index.Text
	in    index.Share
}

// In is the text of a share of the chunks, of which Each and Spans visit no others.
func (t Text) In(share index.Share) Text { return Text{t.index, share} }

// Each visits the chunks that have the term, in ascending order. length is the number of terms of
// that dictionary in the chunk over their mean.
func (t Text) Each(ctx context.Context, d Dict, term string, visit func(chunk, freq int, length float64)) error {
	return t.index.Each(ctx, t.in, d.Number(), term, visit)
}

// Look finds terms, to go over the chunks that have them segment by segment. Its Part takes the numbers of dictionaries, Dict.Number.
func (t Text) Look(ctx context.Context, terms []string) (*index.Lookup, error) {
	return t.index.Look(ctx, terms)
}

// NewScale says what a word counts in some dictionaries, given by their numbers.
func (t Text) NewScale(dicts []int, weights []float32, share float64) *index.Scale {
	return t.index.NewScale(dicts, weights, share)
}

// Spans visits those of the chunks that have the term, in ascending order, with the places where, in a dictionary that has places.
// spans is valid during the call.
func (t Text) Spans(ctx context.Context, d Dict, term string, among Set, visit func(chunk int, spans []index.Span)) error {
	return t.index.Spans(ctx, t.in, d.Number(), term, among.Has, visit)
}

// Counts gives the number of chunks that have each of some different words in one of the dictionaries, that which has it most often.
func (t Text) Counts(dicts []Dict, words []string) ([]int, error) {
	all, err := t.index.Counts(words, dictBits(dicts))
	if err != nil {
		return nil, err
	}
	most := make([]int, len(all))
	for i, counts := range all {
		most[i] = slices.Max(counts)
	}
	return most, nil
}

// Terms lists the terms with the prefix that satisfy match, each once, in order; it stops with
// a *TooManyTerms beyond limit. Match is called by several goroutines.
func (t Text) Terms(d Dict, prefix string, match func(string) bool, limit int) (list []string, err error) {
	err = t.eachTerm([]Dict{d}, prefix, match, limit, func(term index.Term) { list = append(list, term.Text) })
	if err == nil && len(list) > limit {
		return list[:limit], &TooManyTerms{limit}
	}
	return list, err
}

// TermsOf is Terms for several dictionaries: in the order of the first that has each, of each dictionary no more than limit.
func (t Text) TermsOf(dicts []Dict, prefix string, match func(string) bool, limit int) ([]string, error) {
	var all []index.Term
	if err := t.eachTerm(dicts, prefix, match, limit, func(term index.Term) { all = append(all, term) }); err != nil {
		return nil, err
	}
	var list []string
	seen := map[string]bool{}
	for _, d := range dicts {
		left := limit
		for _, term := range all {
			if term.Dicts&(1<<d.Number()) == 0 {
				continue
			}
			if left--; left < 0 {
				break
			}
			if !seen[term.Text] {
				seen[term.Text] = true
				list = append(list, term.Text)
			}
		}
	}
	return list, nil
}

func (t Text) eachTerm(dicts []Dict, prefix string, match func(string) bool, limit int, visit func(index.Term)) error {
	// Who asks for all words wants all or none; of those with a prefix the first ones are of use.
	most := 0
	if prefix == "" {
		most = limit
	}
	terms, tooMany, err := t.index.Terms(dictBits(dicts), prefix, match, most)
	if err == nil && tooMany {
		return &TooManyTerms{limit}
	}
	for _, term := range terms {
		visit(term)
	}
	return err
}

// Near lists the terms that are at most edits (1 or 2) away.
func (t Text) Near(d Dict, term string, edits, limit int) (list []NearTerm, err error) {
	tooMany := false
	err = t.index.Near(d.Number(), term, edits, func(other string) bool {
		distance := hint.Distance(term, other, edits)
		if distance > edits {
			return true
		}
		if tooMany = len(list) == limit; !tooMany {
			list = append(list, NearTerm{other, distance})
		}
		return !tooMany
	})
	if err == nil && tooMany {
		return nil, &TooManyTerms{limit}
	}
	return list, err
}

// MaxNear bounds the words that a misspelt one may stand for.
const MaxNear = 1000
