package embed

import (
	"context"
	"time"

	"go.etcd.io/bbolt"

	"cortex/lib/embed/provider"
)

// Tests of services are outside the package, since the server that they use imports it.

// A TestClock provides time and randomness for OpenService. Sleep takes no time, but advances Now.
type TestClock struct {
	Now    func() time.Time
	Sleep  func(context.Context, time.Duration) error
	Random func() float64
}

// OpenService is Open for a provider that is a service, with another clock.
func OpenService(ctx context.Context, cfg provider.Config, c TestClock) (provider.Embedder, error) {
	for _, s := range []service{ollamaService(), openaiService(), httpService()} {
		if s.name == cfg.Provider {
			r, err := openRemoteAt(ctx, s, cfg, clock{c.Now, c.Sleep, c.Random})
			if err != nil {
				return nil, err
			}
			return withPrefixes(r, cfg), nil
		}
	}
	panic("no service " + cfg.Provider)
}

// Limits that tests need.
const (
	MaxReplyBase    = maxReplyBase
	MaxReplyPerText = maxReplyPerText
	RunAttempts     = runAttempts
)

// BoundCache sets the bound of e's cache in bytes.
func BoundCache(e provider.Embedder, bytes int) { e.(*cached).cache.bytes = bytes }

// HoldFile locks a cache's file as a process that writes to it does.
func HoldFile(path string) (release func() error, err error) {
	db, err := bbolt.Open(path, 0o600, nil)
	if err != nil {
		return nil, err
	}
	return db.Close, nil
}
