package record

import "testing"

func TestReasonOf(t *testing.T) {
	for skip, want := range map[string]string{"": "", "binary": "binary", "too large: 5 bytes": "too large", "a:b": "a:b"} {
		if got := ReasonOf(skip); got != want {
			t.Errorf("ReasonOf(%q) = %q", skip, got)
		}
	}
}
