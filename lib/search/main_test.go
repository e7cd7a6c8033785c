package search

import (
	"context"
	"sync"
	"testing"

	"cortex/lib/derived/derivedtest"
	"cortex/lib/embed"
)

func TestMain(m *testing.M) { derivedtest.Main(m) }

// builtin is the model of all tests, which is read once.
var builtin = sync.OnceValue(func() embed.Embedder {
	e, err := embed.Open(context.Background(), embed.Config{})
	if err != nil {
		panic(err)
	}
	return e
})
