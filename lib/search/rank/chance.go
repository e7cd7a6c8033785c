package rank

import (
	"math"

	"cortex/lib/search/answer"
	"cortex/lib/search/corpus"
)

// Chances.
//
// Scores order the hits of one question; they are not comparable between questions. The chance of a hit is the
// probability that it answers. It is the product of the probability that any of the first hits answers, a logistic
// function of the Finding and the best scores, and the hit's share of it, which falls exponentially with the distance
// from the best score. Both are fitted to questions with known answers and to nonsense (scripts/relevance --calibrate,
// which also measures how well the chances hold for other questions).

// A Finding summarises what was found for a question as a whole.
type Finding struct {
	// Coverage is the greatest share of the question's words, weighted by rarity, that one chunk has.
	Coverage float64
	// Known is the share of the question's words, weighted by rarity, that occur at all. Words of the question's
	// concepts are added, so Known may be above 1, up to maxKnown.
	Known float64
	// Likeness is the cosine of the nearest chunk: 0 without embeddings, usualLikeness if Near was not measured.
	Likeness float64
	// ByMeaning is set if embeddings were compared.
	ByMeaning bool
}

// A Calibration turns a finding and scores into chances.
type Calibration struct {
	// Odds are the coefficients of Finding.Values in the log odds that one of the first hits answers.
	Odds [6]float64
	// Steepness is how fast the share of a hit falls with the distance of its score from the best score.
	Steepness float64
}

// calibrationFor returns the values that scripts/relevance --calibrate found for questions with and without embeddings.
func calibrationFor(byMeaning bool) Calibration {
	if byMeaning {
		return Calibration{[6]float64{-5.28, 2.73, 11.98, 2.12, 0.45, 5.5}, 27}
	}
	return Calibration{[6]float64{-4.98, 0.3, 23.68, 4.17, 1.63, 0}, 38}
}

// Values returns the values that Odds are the coefficients of: 1, the best score, its distance to the second best,
// Coverage, Known and Likeness. scores has at least one element and is in descending order.
func (f *Finding) Values(scores []float64) [6]float64 {
	best, second := scores[0], 0.0
	if len(scores) > 1 {
		second = scores[1]
	}
	return [6]float64{1, best, best - second, f.Coverage, f.Known, f.Likeness}
}

// Of returns the chances of hits with these scores, which are in descending order.
func (c *Calibration) Of(f Finding, scores []float64) []float64 {
	if len(scores) == 0 {
		return nil
	}
	odds := 0.0
	for i, value := range f.Values(scores) {
		odds += c.Odds[i] * value
	}
	chances, sum := make([]float64, len(scores)), 0.0
	for i, score := range scores {
		chances[i] = math.Exp(c.Steepness * (score - scores[0]))
		if i < firstHits {
			sum += chances[i]
		}
	}
	anyAnswers := 1 / (1 + math.Exp(-odds))
	for i := range chances {
		chances[i] *= anyAnswers / sum
	}
	return chances
}

const (
	// firstHits is the number of hits of which one is expected to answer, if the question has an answer.
	firstHits = 10
	// maxKnown bounds Finding.Known, which the words of concepts can raise above 1.
	maxKnown = 1.5
	// usualLikeness replaces the cosine if the model's Near was not measured.
	usualLikeness = 0.45
)

// Finding summarises what was found for the topic. near is the Near of the model's card, 0 if it was not measured.
func (a *Topic) Finding(near float64) Finding {
	f := Finding{ByMeaning: a.mode == answer.Hybrid, Coverage: a.coverage}
	known, all := a.known(a.Terms)
	if all > 0 {
		f.Known = min(float64(known/all), maxKnown)
	}
	switch {
	case !f.ByMeaning:
	case near == 0:
		f.Likeness = usualLikeness
	default:
		f.Likeness = a.nearest
	}
	return f
}

// Chances sets the chances of the results, which are in descending order of their scores.
func Chances(results []Result, f Finding) {
	scores := make([]float64, len(results))
	for i := range results {
		scores[i] = results[i].Score
	}
	c := calibrationFor(f.ByMeaning)
	for i, chance := range c.Of(f, scores) {
		results[i].Chance = corpus.Rounded(chance)
	}
}
