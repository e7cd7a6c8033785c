package exact

import (
	"errors"
	"strings"
	"sync"

	"cortex/lib/search/corpus"
	"cortex/lib/search/query"
	"cortex/lib/search/token"
)

// A variant is one term of a dictionary that a word of a query matches.
type variant struct {
	corpus.Dict
	term string
	// closeness is 1 for the word itself and less for other terms.
	closeness float32
}

// A word is one word of a query with all its variants. gap is set for a wildcard that matches any words.
type word struct {
	variants []variant
	gap      bool
	// folded and written are the word in lower case and as it is written, if it matches only itself and its stem; else
	// "".
	folded, written string
}

// variants returns the words of the term with their variants in the field.
func (e *evaluator) variants(t *query.Term, field query.Field) ([]word, error) {
	whole, parts := corpus.Dict{Field: field, Kind: corpus.WholeTerms}, corpus.Dict{Field: field, Kind: corpus.PartTerms}
	switch {
	case t.Regexp != nil:
		variants, err := e.expression(t, whole)
		return []word{{variants: variants}}, err
	case len(t.Wild) > 0:
		return e.patterns(t, whole, parts)
	}
	var list []word
	words := token.Words(t.Text)
	for _, w := range words {
		if t.Fuzzy > 0 {
			variants, err := e.fuzzy(w.Term, t.Fuzzy, whole, parts)
			if err != nil {
				return nil, err
			}
			list = append(list, word{variants: variants})
			continue
		}
		plain := word{variants: plainVariants(w.Term, whole, parts), folded: w.Term, written: t.Text[w.Start:w.End]}
		if alone := t.Unsigned(w.Term); alone != w.Term {
			plain.variants = append(plain.variants, plainVariants(alone, whole, parts)...)
		}
		if len(words) == 1 && field == query.Text && corpus.Stemmed(t, w) {
			if stem, ok := e.x.Stemmer.StemOf(w.Term); ok {
				plain.variants = append(plain.variants, variant{corpus.Dict{Field: field, Kind: corpus.StemTerms}, stem, 1})
			}
		}
		list = append(list, plain)
	}
	return list, nil
}

// patterns returns the words of a term with wildcards.
func (e *evaluator) patterns(t *query.Term, whole, parts corpus.Dict) (list []word, err error) {
	for _, p := range token.Patterns(t.Text, t.Wild) {
		var w word
		if literal, ok := p.Literal(); ok {
			w.variants = plainVariants(literal, whole, parts)
		} else if p.Anything() {
			w.gap = true
		} else if w.variants, err = e.pattern(p, whole, parts); err != nil {
			return nil, err
		}
		list = append(list, w)
	}
	// A wildcard at the beginning or end matches nothing as well, so it is dropped.
	for len(list) > 1 && list[0].gap {
		list = list[1:]
	}
	for len(list) > 1 && list[len(list)-1].gap {
		list = list[:len(list)-1]
	}
	return list, nil
}

func plainVariants(term string, whole, parts corpus.Dict) []variant {
	return []variant{{whole, term, 1}, {parts, term, 1}}
}

func (e *evaluator) fuzzy(term string, edits int, dicts ...corpus.Dict) ([]variant, error) {
	var list []variant
	for _, d := range dicts {
		seen := map[string]bool{}
		for _, own := range e.dictsOf(d) {
			near, err := e.x.Text.Near(own, term, edits, corpus.MaxNear)
			if err != nil {
				return nil, err
			}
			for _, n := range near {
				if !seen[n.Term] {
					seen[n.Term] = true
					list = append(list, variant{d, n.Term, 1 / float32(1+n.Edits)})
				}
			}
		}
	}
	return list, nil
}

func (e *evaluator) pattern(p token.Pattern, dicts ...corpus.Dict) ([]variant, error) {
	var list []variant
	letters := float32(p.Letters())
	for _, d := range dicts {
		terms, err := e.terms(d, p.Prefix(), p.Match, maxPatternTerms-len(list))
		if err != nil {
			var many *corpus.TooManyTerms
			if errors.As(err, &many) {
				many.Limit = maxPatternTerms
			}
			return nil, err
		}
		for _, term := range terms {
			list = append(list, variant{d, term, letters / float32(max(len(term), 1))})
		}
	}
	return list, nil
}

// maxSteps bounds the steps of a regular expression, summed over the different words of the index that may match it.
const maxSteps = 1 << 30

// expression returns the terms that match the regular expression.
func (e *evaluator) expression(t *query.Term, d corpus.Dict) ([]variant, error) {
	steps := 0
	var failed error
	known := map[string]bool{} // results by word: several segments may have the same word
	var mu sync.Mutex
	match := func(term string) bool {
		if !t.Regexp.MayMatch(term) {
			return false // most words, so the workers rarely wait for each other
		}
		mu.Lock()
		defer mu.Unlock()
		matches, ok := known[term]
		if ok {
			return matches
		}
		if steps += len(term) * t.Regexp.Steps(); failed == nil && steps > maxSteps {
			failed = t.Errorf("begin it with ^ and some letters", "regular expression takes too long over all words of the index")
		}
		if failed == nil && steps&0xffff < len(term)*t.Regexp.Steps() {
			failed = e.ctx.Err()
		}
		matches = failed == nil && t.Regexp.Match(term)
		known[strings.Clone(term)] = matches
		return matches
	}
	terms, err := e.terms(d, t.Regexp.Prefix(), match, maxPatternTerms)
	if failed != nil {
		return nil, failed
	}
	if err != nil {
		return nil, err
	}
	var list []variant
	for _, term := range terms {
		list = append(list, variant{d, term, t.Regexp.Share(term)})
	}
	return list, nil
}

const maxPatternTerms = 5000
