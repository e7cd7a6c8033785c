package hint

import (
	"strings"
	"testing"
)

func TestDistance(t *testing.T) {
	long := strings.Repeat("ab", 60)
	for _, tt := range []struct {
		a, b       string
		most, want int
	}{
		{"", "", 2, 0}, {"handler", "handlr", 2, 1}, {"größe", "grösse", 2, 2}, {"abc", "xyz", 2, 3}, {"a", "abcdef", 2, 3}, {"a", "abcdef", 9, 5},
		{"provider", "provdier", 2, 1}, {"receive", "recieve", 1, 1}, {"größe", "grßöe", 1, 1}, {"ab", "ba", 1, 1}, {"abcd", "badc", 2, 2},
		// Exchanged characters are not edited again.
		{"ca", "abc", 3, 3},
		{"abcdef", "bcdefa", 1, 2}, {long, long[1:] + "a", 3, 2}, {"same", "same", 0, 0}, {"same", "some", 0, 1},
	} {
		for _, pair := range [][2]string{{tt.a, tt.b}, {tt.b, tt.a}} {
			if got := Distance(pair[0], []byte(pair[1]), tt.most); got != tt.want {
				t.Errorf("%q, %q: got %d, want %d", pair[0], pair[1], got, tt.want)
			}
		}
	}
}

func TestIsTypo(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"rider", "reader", true}, {"fixme", "file", false}, {"fixme", "time", false}, {"fixme", "fixes", true}, {"größe", "grösse", true}, {"lock", "look", true}, {"rider", "writer", false},
	} {
		most := MostEdits(tt.a)
		if got := IsTypo(tt.a, tt.b, Distance(tt.a, tt.b, most)); got != tt.want {
			t.Errorf("%s, %s: got %v", tt.a, tt.b, got)
		}
	}
}
