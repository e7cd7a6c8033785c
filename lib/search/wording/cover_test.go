package wording

import "testing"

func TestCover(t *testing.T) {
	for _, tt := range []struct {
		words, name []string
		want        float32
	}{
		{[]string{"config", "parse"}, []string{"configuration", "parser"}, 1},
		{[]string{"configuration"}, []string{"the", "config", "of", "hosts"}, .5},
		{[]string{"io"}, []string{"ionic"}, 0},
		{[]string{"io"}, []string{"io"}, 1},
		{[]string{"the"}, []string{"the"}, 0},
		{nil, []string{"config"}, 0},
		{[]string{"\u00e9e"}, []string{"\u00e9en"}, 0}, // three bytes, two letters
	} {
		if got := Cover(tt.words, tt.name); got != tt.want {
			t.Errorf("%q explain %v of %q, want %v", tt.words, got, tt.name, tt.want)
		}
	}
}
