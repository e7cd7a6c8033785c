package store

import (
	"testing"
	"time"
)

func TestTexts(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 999: "999 B", 1000: "1.0 kB", 999_949: "999.9 kB", 999_950: "1.0 MB", 5e12: "5.0 TB", 2e15: "2000.0 TB"} {
		if got := bytesText(n); got != want {
			t.Errorf("bytes %d: %s, want %s", n, got, want)
		}
	}
	for d, want := range map[time.Duration]string{-1: "", 0: " (just now)", time.Minute: " (1 minute ago)", 47 * time.Hour: " (47 hours ago)", 50 * time.Hour: " (2 days ago)"} {
		if got := age(d); got != want {
			t.Errorf("%s: %s", d, got)
		}
	}
}
