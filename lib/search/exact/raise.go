package exact

import (
	"strings"

	"cortex/lib/record"
	"cortex/lib/search/corpus"
	"cortex/lib/search/query"
	"cortex/lib/search/wording"
)

// raiseDeclarations raises the scores of those candidates that declare the name in the term above all other matches.
// Chunks that name nothing do not count.
func (x *Searcher) raiseDeclarations(m *corpus.Matches, candidates corpus.Set, t *query.Term) {
	best := float32(0)
	m.Set.Each(func(i int) {
		if m.Score[i] > best {
			best = m.Score[i]
		}
	})
	naming, cased := wording.NamingOf(t), wording.CaseOf(t)
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
		if rank == 0 || x.namesNothing(i) {
			return
		}
		if x.Generation.Traits(i)&corpus.TraitContinued != 0 {
			rank *= wording.ContinuedRank
		}
		m.Score[i] = best*(1+rank) + useShare*m.Score[i]
	})
}

// namesNothing reports whether what the chunk declares is no name that code uses. Each translation declares the keys of
// all messages, and together they would hide where one is used. The title of a test is a sentence with any names in it.
func (x *Searcher) namesNothing(chunk int) bool {
	gen := x.Generation
	if corpus.IsTranslation(gen.FilePath(chunk)) {
		return true
	}
	if gen.ChunkType(chunk) != record.Implementations || !corpus.IsTest(gen, chunk) {
		return false
	}
	for s := range gen.Symbols(chunk) {
		return strings.Contains(s.Name, " ")
	}
	return false
}

// caseRank is the factor for the rank of a name in another case than the term.
const caseRank = 0.85

// useShare is the share of a declaration's score as a use that still orders declarations.
const useShare = 0.1
