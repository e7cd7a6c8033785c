package rank

import (
	"cortex/lib/search/concept"

	"cortex/lib/search/answer"
	"cortex/lib/search/corpus"
	"cortex/lib/search/wording"
)

// A Topic gathers the evidence for one question: words and neighbours first, which may be found at once, then Rank and Judge.
type Topic struct {
	x     *Ranker
	topic string
	mode  answer.Mode
	// substance is the number of its words of substance, up to one more than longWords.
	substance int
	// Terms are the words that are looked for.
	Terms []wording.Term
	// concepts are the words that code may have for what the question says, and also those of them that the index has.
	concepts []concept.Word
	Also     []string
	// byConcepts is the sum of the rarities of the concepts' words that share words with the question, as far as what may be a hit has them.
	byConcepts float32
	allowed    corpus.Set

	words *corpus.Matches
	// coverage is the greatest share of the question's words that one chunk has, by their rarity.
	coverage float64
	// headline has the scores of the first line's words in a long text, and is nil for others.
	headline *corpus.Matches
	// meaning has the chunks nearest to the question.
	meaning []corpus.Scored
	// declared are the chunks that declare what the question names, by the signal that this is.
	declared map[int]*evidence
}
