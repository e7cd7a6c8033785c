package lineartest

import (
	"strings"
	"testing"
)

func TestGrows(t *testing.T) {
	QuietCollector(t)
	const n, tries = 1024, 5 // what disturbs the measurement of the smaller text hides growth
	text, sum := strings.Repeat("a", 8*n), 0
	for name, c := range map[string]struct {
		read func(i int) int
		want bool
	}{
		"every place reads 100 bytes before it": {func(i int) int { return min(i, 100) }, false},
		"every place reads all before it":       {func(i int) int { return i }, true},
	} {
		var seen string
		got := false
		for try := 0; try < tries && got != c.want || try == 0; try++ {
			seen, got = grows(t, n, func(n int) func() {
				return func() {
					for i := range n {
						for _, r := range text[:c.read(i)] {
							sum += int(r)
						}
					}
				}
			})
		}
		if got != c.want {
			t.Errorf("%s: %v (%s)", name, got, seen)
		}
	}
}
