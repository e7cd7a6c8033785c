package mcp

import (
	"context"
)

// Slots have a token for each load that is under way of any index manager, and for each look at files.
type slots struct{ load, look chan struct{} }

// take waits for a token, which over gives back. It does not wait for it beyond the end of ctx, which whoever works sees too.
func take(ctx context.Context, tokens chan struct{}) (over func()) {
	select {
	case tokens <- struct{}{}:
		return func() { <-tokens }
	case <-ctx.Done():
		return func() {}
	}
}
