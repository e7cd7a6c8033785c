package rank

import "testing"

// Meaning counts more if no chunk covers the question, but not if the question names an identifier that occurs.
func TestMeaningOfQuestionWithIdentifier(t *testing.T) {
	usual := DefaultRanking().Hybrid
	for named, more := range map[bool]bool{false: true, true: false} {
		a := &Topic{topic: "where does ERR_LOST come from", substance: 3, coverage: .4, named: named}
		if w := a.weights(&usual); w[Meaning] > usual[Meaning] != more || w[FileMeaning] > usual[FileMeaning] != more {
			t.Errorf("named %t: %g, %g", named, w[Meaning], w[FileMeaning])
		}
	}
}
