package exact

import (
	"cmp"
	"slices"
	"sort"

	"cortex/lib/search/corpus"
	"cortex/lib/search/index"
	"cortex/lib/search/query"
)

// single returns the chunks that have the word.
func (e *evaluator) single(field query.Field, w word) (*corpus.Matches, error) {
	if e.unranked {
		set, err := e.candidates([]word{w})
		return &corpus.Matches{Set: set}, err
	}
	c, err := e.casing(field, w)
	if err != nil {
		return nil, err
	}
	t := e.x.newTally()
	defer e.x.release(t)
	err = e.inShares(func(s *share) error {
		others, forget, err := s.inOtherCases(c)
		if err != nil {
			return err
		}
		defer forget()
		count := &t.counts[s.number]
		for _, v := range w.variants {
			itself := w.folded != "" && v.Dict.Kind == corpus.WholeTerms
			err := s.each(v.Dict, v.term, func(chunk, freq int, length float64) {
				if v.Dict.Kind == corpus.StemTerms {
					length = 1
				}
				count.add(chunk, v, float32(freq), length)
				if itself && (others == nil || freq > int(others[chunk])) {
					count.cased.Add(chunk)
				}
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return t.matches(e.x)
}

// A casing is a word for which occurrences in another case than in the query are counted.
type casing struct {
	word
	field query.Field
	// all are the spellings of the word with capitals that the index has.
	all []string
}

// maxCases bounds the spellings of one word.
const maxCases = 64

// casing returns nil for a word that has no other spelling in the index.
func (e *evaluator) casing(field query.Field, w word) (*casing, error) {
	if w.folded == "" || field != query.Text && field != query.Symbol {
		return nil, nil
	}
	all, err := e.x.Text.Terms(corpus.Dict{Field: field, Kind: corpus.CasedTerms}, corpus.CasedTerm(w.folded, ""), func(string) bool { return true }, maxCases)
	if err != nil && !corpus.IsTooMany(err) || w.written == w.folded && len(all) == 0 {
		return nil, err
	}
	if e.otherCases == nil {
		if counts, ok := e.x.otherCases.Get().(*[]int32); ok {
			e.otherCases = *counts
		} else {
			e.otherCases = make([]int32, e.x.Generation.Len())
		}
	}
	return &casing{w, field, all}, nil
}

// inOtherCases counts by chunk how often the word is spelt in another case than in the query; nil means nowhere. Call
// forget before the next use.
func (s *share) inOtherCases(c *casing) (others []int32, forget func(), err error) {
	if c == nil {
		return nil, func() {}, nil
	}
	others = s.otherCases
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
	d := corpus.Dict{Field: c.field, Kind: corpus.CasedTerms}
	if own := corpus.CasedTerm(c.folded, c.written); c.written != c.folded {
		// The others are all occurrences except those in the case of the query.
		err := s.each(corpus.Dict{Field: c.field, Kind: corpus.WholeTerms}, c.folded, func(chunk, freq int, _ float64) { add(chunk, freq) })
		if err == nil {
			err = s.text.Each(s.ctx, d, own, func(chunk, freq int, _ float64) { add(chunk, -freq) })
		}
		return others, forget, err
	}
	for _, term := range c.all {
		if err := s.text.Each(s.ctx, d, term, func(chunk, freq int, _ float64) { add(chunk, freq) }); err != nil {
			return others, forget, err
		}
	}
	return others, forget, nil
}

// phrase returns the chunks that have the words in succession.
func (e *evaluator) phrase(field query.Field, words []word) (*corpus.Matches, error) {
	casings := make([]*casing, len(words))
	for i, w := range words {
		var err error
		if w.written != w.folded && !e.unranked {
			if casings[i], err = e.casing(field, w); err != nil {
				return nil, err
			}
		}
	}
	t := e.x.newTally()
	defer e.x.release(t)
	err := e.inShares(func(s *share) error {
		ends, err := s.phrase(words)
		if err != nil {
			return err
		}
		count := &t.counts[s.number]
		count.addEnds(ends)
		for _, c := range casings {
			if c == nil || len(ends) == 0 {
				continue
			}
			others, forget, err := s.inOtherCases(c)
			if err != nil {
				return err
			}
			count.set.Each(func(chunk int) {
				if others[chunk] > 0 {
					count.cased.Remove(chunk)
				}
			})
			forget()
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return t.matches(e.x)
}

// addEnds counts the phrases with these ends.
func (c *count) addEnds(ends []end) {
	for len(ends) > 0 {
		chunk, n := ends[0].chunk, 0
		v := variant{Dict: corpus.Dict{Kind: corpus.PartTerms}, closeness: 1}
		for ; n < len(ends) && ends[n].chunk == chunk; n++ {
			if ends[n].whole {
				v.Dict.Kind = corpus.WholeTerms
			}
		}
		c.add(chunk, v, float32(n), 1)
		if v.Dict.Kind == corpus.WholeTerms {
			c.cased.Add(chunk)
		}
		ends = ends[n:]
	}
}

// phrase returns the ends of all occurrences of the words in succession.
func (s *share) phrase(words []word) ([]end, error) {
	among, err := s.candidates(words)
	if err != nil || among.Count() == 0 {
		return nil, err
	}
	// ends are the positions after the words so far.
	var ends, next []end
	first, gap := true, false
	for _, w := range words {
		if w.gap {
			gap = true
			continue
		}
		next = next[:0]
		for _, v := range w.variants {
			rest := ends
			err := s.spans(v.Dict, v.term, among, func(chunk int, spans []index.Span) {
				var before []end
				before, rest = endsIn(ends, rest, chunk)
				for _, span := range spans {
					if whole, ok := follows(before, span, gap); ok || first {
						next = append(next, end{chunk, span.To, (whole || first) && v.Dict.Kind == corpus.WholeTerms})
					}
				}
			})
			if err != nil {
				return nil, err
			}
		}
		next = compact(next)
		ends, next = next, ends
		first, gap = false, false
		clear(among)
		for _, e := range ends {
			among.Add(e.chunk)
		}
		if len(ends) == 0 {
			break
		}
	}
	return ends, nil
}

// An end is the position after the words of a phrase in a chunk; whole is set if all of them are whole words.
type end struct {
	chunk, at int
	whole     bool
}

// endsIn returns the ends in the chunk, and those after them. rest are the ends after the chunk of the last call; it
// saves a search, because chunks are mostly visited in order.
func endsIn(all, rest []end, chunk int) (in, after []end) {
	if skipped := len(all) - len(rest); skipped > 0 && all[skipped-1].chunk >= chunk {
		rest = all[sort.Search(len(all), func(i int) bool { return all[i].chunk >= chunk }):]
	}
	for len(rest) > 0 && rest[0].chunk < chunk {
		rest = rest[1:]
	}
	n := 0
	for n < len(rest) && rest[n].chunk == chunk {
		n++
	}
	return rest[:n], rest[n:]
}

// follows reports whether the span begins at one of the ends, or with gap at most corpus.MaxGap after one; whole
// reports whether such an end has whole words.
func follows(ends []end, s index.Span, gap bool) (whole, ok bool) {
	i := sort.Search(len(ends), func(i int) bool { return ends[i].at >= s.From })
	if gap {
		for i--; i >= 0 && ends[i].at >= s.From-corpus.MaxGap; i-- {
			whole, ok = whole || ends[i].whole, true
		}
		return whole, ok
	}
	if i < len(ends) && ends[i].at == s.From {
		return ends[i].whole, true
	}
	return false, false
}

// compact sorts the ends and keeps one for each position.
func compact(list []end) []end {
	slices.SortFunc(list, func(a, b end) int {
		if c := cmp.Or(a.chunk-b.chunk, a.at-b.at); c != 0 {
			return c
		}
		// CompactFunc keeps the first, which is to be the whole one.
		switch {
		case a.whole && !b.whole:
			return -1
		case b.whole && !a.whole:
			return 1
		}
		return 0
	})
	return slices.CompactFunc(list, func(a, b end) bool { return a.chunk == b.chunk && a.at == b.at })
}

// candidates returns the chunks that have all the words, in any order.
func (e *evaluator) candidates(words []word) (corpus.Set, error) {
	return e.union(func(s *share) (corpus.Set, error) { return s.candidates(words) })
}

func (s *share) candidates(words []word) (all corpus.Set, err error) {
	for _, w := range words {
		if w.gap {
			continue
		}
		set := corpus.NewSet(s.x.Generation.Len())
		for _, v := range w.variants {
			err := s.each(v.Dict, v.term, func(chunk, _ int, _ float64) { set.Add(chunk) })
			if err != nil {
				return nil, err
			}
		}
		if all != nil {
			set.Intersect(all)
		}
		all = set
	}
	if all == nil {
		all = corpus.NewSet(s.x.Generation.Len())
	}
	return all, nil
}
