package rank

import (
	"cortex/lib/search/answer"
	"cortex/lib/search/concept"
	"cortex/lib/search/corpus"
	"cortex/lib/search/wording"
)

// A Topic gathers the evidence for a question: ReadWords and ReadMeaning, possibly concurrently, then Rank and Judge.
type Topic struct {
	x     *Ranker
	topic string
	mode  answer.Mode
	// substance is the number of the question's words of substance (see wording.WordsOfSubstance).
	substance int
	// Asks is what the question, or the headline of a report, asks for.
	Asks wording.Intent
	// Headline is the first line of a report, else "". headlineTerms are its words, headlineWords their matches.
	Headline      string
	headlineTerms []wording.Term
	headlineWords *corpus.Matches
	// Terms are the words that are searched for.
	Terms []wording.Term
	// concepts looks up the lexicon's words for the question, or for the headline of a report, once.
	concepts func() []concept.Word
	// Also are words from the lexicon that occur in the index, at most maxAlso.
	Also []string
	// byConcepts is the sum of the rarities of the concepts' words that allowed chunks have and that are Shared.
	byConcepts float32
	allowed    corpus.Set

	words *corpus.Matches
	// coverage is the greatest share of the question's words, by rarity, that one chunk has.
	coverage float64
	// meaning are the chunks nearest to the question in the context of their files, best first; nearest is the greatest
	// cosine of a chunk by itself.
	meaning []corpus.Scored
	nearest float64
	// mentioned has the evidence for chunks with a name that the question mentions, or a line that it points to.
	mentioned map[int]*evidence
	// named is set if the question has, among other words, an identifier that occurs in a text.
	named bool
	// Pointed are the lines that the text points to; lines are their chunks.
	Pointed []corpus.PointedLine
	lines   []int
}
