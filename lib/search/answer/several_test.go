package answer

import (
	"fmt"
	"strings"
	"testing"
)

// TestMergeSaysWhyNothingWasFound groups repositories by what they say, in their order.
func TestMergeSaysWhyNothingWasFound(t *testing.T) {
	message := func(messages ...string) string {
		var names []string
		var answers []*Response
		for i, text := range messages {
			names, answers = append(names, fmt.Sprintf("r%d", i)), append(answers, &Response{NoMatch: &NoMatch{Message: text}})
		}
		return Merge(Request{}, names, answers).NoMatch.Message
	}
	for _, tt := range []struct {
		messages string
		want     string
	}{
		{"same same", "same"},
		{"b a b", "r0, r2: b\nr1: a"},
		{"a b c d e f", "r0: a\nr1: b\nr2: c\nr3: d\nr4: e\nand nothing in others"},
	} {
		if got := message(strings.Fields(tt.messages)...); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.messages, got, tt.want)
		}
	}
}
