// Package lineartest tests that work grows no faster than the size of its input.
package lineartest

import (
	"os"
	"runtime/debug"
	"strings"
	"testing"
	"time"
)

// Size is the size of the smaller of two texts whose costs are compared, for a test that then runs with QuietCollector. With CORTEX_LONG_TESTS the
// larger one has a mebibyte.
func Size(t *testing.T) int {
	QuietCollector(t)
	if os.Getenv("CORTEX_LONG_TESTS") != "" {
		return 128 << 10
	}
	if RaceDetector {
		return 1 << 10 // it multiplies the time, and finds nothing here
	}
	return 4 << 10
}

// QuietCollector lets a test run without collecting garbage up to a gibibyte: collecting costs more processor time the busier the machine is.
func QuietCollector(t *testing.T) {
	percent, limit := debug.SetGCPercent(-1), debug.SetMemoryLimit(1<<30)
	t.Cleanup(func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	})
}

// Repeat returns about n bytes of the seed, and one seed at least.
func Repeat(seed string, n int) string { return strings.Repeat(seed, max(n/len(seed), 1)) }

// Check reports work that grows faster than the size of its input: what is eight times as large may cost at most 24 times as much and
// 200 ns a byte, of processor time in the best of several tries. work prepares an input of n bytes and returns what is measured.
func Check(t *testing.T, name string, n int, work func(n int) func()) {
	t.Helper()
	const growth, tries = 24, 12
	slack := time.Duration(8*n) * 200 * time.Nanosecond
	less, more := work(n), work(8*n)
	least, most := time.Hour, time.Hour
	for range tries {
		least, most = min(least, processorTime(t, less)), min(most, processorTime(t, more))
		if most <= growth*least+slack {
			return
		}
	}
	t.Errorf("%s: %d bytes cost %v, %d bytes %v", name, n, least, 8*n, most)
}
