// Package builtin is the default embedding provider: it embeds texts with the model in the binary (package model).
package builtin

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"cortex/lib/embed/bag"
	"cortex/lib/embed/model"
	"cortex/lib/embed/provider"
	"cortex/lib/hint"
	"cortex/lib/record"
)

// The provider builtin is the model in the binary: a neural bag of words, trained by scripts/train-model. The first
// call of Embed loads it.
const (
	// Name is the name of the provider, Model that of its model.
	Name  = "builtin"
	Model = model.Name
)

// Embedder is the embedder of the provider builtin.
type Embedder struct {
	load     func() (*bag.Model, error)
	encoders sync.Pool // of *bag.Encoder
}

// Open returns the embedder of the model in the binary. It fails if cfg asks for another model or other dimensions.
func Open(_ context.Context, cfg provider.Config) (provider.Embedder, error) {
	if cfg.Model != "" && cfg.Model != model.Name {
		return nil, hint.Wrap(fmt.Errorf("unknown model %q of the embedding provider builtin, which has %s", cfg.Model, model.Name),
			"leave embedding.model empty, or choose another embedding.provider")
	}
	if cfg.Dimensions != 0 && cfg.Dimensions != model.Dimensions {
		return nil, hint.Wrap(fmt.Errorf("model %s has %d dimensions, not %d", model.Name, model.Dimensions, cfg.Dimensions),
			"leave embedding.dimensions out, or choose another embedding.provider")
	}
	return &Embedder{load: own}, nil
}

// own returns the model in the binary, which it reads once for all embedders.
var own = reading(model.File)

// New returns an embedder of the model in the file.
func New(file []byte) *Embedder { return &Embedder{load: reading(file)} }

func reading(file []byte) func() (*bag.Model, error) {
	return sync.OnceValues(func() (*bag.Model, error) {
		m, err := bag.Read(file)
		if err != nil {
			return nil, fmt.Errorf("the model in this program: %w", err)
		}
		return m, nil
	})
}

// Made reports whether the model of a store is the one in the binary, and returns cfg for it.
func Made(name string, cfg provider.Config) (provider.Config, bool) {
	if name != model.Name {
		return cfg, false
	}
	cfg.Provider, cfg.Model, cfg.Dimensions, cfg.Endpoint = Name, model.Name, model.Dimensions, ""
	return cfg, true
}

// IsEarlier reports whether a model was built into an earlier version of Cortex.
func IsEarlier(name string) bool {
	return name != model.Name && strings.HasPrefix(name, "cortex-code-")
}

func (e *Embedder) Model() string   { return model.Name }
func (e *Embedder) Dimensions() int { return model.Dimensions }
func (e *Embedder) Close() error    { return nil }

// near is the least cosine of a passage that is near to a question. It separates the best cosines of most questions
// from those of most nonsense: with it and the rule of lib/search, one of 376 questions about 19 repositories is
// doubted, and 451 of 580 pieces of nonsense, 20 for each of 29 repositories, are.
const near = 0.38

// inFile is how much the mean vector of a file counts beside a chunk's own; docs/ranking.md has what that gives.
const inFile = 0.8

func (e *Embedder) Card() provider.Card {
	return provider.Card{Licence: "the licence of Cortex", Text: model.Card, Near: near, Context: inFile}
}

// Embed implements Embedder. The vector of a text without words is not near to any other.
func (e *Embedder) Embed(ctx context.Context, mode provider.Mode, texts []string) ([][]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m, err := e.load()
	if err != nil {
		return nil, err
	}
	encoder, ok := e.encoders.Get().(*bag.Encoder)
	if !ok {
		encoder = m.NewEncoder()
	}
	defer e.encoders.Put(encoder)
	side := bag.Passage
	if mode == provider.Query {
		side = bag.Query
	}
	dims := m.Dimensions()
	vectors := make([][]float32, len(texts))
	all := make([]float32, len(texts)*dims)
	for i, text := range texts {
		vectors[i] = all[i*dims : (i+1)*dims : (i+1)*dims]
		encoder.Encode(vectors[i], side, text)
		if side == bag.Passage {
			quantize(vectors[i])
		}
	}
	return vectors, nil
}

// quantize rounds a vector to 4-bit integers with one scale, a form that stores and indexes keep without loss. Searches
// with such vectors find as much as with 8 bits: docs/ranking.md has the figures.
func quantize(v []float32) {
	if _, ok := record.Embedding(v).Length(); !ok {
		return
	}
	var buf [1024]int8
	copy(v, record.QuantizeSmall(buf[:0], v).Embedding())
}
