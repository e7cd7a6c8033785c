package search

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"cortex/lib/hint"
	"cortex/lib/record"
	"cortex/lib/search/index"
	"cortex/lib/search/query"
	"cortex/lib/search/token"
)

// Weights of exact search.
const (
	// bm25K1 and bm25B are the usual constants of BM25.
	bm25K1, bm25B = 1.2, 0.75
	// partWeight is what a part of an identifier counts beside a whole word.
	partWeight = 0.4
	// stemWeight is what another form of a word counts in prose.
	stemWeight = 0.3
	// wholeShare is the share of a term's score that a chunk has for holding it as a whole
	// word, however often, and caseShare what it has for holding it in the case in which it was asked for. Each is
	// no less than the share of the number of occurrences, so that the closer match always comes first.
	wholeShare, caseShare = 0.36, 0.34
	// symbolWeight and titleWeight are what a term of the text counts again in the
	// symbol's name and in the title, so that a definition comes before a use.
	symbolWeight, titleWeight = 1.0, 0.5
)

// Bounds on what wildcards and typos may stand for.
const (
	maxPatternTerms = 5000
	maxFuzzyTerms   = 1000
)

// matches are chunks with their scores. Scores of others mean nothing.
type matches struct {
	set bitset
	// score is nil where nobody asks for it.
	score []float32
	// coverage is the share of a question's words, by their rarity, that a chunk has; nil for other matches.
	coverage []float32
	// whole are those that have a word by itself, not only as a part of others; nil where it does not apply.
	whole bitset
}

func (x *Index) noMatches() *matches {
	return &matches{set: newBitset(x.cat.Len()), score: make([]float32, x.cat.Len())}
}

// evaluator evaluates one query.
type evaluator struct {
	x    *Index
	text textIndex
	ctx  context.Context
	// source is the query as written.
	source string
	// stemmer finds the stems of plain words, none if it is nil.
	stemmer *stemmer
	// asked are the chunk types that the request names.
	asked map[record.ChunkType]bool
	// titled are the chunks that have a title which the query asks for.
	titled bitset
	// unranked is set while scores are not asked for.
	unranked bool
	// others counts how often a chunk has a word in other capitals; it is all 0 between uses.
	others []int32
}

func (e *evaluator) noMatches() *matches {
	if e.unranked {
		return &matches{set: newBitset(e.x.cat.Len())}
	}
	return e.x.noMatches()
}

// counts reports whether words of the chunk count that are not its own: they do where a request asks for its tier.
func (e *evaluator) counts(chunk int) bool {
	if len(e.asked) == 0 {
		return false
	}
	tier := e.x.cat.ChunkType(chunk)
	return e.asked[tier] && tier != record.Documentation && tier != record.Implementations
}

// visible is the set of chunks that may be hits: those with lines of their own, and others whose type or title the
// request asks for.
func (e *evaluator) visible() bitset {
	set := slices.Clone(e.x.withLines())
	for tier := range e.asked {
		e.x.addValue(set, query.ChunkType, string(tier))
	}
	if e.titled != nil {
		set.union(e.titled)
	}
	return set
}

// findTitles finds the chunks with the titles that the query asks for. A chunk has its title to itself, so that those of outlines
// are found, too. Headings without a text are left to the sections below them.
func (e *evaluator) findTitles(n query.Node) error {
	var failed error
	query.Walk(n, func(t *query.Term) {
		if t.Field != query.Title || isAnything(t) || failed != nil {
			return
		}
		set, err := e.set(t)
		if err != nil {
			failed = err
			return
		}
		set.each(func(i int) {
			if e.x.cat.ChunkType(i) == record.Documentation {
				set.remove(i)
			}
		})
		if e.titled == nil {
			e.titled = set
		} else {
			e.titled.union(set)
		}
	})
	return failed
}

// chunksWithLines is the set of chunks that have lines of their own.
func (x *Index) chunksWithLines() bitset {
	set := newBitset(x.cat.Len())
	set.fill(x.cat.Len())
	x.cat.Having(traitDerived, set.remove)
	return set
}

// each visits the chunks that have the term as their own.
func (e *evaluator) each(d dict, term string, visit func(chunk, freq int, length float64)) error {
	if err := e.text.each(e.ctx, d, term, visit); err != nil {
		return err
	}
	made, ok := d.made()
	if !ok || len(e.asked) == 0 {
		return nil
	}
	return e.text.each(e.ctx, made, term, func(chunk, freq int, length float64) {
		if e.counts(chunk) {
			visit(chunk, freq, length)
		}
	})
}

// dictsOf are the dictionaries that have the terms that each asks for in d.
func (e *evaluator) dictsOf(d dict) []dict {
	if made, ok := d.made(); ok && len(e.asked) > 0 {
		return []dict{d, made}
	}
	return []dict{d}
}

// terms are those of textIndex for all dictsOf d.
func (e *evaluator) terms(d dict, prefix string, match func(string) bool, limit int) ([]string, error) {
	var all []string
	for _, own := range e.dictsOf(d) {
		list, err := e.text.terms(own, prefix, match, limit)
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

// spans visits those of the chunks that have the term as their own, with the places.
func (e *evaluator) spans(d dict, term string, among bitset, visit func(chunk int, spans []index.Span)) error {
	if err := e.text.spans(e.ctx, d, term, among, visit); err != nil {
		return err
	}
	made, ok := d.made()
	if !ok || len(e.asked) == 0 {
		return nil
	}
	return e.text.spans(e.ctx, made, term, among, func(chunk int, spans []index.Span) {
		if e.counts(chunk) {
			visit(chunk, spans)
		}
	})
}

// eval returns what the node finds. The caller owns it.
func (e *evaluator) eval(n query.Node) (*matches, error) {
	switch n := n.(type) {
	case *query.And:
		return e.and(n)
	case *query.Or:
		all := e.noMatches()
		for _, child := range n.Nodes {
			m, err := e.eval(child)
			if err != nil {
				return nil, err
			}
			addScores(all, m, m.set)
			all.set.union(m.set)
		}
		return all, nil
	case *query.Not:
		m, err := e.set(n.Node)
		if err != nil {
			return nil, err
		}
		all := e.noMatches()
		all.set.fill(e.x.cat.Len())
		all.set.subtract(m)
		return all, nil
	case *query.Term:
		return e.term(n)
	}
	return nil, fmt.Errorf("search: unknown node %T", n)
}

func (e *evaluator) and(n *query.And) (*matches, error) {
	var all *matches
	var excluded []*query.Not
	for _, child := range n.Nodes {
		if not, ok := child.(*query.Not); ok {
			excluded = append(excluded, not)
			continue
		}
		m, err := e.eval(child)
		if err != nil {
			return nil, err
		}
		if all == nil {
			all = m
			continue
		}
		all.set.intersect(m.set)
		addScores(all, m, all.set)
	}
	if all == nil {
		all = e.noMatches()
		all.set.fill(e.x.cat.Len())
	}
	for _, not := range excluded {
		set, err := e.set(not.Node)
		if err != nil {
			return nil, err
		}
		all.set.subtract(set)
	}
	return all, nil
}

// addScores adds scores of the chunks in the set, which from has all.
func addScores(to, from *matches, set bitset) {
	if to.score != nil && from.score != nil {
		set.each(func(i int) { to.score[i] += from.score[i] })
	}
}

// set is what the node finds, without scores.
func (e *evaluator) set(n query.Node) (bitset, error) {
	before := e.unranked
	e.unranked = true
	m, err := e.eval(n)
	e.unranked = before
	if err != nil {
		return nil, err
	}
	return m.set, nil
}

// term evaluates a term, and where it asks for text, weighs it by symbol and title too.
func (e *evaluator) term(t *query.Term) (*matches, error) {
	if !t.Field.HasWords() {
		return e.facet(t)
	}
	m, err := e.words(t, t.Field)
	if err != nil {
		return nil, err
	}
	if t.Field == query.FilePath && (len(t.Wild) > 0 || t.Regexp != nil) {
		if err := e.x.addFiles(e.ctx, m.set, pathPattern(t)); err != nil {
			return nil, err
		}
	}
	qualified := t.Field == query.Text && !t.Phrase && t.Regexp == nil && len(t.Wild) == 0 && len(token.Words(t.Text)) > 1
	if e.unranked {
		if qualified {
			more, err := e.words(t, query.Symbol)
			if err != nil {
				return nil, err
			}
			e.addQualified(m, more)
		}
		return m, nil
	}
	// Names are compared by whole words.
	var declaring bitset
	if t.Field == query.Symbol {
		declaring = m.whole
	}
	if t.Field == query.Text && !isAnything(t) {
		for _, extra := range []struct {
			field  query.Field
			weight float32
		}{{query.Symbol, symbolWeight}, {query.Title, titleWeight}} {
			more, err := e.words(t, extra.field)
			if err != nil {
				return nil, err
			}
			if extra.field == query.Symbol {
				declaring = more.whole
				if qualified {
					e.addQualified(m, more)
				}
			}
			more.set.each(func(i int) {
				if m.set.has(i) {
					m.score[i] += extra.weight * more.score[i]
				}
			})
		}
	}
	if declaring != nil && !isAnything(t) {
		e.x.raiseDeclarations(m, declaring, t)
	}
	if t.Boost != 1 {
		m.set.each(func(i int) { m.score[i] *= float32(t.Boost) })
	}
	return m, nil
}

// addQualified adds the chunks that declare a qualified name which stands nowhere in one piece.
func (e *evaluator) addQualified(m, declaring *matches) {
	declaring.set.each(func(i int) {
		if !m.set.has(i) && e.x.cat.Traits(i)&traitContinued == 0 {
			m.set.add(i)
			if m.score != nil {
				m.score[i] = 0 // what it has of the name is added to it with that of the others
			}
		}
	})
}

func isAnything(t *query.Term) bool {
	return len(t.Wild) > 0 && strings.Trim(t.Text, "*?") == ""
}

// facet evaluates a term in a field that is compared as a whole. Such fields narrow
// and do not rank. Nothing else tells a misspelt value from one that no chunk has, so the values of
// closed sets are checked.
func (e *evaluator) facet(t *query.Term) (*matches, error) {
	m := e.noMatches()
	if match := facetPattern(t); match != nil {
		return m, e.x.addMatching(e.ctx, m.set, t.Field, match)
	}
	e.x.addValue(m.set, t.Field, t.Text)
	if err := e.x.checkFacet(t.Field, t.Text); err != nil {
		return nil, e.fault(t, err.Error(), hint.Of(err))
	}
	return m, nil
}

// facetPattern is the test of a term that may stand for several values of its field; nil for one that names its value.
func facetPattern(t *query.Term) func(value string) bool {
	switch {
	case t.Regexp != nil:
		return t.Regexp.Match
	case len(t.Wild) > 0:
		return token.PatternOf(t.Text, t.Wild).Match
	case t.Fuzzy > 0:
		want := facetValue(t.Field, t.Text)
		return func(value string) bool { return hint.Distance(want, value, t.Fuzzy) <= t.Fuzzy }
	}
	return nil
}

// pathPattern matches a term with wildcards with whole paths and with their ends after a slash, and a regular expression
// anywhere in whole paths.
func pathPattern(t *query.Term) func(string) bool {
	if t.Regexp != nil {
		return func(path string) bool { return t.Regexp.Match(token.FoldAll(path)) }
	}
	pattern := token.PatternOf(t.Text, t.Wild)
	return func(path string) bool { return pattern.MatchEnd(token.FoldAll(path)) }
}

// A variant is one term of a dictionary by which a word of a query may be met.
type variant struct {
	dict
	term string
	// closeness is 1 for the word itself and less for others.
	closeness float32
}

// A word is one word of a query with all its variants; gap is a wildcard that stands
// for any words.
type word struct {
	variants []variant
	gap      bool
	// folded and written are the word where it stands for itself alone, else "".
	folded, written string
}

// words evaluates the term in a field of words.
func (e *evaluator) words(t *query.Term, field query.Field) (*matches, error) {
	if isAnything(t) {
		return e.present(field), nil
	}
	list, err := e.variants(t, field)
	if err != nil {
		var many *tooManyTerms
		if errors.As(err, &many) {
			return nil, e.tooBroad(t, many)
		}
		return nil, err
	}
	if len(list) == 1 {
		return e.single(field, list[0])
	}
	return e.phrase(field, list)
}

func (e *evaluator) tooBroad(t *query.Term, many *tooManyTerms) error {
	return e.fault(t, fmt.Sprintf("%q %v", t.Text, many), "write more letters of it")
}

// fault is an error that points to the term.
func (e *evaluator) fault(t *query.Term, problem, suggestion string) error {
	return &QueryError{
		Query:      e.source,
		Position:   len([]rune(e.source[:t.Start])) + 1,
		Problem:    problem,
		Suggestion: suggestion,
	}
}

// present finds the chunks in which the field is not empty.
func (e *evaluator) present(field query.Field) *matches {
	m := e.noMatches()
	e.x.cat.Having(traitOf(field), m.set.add)
	return m
}

// variants looks up what the words of the term may stand for.
func (e *evaluator) variants(t *query.Term, field query.Field) ([]word, error) {
	whole, parts := dict{field, wholeTerms}, dict{field, partTerms}
	var list []word
	if t.Regexp != nil {
		variants, err := e.expression(t, whole)
		return []word{{variants: variants}}, err
	}
	if len(t.Wild) == 0 {
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
			if len(words) == 1 && field == query.Text && stemmed(t, w) {
				if stem, ok := e.stemmer.stemOf(w.Term); ok {
					plain.variants = append(plain.variants, variant{dict{field, stemTerms}, stem, 1})
				}
			}
			list = append(list, plain)
		}
		return list, nil
	}
	for _, p := range token.Patterns(t.Text, t.Wild) {
		if literal, ok := p.Literal(); ok {
			list = append(list, word{variants: plainVariants(literal, whole, parts)})
			continue
		}
		if p.Anything() {
			list = append(list, word{gap: true})
			continue
		}
		variants, err := e.pattern(p, whole, parts)
		if err != nil {
			return nil, err
		}
		list = append(list, word{variants: variants})
	}
	// A wildcard at the edge stands for anything or nothing.
	for len(list) > 1 && list[0].gap {
		list = list[1:]
	}
	for len(list) > 1 && list[len(list)-1].gap {
		list = list[:len(list)-1]
	}
	return list, nil
}

func plainVariants(term string, whole, parts dict) []variant {
	return []variant{{whole, term, 1}, {parts, term, 1}}
}

func (e *evaluator) fuzzy(term string, edits int, dicts ...dict) ([]variant, error) {
	var list []variant
	for _, d := range dicts {
		seen := map[string]bool{}
		for _, own := range e.dictsOf(d) {
			near, err := e.text.near(own, term, edits, maxFuzzyTerms)
			if err != nil {
				return nil, err
			}
			for _, n := range near {
				if !seen[n.term] {
					seen[n.term] = true
					list = append(list, variant{d, n.term, 1 / float32(1+n.edits)})
				}
			}
		}
	}
	return list, nil
}

func (e *evaluator) pattern(p token.Pattern, dicts ...dict) ([]variant, error) {
	var list []variant
	letters := float32(p.Letters())
	for _, d := range dicts {
		terms, err := e.terms(d, p.Prefix(), p.Match, maxPatternTerms-len(list))
		if err != nil {
			var many *tooManyTerms
			if errors.As(err, &many) {
				many.limit = maxPatternTerms
			}
			return nil, err
		}
		for _, term := range terms {
			list = append(list, variant{d, term, letters / float32(max(len(term), 1))})
		}
	}
	return list, nil
}

// maxSteps bounds the steps of a regular expression over all the words that it is compared with.
const maxSteps = 1 << 30

// expression finds the words that match the regular expression.
func (e *evaluator) expression(t *query.Term, d dict) ([]variant, error) {
	steps := 0
	var failed error
	known := map[string]bool{} // each segment has a word again
	match := func(term string) bool {
		matches, ok := known[term]
		if ok {
			return matches
		}
		if steps += len(term) * t.Regexp.Steps(); failed == nil && steps > maxSteps {
			failed = e.fault(t, "regular expression takes too long over all words of the index", "begin it with ^ and some letters")
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

// tally counts how often and how closely chunks have a word.
type tally struct {
	set bitset
	// weight is the sum of occurrences, each by its closeness and the length of its field.
	weight []float32
	// whole is the closeness of the closest whole word.
	whole []float32
	// cased are the chunks that have the word in the case in which it was asked for.
	cased bitset
}

func (x *Index) newTally() *tally {
	if t, ok := x.tallies.Get().(*tally); ok {
		return t
	}
	n := x.cat.Len()
	return &tally{set: newBitset(n), weight: make([]float32, n), whole: make([]float32, n), cased: newBitset(n)}
}

// release takes the tally back, clean.
func (x *Index) release(t *tally) {
	clear(t.set)
	clear(t.weight)
	clear(t.whole)
	clear(t.cased)
	x.tallies.Put(t)
}

func (t *tally) add(chunk int, v variant, times float32, length float64) {
	weight := times * v.closeness / float32(1-bm25B+bm25B*length)
	switch v.dict.kind {
	case partTerms:
		weight *= partWeight
	case stemTerms:
		weight *= stemWeight
	default:
		t.whole[chunk] = max(t.whole[chunk], v.closeness)
	}
	t.set.add(chunk)
	t.weight[chunk] += weight
}

// matches turns the tally into scores. All variants together count as one term.
func (t *tally) matches(x *Index) *matches {
	m := x.noMatches()
	m.whole = newBitset(x.cat.Len())
	copy(m.set, t.set)
	rarity := float32(idf(x.cat.Len(), t.set.count()))
	t.set.each(func(i int) {
		w := t.weight[i]
		if t.whole[i] > 0 {
			m.whole.add(i)
		}
		score := wholeShare*t.whole[i] + (1-wholeShare-caseShare)*w/(w+bm25K1)
		if t.cased.has(i) {
			score += caseShare
		}
		m.score[i] = rarity * score
	})
	return m
}

// single finds the chunks that have the word.
func (e *evaluator) single(field query.Field, w word) (*matches, error) {
	if e.unranked {
		m := e.noMatches()
		for _, v := range w.variants {
			if err := e.each(v.dict, v.term, func(chunk, _ int, _ float64) { m.set.add(chunk) }); err != nil {
				return nil, err
			}
		}
		return m, nil
	}
	t := e.x.newTally()
	defer e.x.release(t)
	otherwise, forget, err := e.otherwise(field, w)
	if err != nil {
		return nil, err
	}
	defer forget()
	for _, v := range w.variants {
		itself := w.folded != "" && v.dict.kind == wholeTerms
		err := e.each(v.dict, v.term, func(chunk, freq int, length float64) {
			if v.dict.kind == stemTerms {
				length = 1
			}
			t.add(chunk, v, float32(freq), length)
			if itself && (otherwise == nil || freq > int(otherwise[chunk])) {
				t.cased.add(chunk)
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return t.matches(e.x), nil
}

// maxCases bounds the ways to write one word that are looked at.
const maxCases = 64

// otherwise counts, by chunk, how often the word is written with other capitals than in the query; nil stands for
// nowhere. forget must be called before the next use.
func (e *evaluator) otherwise(field query.Field, w word) (others []int32, forget func(), err error) {
	forget = func() {}
	if w.folded == "" || field != query.Text && field != query.Symbol {
		return nil, forget, nil
	}
	d := dict{field, casedTerms}
	all, err := e.text.terms(d, casedTerm(w.folded, ""), func(string) bool { return true }, maxCases)
	var many *tooManyTerms
	if err != nil && !errors.As(err, &many) {
		return nil, forget, err
	}
	if w.written == w.folded && len(all) == 0 {
		return nil, forget, nil
	}
	if e.others == nil {
		e.others = make([]int32, e.x.cat.Len())
	}
	others = e.others
	var touched []int
	forget = func() {
		for _, chunk := range touched {
			others[chunk] = 0
		}
	}
	add := func(chunk, freq int) {
		others[chunk] += int32(freq)
		touched = append(touched, chunk)
	}
	if own := casedTerm(w.folded, w.written); w.written != w.folded {
		// All that is not written so is written otherwise.
		err := e.each(dict{field, wholeTerms}, w.folded, func(chunk, freq int, _ float64) { add(chunk, freq) })
		if err == nil {
			err = e.text.each(e.ctx, d, own, func(chunk, freq int, _ float64) { add(chunk, -freq) })
		}
		return others, forget, err
	}
	for _, term := range all {
		if err := e.text.each(e.ctx, d, term, func(chunk, freq int, _ float64) { add(chunk, freq) }); err != nil {
			return others, forget, err
		}
	}
	return others, forget, nil
}

// maxGap is the greatest number of positions that a lone wildcard within a name stands for.
const maxGap = 8

// phrase finds the chunks that have the words one after the other.
func (e *evaluator) phrase(field query.Field, words []word) (*matches, error) {
	candidates, err := e.candidates(words)
	if err != nil {
		return nil, err
	}
	t := e.x.newTally()
	defer e.x.release(t)
	among := candidates
	if among.count() == 0 {
		return t.matches(e.x), nil
	}
	// ends holds for each candidate the positions at which the words so far can end.
	var ends map[int][]end
	gap := false
	for _, w := range words {
		if w.gap {
			gap = true
			continue
		}
		next := map[int][]end{}
		for _, v := range w.variants {
			err := e.spans(v.dict, v.term, among, func(chunk int, spans []index.Span) {
				for _, s := range spans {
					if whole, ok := follows(ends, chunk, s, gap); ok {
						next[chunk] = append(next[chunk], end{s.To, whole && v.dict.kind == wholeTerms})
					}
				}
			})
			if err != nil {
				return nil, err
			}
		}
		for chunk := range next {
			next[chunk] = compact(next[chunk])
		}
		ends, gap = next, false
		clear(among)
		for chunk := range next {
			among.add(chunk)
		}
		if len(next) == 0 {
			break
		}
	}
	for chunk, list := range ends {
		v := variant{dict: dict{kind: partTerms}, closeness: 1}
		if slices.ContainsFunc(list, func(e end) bool { return e.whole }) {
			v.dict.kind = wholeTerms
		}
		t.add(chunk, v, float32(len(list)), 1)
		if v.dict.kind == wholeTerms {
			t.cased.add(chunk)
		}
	}
	for _, w := range words {
		if w.written == w.folded || e.unranked || t.set.count() == 0 {
			continue
		}
		otherwise, forget, err := e.otherwise(field, w)
		if err == nil && otherwise != nil {
			t.set.each(func(chunk int) {
				if otherwise[chunk] > 0 {
					t.cased.remove(chunk)
				}
			})
		}
		forget()
		if err != nil {
			return nil, err
		}
	}
	return t.matches(e.x), nil
}

// An end is where a phrase may have got to, and whether by whole words alone.
type end struct {
	at    int
	whole bool
}

// follows reports whether the span comes directly after one of the chunk's ends, or
// within a gap; with ends nil, everything does.
func follows(ends map[int][]end, chunk int, s index.Span, gap bool) (whole, ok bool) {
	if ends == nil {
		return true, true
	}
	list := ends[chunk]
	i, _ := slices.BinarySearchFunc(list, s.From, func(e end, at int) int { return e.at - at })
	if gap {
		for i--; i >= 0 && list[i].at >= s.From-maxGap; i-- {
			whole, ok = whole || list[i].whole, true
		}
		return whole, ok
	}
	if i < len(list) && list[i].at == s.From {
		return list[i].whole, true
	}
	return false, false
}

// compact sorts the ends and keeps one of each place.
func compact(list []end) []end {
	slices.SortFunc(list, func(a, b end) int {
		if a.at != b.at {
			return a.at - b.at
		}
		// The whole one first, to be kept.
		switch {
		case a.whole && !b.whole:
			return -1
		case b.whole && !a.whole:
			return 1
		}
		return 0
	})
	return slices.CompactFunc(list, func(a, b end) bool { return a.at == b.at })
}

// candidates are the chunks that have all the words somewhere.
func (e *evaluator) candidates(words []word) (bitset, error) {
	var all bitset
	for _, w := range words {
		if w.gap {
			continue
		}
		set := newBitset(e.x.cat.Len())
		for _, v := range w.variants {
			err := e.each(v.dict, v.term, func(chunk, _ int, _ float64) { set.add(chunk) })
			if err != nil {
				return nil, err
			}
		}
		if all != nil {
			set.intersect(all)
		}
		all = set
	}
	return all, nil
}

// scored is a chunk with its score.
type scored struct {
	chunk int
	score float64
}

// rounded is a score as hits show it. The final order goes by it, so that hits of which a reader
// sees the same score are in the order of their identifiers.
func rounded(score float64) float64 { return math.Round(min(max(score, 0), 1)*1e4) / 1e4 }

// byScore orders the best first, ties by identifier.
func byScore(cat catalogue, a, b scored) int {
	switch {
	case a.score > b.score:
		return -1
	case a.score < b.score:
		return 1
	}
	return cat.Compare(a.chunk, b.chunk)
}

// ranked lists the best k matches, the best first, with scores over the greatest one.
func (m *matches) ranked(cat catalogue, k int) []scored {
	best := float32(0)
	m.set.each(func(i int) { best = max(best, m.score[i]) })
	kept := newTop(cat, k)
	m.set.each(func(i int) {
		// Where nothing in the query ranks, all are as good as can be.
		s := scored{i, 1}
		if best > 0 {
			s.score = rounded(float64(m.score[i]) / float64(best))
		}
		kept.offer(s)
	})
	return kept.sorted()
}
