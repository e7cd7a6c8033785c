package embed

import (
	"context"
	"fmt"
	"sync"

	"cortex/lib/embed/bag"
	"cortex/lib/embed/model"
	"cortex/lib/hint"
	"cortex/lib/record"
)

// The provider builtin is the model in the binary: a neural bag of words, trained by
// scripts/train-model. It is loaded by the first text that it embeds.
const (
	builtinName  = "builtin"
	builtinModel = model.Name
)

// builtinEmbedder is the provider builtin.
type builtinEmbedder struct {
	load     func() (*bag.Model, error)
	encoders sync.Pool // of *bag.Encoder
}

func openBuiltin(_ context.Context, cfg Config) (Embedder, error) {
	if cfg.Model != "" && cfg.Model != model.Name {
		return nil, hint.Wrap(fmt.Errorf("unknown model %q of the embedding provider builtin, which has %s", cfg.Model, model.Name),
			"leave embedding.model empty, or choose another embedding.provider")
	}
	if cfg.Dimensions != 0 && cfg.Dimensions != model.Dimensions {
		return nil, hint.Wrap(fmt.Errorf("model %s has %d dimensions, not %d", model.Name, model.Dimensions, cfg.Dimensions),
			"leave embedding.dimensions out, or choose another embedding.provider")
	}
	return newBuiltin(model.File), nil
}

// newBuiltin returns the embedder of the model in the file.
func newBuiltin(file []byte) *builtinEmbedder {
	return &builtinEmbedder{load: sync.OnceValues(func() (*bag.Model, error) {
		m, err := bag.Read(file)
		if err != nil {
			return nil, fmt.Errorf("the model in this program: %w", err)
		}
		return m, nil
	})}
}

func builtinMade(name string, cfg Config) (Config, bool) {
	if name != model.Name {
		return cfg, false
	}
	cfg.Provider, cfg.Model, cfg.Dimensions, cfg.Endpoint = builtinName, model.Name, model.Dimensions, ""
	return cfg, true
}

func (e *builtinEmbedder) Model() string   { return model.Name }
func (e *builtinEmbedder) Dimensions() int { return model.Dimensions }
func (e *builtinEmbedder) Close() error    { return nil }

// near parts the best cosines of questions from those of nonsense: 4 of 376 questions about 19 repositories are below it, and 15 of 722 pieces of
// nonsense, 38 for each repository, are above it.
const near = 0.3

func (e *builtinEmbedder) Card() Card {
	return Card{Licence: "the licence of Cortex", Text: model.Card, Near: near}
}

// Embed implements Embedder. A text without any word has a vector that is near no other.
func (e *builtinEmbedder) Embed(ctx context.Context, mode Mode, texts []string) ([][]float32, error) {
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
	if mode == Query {
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

// quantize rounds a vector to whole numbers of 8 bits with one scale, in which form stores and indexes keep it without loss.
func quantize(v []float32) {
	if _, ok := record.Embedding(v).Length(); !ok {
		return
	}
	var buf [1024]int8
	copy(v, record.Quantize(buf[:0], v).Embedding())
}
