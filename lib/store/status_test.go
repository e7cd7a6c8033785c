package store

import (
	"testing"
	"time"
)

func TestAge(t *testing.T) {
	for d, want := range map[time.Duration]string{-1: "", 0: " (just now)", time.Minute: " (1 minute ago)", 47 * time.Hour: " (47 hours ago)", 50 * time.Hour: " (2 days ago)"} {
		if got := age(d); got != want {
			t.Errorf("%s: %s", d, got)
		}
	}
}
