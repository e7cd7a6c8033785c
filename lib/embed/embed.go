// Package embed turns texts into vectors that are near each other when the texts are
// about the same, and is the third stage of the pipeline: chunk records in, the same with
// embeddings out.
//
// Providers are rows of one table. A store remembers the model that made its
// vectors, and a query must be embedded by the same; OpenModel finds it.
package embed

import (
	"context"
	"fmt"
	"strings"

	"cortex/lib/hint"
)

// Mode says what a text is: models may treat what is searched and what is asked
// differently.
type Mode int

const (
	// Passage is a text to be found. Its first line is its title, as in Text.
	Passage Mode = iota
	// Query is a question.
	Query
)

// An Embedder makes vectors. It may be used by several goroutines at once.
type Embedder interface {
	// Model identifies all that shapes the vectors: vectors of equal models can be compared.
	Model() string
	// Dimensions is the length of every vector.
	Dimensions() int
	// Embed returns one vector for each text, in order. Each has length 1, also where
	// the text is empty, so that the dot product of two is their cosine.
	Embed(ctx context.Context, mode Mode, texts []string) ([][]float32, error)
	// Close frees what the embedder holds.
	Close() error
}

// Config chooses an embedder. Zero values leave the choice to this package.
type Config struct {
	Provider, Model, Endpoint string
	Dimensions                int
}

// A provider is one row of the table of providers.
type provider struct {
	name string
	open func(context.Context, Config) (Embedder, error)
	// made reports whether the model of a store is one of the provider's, and
	// returns cfg with what the model's name says.
	made func(model string, cfg Config) (Config, bool)
}

// providers is the table of providers; the first is the default.
func providers() []provider {
	return []provider{
		{"hash", openHash, hashMade},
	}
}

// Open opens the embedder that cfg describes.
func Open(ctx context.Context, cfg Config) (Embedder, error) {
	var names []string
	for _, p := range providers() {
		if cfg.Provider == "" || cfg.Provider == p.name {
			return p.open(ctx, cfg)
		}
		names = append(names, p.name)
	}
	return nil, hint.Wrap(
		fmt.Errorf("unknown embedding provider %q", cfg.Provider),
		"known providers: "+strings.Join(names, ", "))
}

// OpenModel opens the embedder that makes vectors which can be compared with those of
// a store made with model. What the model's name says wins over cfg, which gives the rest.
func OpenModel(ctx context.Context, model string, cfg Config) (Embedder, error) {
	for _, p := range providers() {
		if own, ok := p.made(model, cfg); ok {
			return p.open(ctx, own)
		}
	}
	return nil, hint.Wrap(
		fmt.Errorf("the store was made with the embedding model %q, which this version does not know", model),
		"make the index again with cortex-parse . | cortex-chunk | cortex-embed | cortex-store")
}
