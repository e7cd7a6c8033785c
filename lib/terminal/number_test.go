package terminal

import "testing"

func TestNumbers(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567"} {
		if got := Number(n); got != want {
			t.Errorf("%d: %s", n, got)
		}
	}
	for n, want := range map[int]string{0: "0 matches", 1: "1 match", 2: "2 matches", 1500: "1,500 matches"} {
		if got := Count(n, "match", "matches"); got != want {
			t.Errorf("%d: %s", n, got)
		}
	}
	for n, want := range map[int64]string{0: "0 B", 999: "999 B", 1000: "1.0 kB", 999_949: "999.9 kB", 999_950: "1.0 MB", 5e12: "5.0 TB", 2e15: "2000.0 TB"} {
		if got := Bytes(n); got != want {
			t.Errorf("bytes %d: %s, want %s", n, got, want)
		}
	}
}
