package parallel

import "context"

type yieldKey struct{}

// WithYield returns a context in which Yield calls the function, perhaps in several goroutines at once.
func WithYield(ctx context.Context, yield func()) context.Context {
	return context.WithValue(ctx, yieldKey{}, yield)
}

// Yield lets others go first, where the context says how. Work that should be in nobody's way calls it between pieces of a tenth of a millisecond or so.
// runtime.Gosched would not do: a goroutine that it puts off is taken up again at once by its processor when that has no other in its own queue,
// whatever waits at the next one.
func Yield(ctx context.Context) {
	if yield, ok := ctx.Value(yieldKey{}).(func()); ok {
		yield()
	}
}
