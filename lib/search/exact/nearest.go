package exact

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"cortex/lib/hint"
	"cortex/lib/search/answer"
	"cortex/lib/search/corpus"
	"cortex/lib/search/query"
	"cortex/lib/search/token"
)

// Bounds of the terms that an explanation suggests.
const (
	maxNear = 3
	// maxLonger is the number of bytes by which a suggested term may be longer than a term within the edit distance.
	maxLonger = 2
	// maxCounted is the number of near terms whose chunks are counted.
	maxCounted = 12
)

// instead returns the terms near to a word that does not occur, and a text that names them and what finds longer names:
// the words of it as a phrase, or else a wildcard. written is the word as the query writes it.
func (e *evaluator) instead(field query.Field, word, written string) (near []answer.NearTerm, advice string, err error) {
	if near, err = e.nearest(field, word); err != nil {
		return nil, "", err
	}
	prefix := ""
	if field != query.Text {
		prefix = string(field) + ":"
	}
	phrase, count, err := e.inRow(field, written)
	if err != nil {
		return nil, "", err
	}
	if count > 0 {
		return near, nearText(near) + fmt.Sprintf("; %s%q (%d) finds its words, also in longer names", prefix, phrase, count), nil
	}
	longer, err := e.beginsLonger(field, word)
	if err != nil {
		return nil, "", err
	}
	advice = nearText(near)
	if longer {
		advice += "; " + prefix + written + "* finds longer words"
	}
	return near, advice, nil
}

// inRow returns the words of an identifier as a phrase, such as "read all" for read_all, and the number of chunks that
// the filter allows and that have it, such as those with read_all_files.
func (e *evaluator) inRow(field query.Field, written string) (phrase string, chunks int, err error) {
	var parts []string
	end := 0
	token.Scan(written, func(t token.Token) {
		if t.Kind == token.Part && t.Start >= end {
			parts = append(parts, written[t.Start:t.End])
			end = t.End
		}
	})
	if len(parts) < 2 {
		return "", 0, nil
	}
	phrase = strings.Join(parts, " ")
	set, err := e.set(&query.Term{Field: field, Text: phrase, Phrase: true})
	if err != nil {
		return "", 0, err
	}
	set.Intersect(e.allowed)
	return phrase, set.Count(), nil
}

// nearText names the terms, with the number of chunks that have each.
func nearText(near []answer.NearTerm) string {
	if len(near) == 0 {
		return ""
	}
	var parts []string
	for _, n := range near {
		parts = append(parts, fmt.Sprintf("%s (%d)", n.Term, n.Count))
	}
	return "; near: " + strings.Join(parts, ", ")
}

// nearest returns the terms of the field that are nearest to the word: those that may be the word, mistyped, and those
// that begin with such a term and are at most maxLonger bytes longer.
func (e *evaluator) nearest(field query.Field, word string) ([]answer.NearTerm, error) {
	edits := hint.MostEdits(word)
	if edits == 0 {
		return []answer.NearTerm{}, nil
	}
	text := e.x.Text
	distance := map[string]int{}
	var beginnings []string
	for _, d := range corpus.DictsOf(field) {
		list, err := text.Near(d, word, edits, corpus.MaxNear)
		if err != nil && !corpus.IsTooMany(err) {
			return nil, err
		}
		for _, n := range list {
			if !hint.IsTypo(word, n.Term, n.Edits) {
				continue
			}
			if known, ok := distance[n.Term]; !ok || n.Edits < known {
				distance[n.Term] = n.Edits
				beginnings = append(beginnings, n.Term)
			}
		}
	}
	slices.Sort(beginnings)
	for _, beginning := range slices.Compact(beginnings)[:min(len(beginnings), maxCounted)] {
		for _, d := range corpus.DictsOf(field) {
			longest := len(beginning) + maxLonger
			list, err := text.Terms(d, beginning, func(term string) bool { return len(term) <= longest }, maxCounted)
			if err != nil && !corpus.IsTooMany(err) {
				return nil, err
			}
			for _, term := range list {
				if _, ok := distance[term]; !ok {
					distance[term] = distance[beginning] + len(term) - len(beginning)
				}
			}
		}
	}
	return e.counted(field, distance)
}

// beginsLonger reports whether a term of the field begins with the word and is not named by nearest: it is longer by
// more than maxLonger bytes.
func (e *evaluator) beginsLonger(field query.Field, word string) (bool, error) {
	if utf8.RuneCountInString(word) < 3 {
		return false, nil
	}
	for _, d := range corpus.DictsOf(field) {
		list, err := e.x.Text.Terms(d, word, func(term string) bool { return len(term) > len(word)+maxLonger }, 1)
		if err != nil && !corpus.IsTooMany(err) {
			return false, err
		}
		if len(list) > 0 {
			return true, nil
		}
	}
	return false, nil
}

// counted returns the maxNear nearest terms that occur in visible chunks; of equally near ones, the more frequent
// first.
func (e *evaluator) counted(field query.Field, distance map[string]int) ([]answer.NearTerm, error) {
	terms := make([]string, 0, len(distance))
	for term := range distance {
		terms = append(terms, term)
	}
	slices.SortFunc(terms, func(a, b string) int {
		if distance[a] != distance[b] {
			return distance[a] - distance[b]
		}
		return strings.Compare(a, b)
	})
	near := []answer.NearTerm{}
	for _, term := range terms[:min(len(terms), maxCounted)] {
		m, err := e.single(field, word{variants: plainVariants(term, corpus.Dict{Field: field, Kind: corpus.WholeTerms}, corpus.Dict{Field: field, Kind: corpus.PartTerms})})
		if err != nil {
			return nil, err
		}
		m.Set.Intersect(e.visible())
		if count := m.Set.Count(); count > 0 {
			near = append(near, answer.NearTerm{Term: term, Count: count})
		}
	}
	slices.SortStableFunc(near, func(a, b answer.NearTerm) int {
		if distance[a.Term] != distance[b.Term] {
			return distance[a.Term] - distance[b.Term]
		}
		return b.Count - a.Count
	})
	return near[:min(len(near), maxNear)], nil
}

// nearValues returns the values within an edit distance of 2, for a field that is compared as a whole.
func (e *evaluator) nearValues(t *query.Term) []answer.NearTerm {
	near := []answer.NearTerm{}
	want := corpus.FacetValue(t.Field, t.Text)
	for _, value := range e.x.Values(t.Field) {
		if hint.Distance(want, value, 2) <= 2 {
			set := corpus.NewSet(e.x.Generation.Len())
			e.x.AddValue(set, t.Field, value)
			near = append(near, answer.NearTerm{Term: value, Count: set.Count()})
		}
	}
	slices.SortFunc(near, func(a, b answer.NearTerm) int {
		if d := hint.Distance(want, a.Term, 2) - hint.Distance(want, b.Term, 2); d != 0 {
			return d
		}
		return strings.Compare(a.Term, b.Term)
	})
	return near[:min(len(near), maxNear)]
}
