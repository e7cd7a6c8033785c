package mcp

import (
	"context"
	"runtime"
	"sync/atomic"
	"time"

	"cortex/lib/parallel"
)

// A courtesy lets questions go before the work that goes on behind them, so that they need not share the processors with it.
type courtesy struct {
	// questions are those that are being answered.
	questions atomic.Int64
}

// courtesyStep is how long the work waits before it looks again.
const courtesyStep = 100 * time.Microsecond

// during returns a context for such work. Where that calls parallel.Yield it waits, while so many questions are being answered that they can do
// with all processors, but at most half of the time that has passed, so that it comes to its end however many there are.
func (c *courtesy) during(ctx context.Context) context.Context {
	begun := time.Now()
	var waited atomic.Int64
	return parallel.WithYield(ctx, func() {
		many := int64(max(1, runtime.GOMAXPROCS(0)-1))
		for c.questions.Load() >= many && time.Duration(waited.Load()) < time.Since(begun)/2 {
			start := time.Now()
			time.Sleep(courtesyStep)
			waited.Add(int64(time.Since(start)))
		}
	})
}
