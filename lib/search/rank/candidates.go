package rank

import (
	"slices"

	"cortex/lib/search/answer"
)

// Candidates are all chunks that may answer a question. scripts/relevance ranks them again by other weights.
type Candidates struct {
	topic *Topic
	list  []Candidate
	// Finding is what was found for the question as a whole.
	Finding Finding
	// order is a buffer that Best and First reuse.
	order []Candidate
}

// Candidates returns the candidates in list, which were found for the topic.
func (a *Topic) Candidates(list []Candidate, f Finding) *Candidates {
	return &Candidates{topic: a, list: list, Finding: f}
}

// Best returns the k best chunks by these weights, in the order in which Search ranks them before it merges hits.
func (c *Candidates) Best(weights *Weights, k int) []Location {
	x := c.topic.x
	c.order = append(c.order[:0], c.list...)
	c.topic.weights(weights).weigh(c.order, x.Generation.File)
	c.order = x.Decay(c.order)
	var list []Location
	for _, hit := range c.order[:min(k, len(c.order))] {
		list = append(list, x.location(hit.Chunk))
	}
	return list
}

// First returns the first firstHits hits and their scores, in the order in which Search ranks them before it merges
// hits. These are the hits of which a Calibration expects one to answer.
func (c *Candidates) First() (places []Location, scores []float64) {
	x := c.topic.x
	c.order = x.Decay(append(c.order[:0], x.WithoutRepeats(slices.Clone(c.list), answer.Filter{})...))
	for _, hit := range c.order[:min(firstHits, len(c.order))] {
		places, scores = append(places, x.location(hit.Chunk)), append(scores, hit.Score)
	}
	return places, scores
}

func (x *Ranker) location(chunk int) Location {
	start, end := x.Generation.Lines(chunk)
	return Location{x.Generation.ID(chunk), x.Generation.FilePath(chunk), start, end}
}

// A Location is the place of a chunk.
type Location struct {
	ID, Path           string
	StartLine, EndLine int
}
