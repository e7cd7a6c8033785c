package methodset

import "testing"

func TestFairShare(t *testing.T) {
	for _, test := range []struct {
		counts     []int
		most, want int
	}{
		{nil, 5, 5}, {[]int{1, 2}, 3, 3}, {[]int{10, 10}, 10, 5}, {[]int{1, 100, 1}, 12, 10}, {[]int{3, 3, 3}, 2, 0}, {[]int{0, 7}, 4, 4},
	} {
		got := fairShare(test.counts, test.most)
		sum, all := 0, 0
		for _, n := range test.counts {
			sum += min(n, got)
			all += n
		}
		if got != test.want || sum > test.most {
			t.Errorf("%v of %d: %d, want %d", test.counts, test.most, got, test.want)
		}
	}
}
