package rank

import (
	"reflect"
	"testing"

	"cortex/lib/search/answer"
	"cortex/lib/search/corpus"
)

// A candidate of two topics has the score and the evidence of the one that ranks it higher.
func TestUnion(t *testing.T) {
	of := func(chunk int, score float64, meaning float32, match answer.Match) Candidate {
		c := Candidate{Scored: corpus.Scored{Chunk: chunk, Score: score}, Match: match, evidence: &evidence{}}
		c.evidence[Meaning] = meaning
		return c
	}
	list := Union([]Candidate{of(1, .5, .1, answer.MatchKeyword), of(2, .4, .2, answer.MatchKeyword)},
		[]Candidate{of(2, .7, .3, answer.MatchSemantic), of(1, .2, .4, answer.MatchKeyword), of(3, .1, .5, answer.MatchSemantic)})
	want := []Candidate{of(1, .5, .1, answer.MatchKeyword), of(2, .7, .3, answer.MatchBoth), of(3, .1, .5, answer.MatchSemantic)}
	if !reflect.DeepEqual(list, want) {
		t.Errorf("got %+v", list)
	}
}
