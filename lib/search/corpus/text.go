package corpus

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"cortex/lib/hint"
	"cortex/lib/search/index"
)

// A NearTerm is a term of a dictionary, with its edit distance from another term.
type NearTerm struct {
	Term  string
	Edits int
}

// TooManyTerms is the error of a pattern that matches more than Limit terms.
type TooManyTerms struct{ Limit int }

// Error completes a message that begins with the word.
func (e *TooManyTerms) Error() string {
	return fmt.Sprintf("matches more than %d different words", e.Limit)
}

// IsTooMany reports whether the error is a *TooManyTerms.
func IsTooMany(err error) bool { return errors.As(err, new(*TooManyTerms)) }

// A Text holds the terms of the chunks: for each word field one dictionary of each kind. All methods are safe for
// concurrent use.
type Text struct {
	index *index.Text
	in    index.Share
}

// In returns a Text whose Each and Spans visit only the chunks of the share.
func (t Text) In(share index.Share) Text { return Text{t.index, share} }

// Each visits the chunks that have the term, in ascending order. length is the number of terms of that dictionary in
// the chunk, divided by the mean over all chunks.
func (t Text) Each(ctx context.Context, d Dict, term string, visit func(chunk, freq int, length float64)) error {
	return t.index.Each(ctx, t.in, d.Number(), term, visit)
}

// Look finds terms, so that the chunks that have them can be visited segment by segment. The methods of its Part take
// the numbers of dictionaries, Dict.Number.
func (t Text) Look(ctx context.Context, terms []string) (*index.Lookup, error) {
	return t.index.Look(ctx, terms)
}

// NewScale returns the weights of dictionaries, given by their numbers; see index.Text.NewScale.
func (t Text) NewScale(dicts []int, weights []float32, share float64) *index.Scale {
	return t.index.NewScale(dicts, weights, share)
}

// Spans visits the chunks of the set among that have the term, in ascending order, with the term's positions. The
// dictionary must keep positions. spans is valid during the call.
func (t Text) Spans(ctx context.Context, d Dict, term string, among Set, visit func(chunk int, spans []index.Span)) error {
	return t.index.Spans(ctx, t.in, d.Number(), term, among.Has, visit)
}

// Counts returns, for each of some different words, the number of chunks that have it in the dictionary in which most
// chunks have it.
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

// Terms lists the terms with the prefix that satisfy match, each once, in order. If there are more than limit, the
// error is a *TooManyTerms, and the list has the first limit terms if prefix is not empty. match is called by several
// goroutines.
func (t Text) Terms(d Dict, prefix string, match func(string) bool, limit int) (list []string, err error) {
	err = t.eachTerm([]Dict{d}, prefix, match, limit, func(term index.Term) { list = append(list, term.Text) })
	if err == nil && len(list) > limit {
		return list[:limit], &TooManyTerms{limit}
	}
	return list, err
}

// TermsOf is Terms for several dictionaries. It lists the terms dictionary by dictionary, at most limit of each and
// each term once; more than limit is an error only if prefix is empty.
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
	// A caller without a prefix needs all terms or none; a caller with a prefix can use the first ones.
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

// Near lists the terms that are at most edits (1 or 2) away from term; the error is a *TooManyTerms if there are more
// than limit.
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

// MaxNear bounds the number of words that a misspelt word may stand for.
const MaxNear = 1000
