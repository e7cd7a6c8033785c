// Package lineartest is for tests: it checks that work grows no faster than the size of its input.
package lineartest

import (
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"testing"
	"time"
)

// Size is the size of the smaller of two texts whose costs are compared, for a test that then runs with QuietCollector and is none of the short ones.
// With CORTEX_LONG_TESTS the larger one has a mebibyte.
func Size(t *testing.T) int {
	if testing.Short() {
		t.Skip("it compares costs")
	}
	QuietCollector(t)
	if os.Getenv("CORTEX_LONG_TESTS") != "" {
		return 128 << 10
	}
	return 1 << 10
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

// Check reports work that grows faster than the size of its input, of processor time in the best of several tries. work prepares an input of n
// bytes and returns what is measured. Work with a bound a place grows faster too until the input reaches the bound, and a busy machine
// disturbs small times: so growth counts only if it is seen from n bytes to 8n and again from 8n to 64n.
func Check(t *testing.T, name string, n int, work func(n int) func()) {
	t.Helper()
	first, ok := grows(t, n, work)
	if !ok {
		return
	}
	if second, ok := grows(t, 8*n, work); ok {
		t.Errorf("%s: %s, %s", name, first, second)
	}
}

// grows reports whether what is eight times as large costs more than 24 times as much and 200 ns a byte, and tells both costs.
func grows(t *testing.T, n int, work func(n int) func()) (string, bool) {
	t.Helper()
	const growth, tries = 24, 12
	slack := time.Duration(8*n) * 200 * time.Nanosecond
	less, more := work(n), work(8*n)
	least, most := time.Hour, time.Hour
	for range tries {
		least, most = min(least, processorTime(t, less)), min(most, processorTime(t, more))
		if most <= growth*least+slack {
			return "", false
		}
	}
	return fmt.Sprintf("%d bytes cost %v, %d bytes %v", n, least, 8*n, most), true
}
