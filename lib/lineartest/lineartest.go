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

// Size returns the size, in bytes, of the smaller of two inputs whose costs a test compares. The larger one has eight
// times that size, a mebibyte with CORTEX_LONG_TESTS. Size skips short tests and calls QuietCollector.
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

// QuietCollector disables garbage collection during a test up to a gibibyte, since the collector takes more processor
// time on a busy machine.
func QuietCollector(t *testing.T) {
	percent, limit := debug.SetGCPercent(-1), debug.SetMemoryLimit(1<<30)
	t.Cleanup(func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	})
}

// Repeat returns about n bytes of repeated seed, at least one seed.
func Repeat(seed string, n int) string { return strings.Repeat(seed, max(n/len(seed), 1)) }

// Check reports an error if the processor time of work grows faster than the size of its input. work prepares an input
// of n bytes and returns the function to measure. Work with a fixed limit can grow faster until the input reaches the
// limit, and a busy machine disturbs short times. So Check fails only if time grows too fast from n to 8n bytes and
// again from 8n to 64n. Each time is the best of several tries.
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

// grows reports whether an input eight times as large costs more than 24 times as much plus 200 ns a byte. It also
// describes both costs.
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
