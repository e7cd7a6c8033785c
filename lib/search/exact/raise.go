package exact

import (
	"strings"

	"cortex/lib/search/corpus"
	"cortex/lib/search/query"
	"cortex/lib/search/token"
	"cortex/lib/search/wording"
)

// raiseDeclarations raises the scores of those candidates that declare the name in the term above all other matches.
func (x *Searcher) raiseDeclarations(m *corpus.Matches, candidates corpus.Set, t *query.Term) {
	best := float32(0)
	m.Set.Each(func(i int) {
		if m.Score[i] > best {
			best = m.Score[i]
		}
	})
	naming, cased := wording.NamingOf(t), casedLike(t)
	candidates.Each(func(i int) {
		if !m.Set.Has(i) {
			return
		}
		rank := float32(0)
		for s := range x.Generation.Symbols(i) {
			found := naming.Rank(s)
			if found > 0 && !cased(s.Name) {
				found *= caseRank
			}
			rank = max(rank, found)
		}
		if rank == 0 {
			return
		}
		if x.Generation.Traits(i)&corpus.TraitContinued != 0 {
			rank *= wording.ContinuedRank
		}
		m.Score[i] = best*(1+rank) + useShare*m.Score[i]
	})
}

// casedLike returns a function that reports whether a name ends in the last word of the term, in the same case.
func casedLike(t *query.Term) func(name string) bool {
	words := token.Words(t.Text)
	if len(words) == 0 || t.IsPattern() || t.Fuzzy > 0 {
		return func(string) bool { return true }
	}
	last := words[len(words)-1]
	written := t.Text[last.Start:last.End]
	return func(name string) bool { return strings.HasSuffix(name, written) }
}

// caseRank is the factor for the rank of a name in another case than the term.
const caseRank = 0.85

// useShare is the share of a declaration's score as a use that still orders declarations.
const useShare = 0.1
