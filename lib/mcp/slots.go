package mcp

import (
	"context"
)

// slots bounds the loads and the checks of files that run at the same time, over all index managers.
type slots struct{ load, check chan struct{} }

// take waits for a token, which over gives back. If ctx ends first, take returns without a token, and the caller's work
// fails with ctx.
func take(ctx context.Context, tokens chan struct{}) (over func()) {
	select {
	case tokens <- struct{}{}:
		return func() { <-tokens }
	case <-ctx.Done():
		return func() {}
	}
}
