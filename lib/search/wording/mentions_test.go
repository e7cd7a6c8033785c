package wording

import "testing"

func TestIsHyphenated(t *testing.T) {
	for word, want := range map[string]bool{
		"default-theme": true, "use-default-preprocessors": true, "utf-8": true, "theme": false, "--no-ff": false, "a-": false, "Well-Known": false, "a_b-c": false, "1-2": false, "": false,
	} {
		if got := IsHyphenated(word); got != want {
			t.Errorf("%q: %v", word, got)
		}
	}
}
