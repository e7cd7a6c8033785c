package rank

import (
	"cortex/lib/search/wording"
)

// Candidates are all chunks that may answer a question, with their evidence, so that scripts/relevance can try
// other weights without asking again.
type Candidates struct {
	x     *Ranker
	list  []Candidate
	words int // of substance, in the question
	// order is kept from one call of Best to the next.
	order []Candidate
}

// Candidates are those that were found for the question.
func (x *Ranker) Candidates(question string, list []Candidate) *Candidates {
	return &Candidates{x: x, list: list, words: wording.WordsOfSubstance(question)}
}

// Best lists the k best chunks, as Search would rank them by these weights before it merges any.
func (c *Candidates) Best(weights *Weights, k int) []Location {
	weights = weights.forText(c.words)
	c.order = append(c.order[:0], c.list...)
	weights.weigh(c.order, c.x.Generation.File)
	c.order = c.x.Decay(c.order)
	var list []Location
	for _, hit := range c.order[:min(k, len(c.order))] {
		start, end := c.x.Generation.Lines(hit.Chunk)
		list = append(list, Location{c.x.Generation.ID(hit.Chunk), c.x.Generation.FilePath(hit.Chunk), start, end})
	}
	return list
}

// A Location is where a chunk is.
type Location struct {
	ID, Path           string
	StartLine, EndLine int
}
