package page

import (
	"testing"

	"cortex/lib/search/answer"
	"cortex/lib/search/rank"
)

func TestEachSignalIsExplained(t *testing.T) {
	for _, s := range rank.AllSignals() {
		if r := reasons([]answer.Reason{{Signal: s.String(), Gain: 0.1}}); len(r) != 1 || r[0].Meaning == "" {
			t.Errorf("signal %q has no explanation", s)
		}
	}
}
