package exact

import (
	"errors"
	"slices"

	"cortex/lib/search/corpus"
	"cortex/lib/search/index"
	"cortex/lib/search/query"
)

// single finds the chunks that have the word.
func (e *evaluator) single(field query.Field, w word) (*corpus.Matches, error) {
	if e.unranked {
		m := e.noMatches()
		for _, v := range w.variants {
			if err := e.each(v.Dict, v.term, func(chunk, _ int, _ float64) { m.Set.Add(chunk) }); err != nil {
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
		itself := w.folded != "" && v.Dict.Kind == corpus.WholeTerms
		err := e.each(v.Dict, v.term, func(chunk, freq int, length float64) {
			if v.Dict.Kind == corpus.StemTerms {
				length = 1
			}
			t.add(chunk, v, float32(freq), length)
			if itself && (otherwise == nil || freq > int(otherwise[chunk])) {
				t.cased.Add(chunk)
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
	d := corpus.Dict{Field: field, Kind: corpus.CasedTerms}
	all, err := e.x.Text.Terms(d, corpus.CasedTerm(w.folded, ""), func(string) bool { return true }, maxCases)
	var many *corpus.TooManyTerms
	if err != nil && !errors.As(err, &many) {
		return nil, forget, err
	}
	if w.written == w.folded && len(all) == 0 {
		return nil, forget, nil
	}
	if e.others == nil {
		e.others = make([]int32, e.x.Generation.Len())
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
	if own := corpus.CasedTerm(w.folded, w.written); w.written != w.folded {
		// All that is not written so is written otherwise.
		err := e.each(corpus.Dict{Field: field, Kind: corpus.WholeTerms}, w.folded, func(chunk, freq int, _ float64) { add(chunk, freq) })
		if err == nil {
			err = e.x.Text.Each(e.ctx, d, own, func(chunk, freq int, _ float64) { add(chunk, -freq) })
		}
		return others, forget, err
	}
	for _, term := range all {
		if err := e.x.Text.Each(e.ctx, d, term, func(chunk, freq int, _ float64) { add(chunk, freq) }); err != nil {
			return others, forget, err
		}
	}
	return others, forget, nil
}

// phrase finds the chunks that have the words one after the other.
func (e *evaluator) phrase(field query.Field, words []word) (*corpus.Matches, error) {
	candidates, err := e.candidates(words)
	if err != nil {
		return nil, err
	}
	t := e.x.newTally()
	defer e.x.release(t)
	among := candidates
	if among.Count() == 0 {
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
			err := e.spans(v.Dict, v.term, among, func(chunk int, spans []index.Span) {
				for _, s := range spans {
					if whole, ok := follows(ends, chunk, s, gap); ok {
						next[chunk] = append(next[chunk], end{s.To, whole && v.Dict.Kind == corpus.WholeTerms})
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
			among.Add(chunk)
		}
		if len(next) == 0 {
			break
		}
	}
	for chunk, list := range ends {
		v := variant{Dict: corpus.Dict{Kind: corpus.PartTerms}, closeness: 1}
		if slices.ContainsFunc(list, func(e end) bool { return e.whole }) {
			v.Dict.Kind = corpus.WholeTerms
		}
		t.add(chunk, v, float32(len(list)), 1)
		if v.Dict.Kind == corpus.WholeTerms {
			t.cased.Add(chunk)
		}
	}
	for _, w := range words {
		if w.written == w.folded || e.unranked || t.set.Count() == 0 {
			continue
		}
		otherwise, forget, err := e.otherwise(field, w)
		if err == nil && otherwise != nil {
			t.set.Each(func(chunk int) {
				if otherwise[chunk] > 0 {
					t.cased.Remove(chunk)
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
		for i--; i >= 0 && list[i].at >= s.From-corpus.MaxGap; i-- {
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
func (e *evaluator) candidates(words []word) (corpus.Set, error) {
	var all corpus.Set
	for _, w := range words {
		if w.gap {
			continue
		}
		set := corpus.NewSet(e.x.Generation.Len())
		for _, v := range w.variants {
			err := e.each(v.Dict, v.term, func(chunk, _ int, _ float64) { set.Add(chunk) })
			if err != nil {
				return nil, err
			}
		}
		if all != nil {
			set.Intersect(all)
		}
		all = set
	}
	return all, nil
}
