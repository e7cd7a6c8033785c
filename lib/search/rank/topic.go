package rank

import (
	"cortex/lib/search/answer"
	"cortex/lib/search/corpus"
	"cortex/lib/search/wording"
)

// A Topic gathers the evidence for one question: words and neighbours first, which may be found at once, then Rank and Judge.
type Topic struct {
	x     *Ranker
	topic string
	mode  answer.Mode
	// substance is the number of its words of substance, up to one more than make a text long.
	substance int
	// Headline is the first line of a report, "" for a question. Its words and the scores of what has them are there for a report only.
	Headline      string
	headlineTerms []wording.Term
	headlineWords *corpus.Matches
	// Terms are the words that are looked for.
	Terms []wording.Term
	// Also are words of the index that code may have for what the question says.
	Also []string
	// byConcepts is the sum of the rarities of such words that a possible hit has, as far as the lexicon gives them for words that its phrases share with the question.
	byConcepts float32
	allowed    corpus.Set

	words *corpus.Matches
	// coverage is the greatest share of the question's words that one chunk has, by their rarity.
	coverage float64
	// meaning has the chunks nearest to the question.
	meaning []corpus.Scored
	// declared are the chunks that declare what the question names, by the signal that this is.
	declared map[int]*evidence
	// Pointed are the lines to which the text points, and lines are the chunks that have them.
	Pointed []corpus.PointedLine
	lines   []int
}
