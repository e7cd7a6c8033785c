package rank

import (
	"math"

	"cortex/lib/search/answer"
	"cortex/lib/search/corpus"
)

// Chances.
//
// Scores say in which order hits stand, and are not comparable between questions. The chance of a hit is how likely it is to be the place that
// answers: the chance that any of the first hits answers, a logistic function of what was found for the question, times the hit's share of it, which
// falls exponentially with what its score is less than the best one's. Both are fitted to questions whose answers are known, nonsense among them
// (scripts/relevance --calibrate, which also tells how far chances hold on questions that nothing was fitted to).

// A Finding is what was found for a question as a whole.
type Finding struct {
	// Coverage is the greatest share of the question's words that one chunk has, by their rarity.
	Coverage float64
	// Known is the share of the question's words that occur at all; those of its concepts count besides, so that it may be above 1.
	Known float64
	// Likeness is the best cosine, 0 where there is none or nobody has measured the model's.
	Likeness float64
	// ByMeaning is set where embeddings were compared.
	ByMeaning bool
}

// A Calibration turns a finding and scores into chances.
type Calibration struct {
	// Odds are what these add to the logarithm of the odds that one of the first hits answers: 1, the best hit's score, its distance to
	// the second one's, and the coverage, the known share and the likeness of the finding.
	Odds [6]float64
	// Steepness is how fast the share of a hit falls.
	Steepness float64
}

// CalibrationFor is what scripts/relevance --calibrate found for questions with and without embeddings.
func CalibrationFor(byMeaning bool) Calibration {
	if byMeaning {
		return Calibration{[6]float64{-5.3, 3.37, 7.7, 2.86, 0.6, 4.1}, 30}
	}
	return Calibration{[6]float64{-4.98, 0.3, 23.68, 4.17, 1.63, 0}, 38}
}

// Values are what the odds are of: those of a finding and of the hits' scores, of which there is at least one, the best first.
func (f *Finding) Values(scores []float64) [6]float64 {
	best, second := scores[0], 0.0
	if len(scores) > 1 {
		second = scores[1]
	}
	return [6]float64{1, best, best - second, f.Coverage, f.Known, f.Likeness}
}

// Of lists the chances of hits with these scores, the best of which come first.
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
	// firstHits are those of which one answers, if the question has an answer.
	firstHits = 10
	// maxKnown bounds what concepts add to the words of the question.
	maxKnown = 1.5
	// usualLikeness stands for the cosine of a model that nobody has measured.
	usualLikeness = 0.45
)

// Finding is what was found for the topic. near is the Near of the model's card.
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
	case len(a.meaning) > 0:
		f.Likeness = a.meaning[0].Score
	}
	return f
}

// Chances sets the chance of each of the results, the best of which come first.
func Chances(results []Result, f Finding) {
	scores := make([]float64, len(results))
	for i := range results {
		scores[i] = results[i].Score
	}
	c := CalibrationFor(f.ByMeaning)
	for i, chance := range c.Of(f, scores) {
		results[i].Chance = corpus.Rounded(chance)
	}
}
