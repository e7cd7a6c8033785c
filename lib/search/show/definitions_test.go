package show

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"cortex/lib/lineartest"
	"cortex/lib/record"
)

// wholesOneByOne is wholes, comparing each span with all definitions above it.
func wholesOneByOne(spans []span) (list []record.LineRange) {
	var open []span
	for _, s := range spans {
		open = slices.DeleteFunc(open, func(o span) bool {
			ends := s.lines[0] > o.lines[1] && !s.continues(o.id)
			if ends {
				list = append(list, o.lines)
			}
			return ends
		})
		if i := slices.IndexFunc(open, func(o span) bool { return o.id == s.id }); i >= 0 {
			open[i].lines[1] = max(open[i].lines[1], s.lines[1])
		} else {
			open = append(open, s)
		}
	}
	for _, o := range open {
		list = append(list, o.lines)
	}
	return list
}

func TestWholesOfAnySpans(t *testing.T) {
	ids := []string{"a", "a.b", "a.b.c", "a.b.c.d", "a.e", "ab", "f", "f.g", "h"}
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 1))
		var spans []span
		most := 1 + r.IntN(8)
		for range 1 + r.IntN(20) {
			first := 1 + r.IntN(30)
			spans = append(spans, span{ids[r.IntN(len(ids))], record.LineRange{first, first + r.IntN(most)}})
		}
		slices.SortStableFunc(spans, func(a, b span) int { return a.lines[0] - b.lines[0] })
		if got, want := wholes(spans), wholesOneByOne(spans); !slices.Equal(got, want) {
			t.Fatalf("%v\ngot  %v\nwant %v", spans, got, want)
		}
	}
}

// A store can have any number of chunks with the same lines.
func TestWholesInLinearTime(t *testing.T) {
	n := lineartest.Size(t)
	for name, spanAt := range map[string]func(i, n int) span{
		"around each other":      func(i, n int) span { return span{fmt.Sprintf("f%d", i), record.LineRange{i, 2*n - i}} },
		"to the end of the file": func(i, n int) span { return span{fmt.Sprintf("f%d", i), record.LineRange{i, n}} },
		"one after the other":    func(i, n int) span { return span{fmt.Sprintf("f%d", i), record.LineRange{i, i}} },
		"inside one that ended": func(i, n int) span {
			return span{"f" + strings.Repeat(fmt.Sprintf(".g%d", i), min(i-1, 1)), record.LineRange{i, i}}
		},
		"parts between functions": func(i, n int) span {
			return span{"f" + strings.Repeat(fmt.Sprintf(".g%d", i), i%2), record.LineRange{i, i}}
		},
		"inside many that ended": func(i, n int) span { return span{"f" + strings.Repeat(".g", min(i, 50)), record.LineRange{i, i}} },
	} {
		lineartest.Check(t, name, n, func(n int) func() {
			var spans []span
			for i := range n / 4 {
				spans = append(spans, spanAt(i+1, n/4))
			}
			return func() { wholes(spans) }
		})
	}
}
