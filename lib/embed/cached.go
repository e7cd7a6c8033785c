package embed

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"cortex/lib/embed/provider"
)

// OpenCached is Open for a run over a repository: vectors of a costly embedder are kept in the user's cache. If the
// service of the embedder does not answer, and the cache knows its model or cfg.OnError is OnErrorSkip, the returned
// embedder has the cached vectors alone. A cache that cannot be used is reported to warn and is no error.
func OpenCached(ctx context.Context, cfg provider.Config, warn func(format string, args ...any)) (provider.Embedder, error) {
	e, err := Open(ctx, cfg)
	var gone *provider.Unreachable
	if err != nil && !errors.As(err, &gone) || err == nil && !e.Card().Costly {
		return e, err
	}
	c, fault := openCache(warn)
	if fault != nil {
		warn("no embedding cache: %v", fault)
	}
	if err == nil {
		if c == nil {
			return e, nil
		}
		c.remember(configID(cfg, e.Card().Endpoint), e)
		return newCached(e, c), nil
	}
	lost := &absent{err: err, endpoint: gone.Endpoint}
	if c != nil {
		c.recall(configID(cfg, gone.Endpoint), lost)
	}
	switch {
	case lost.model != "":
		return newCached(lost, c), nil
	case c != nil:
		if fault := c.close(); fault != nil {
			warn("close the embedding cache: %v", fault)
		}
	}
	if cfg.OnError != provider.OnErrorSkip {
		return nil, err
	}
	return lost, nil
}

// configID identifies the settings that select a model.
func configID(cfg provider.Config, endpoint string) string {
	prefix := "" // if nil: the model's own prefix
	if cfg.PassagePrefix != nil {
		prefix = fmt.Sprintf("%q", *cfg.PassagePrefix)
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q %d %d %s", cfg.Provider, endpoint, cfg.Model, cfg.Dimensions, cfg.MaxTokens, prefix))
	return hex.EncodeToString(sum[:10])
}

// absent replaces an embedder whose service does not answer. The model is "" if it is not known.
type absent struct {
	err       error
	model     string
	dims      int
	endpoint  string
	maxTokens int
}

func (a *absent) Model() string   { return a.model }
func (a *absent) Dimensions() int { return a.dims }
func (a *absent) Close() error    { return nil }
func (a *absent) Card() provider.Card {
	return provider.Card{Endpoint: a.endpoint, MaxTokens: a.maxTokens, Costly: true}
}

func (a *absent) Embed(_ context.Context, _ provider.Mode, texts []string) ([][]float32, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	return nil, a.err
}

// A cached embedder takes vectors of passages from a cache, and the others from its Embedder.
type cached struct {
	provider.Embedder
	cache *cache
	// seed identifies the embedder's properties that affect its vectors.
	seed []byte
	hits atomic.Int64
}

func newCached(e provider.Embedder, c *cache) *cached {
	card := e.Card()
	return &cached{Embedder: e, cache: c,
		seed: fmt.Appendf(nil, "%q %q %d\n", e.Model(), card.Endpoint, card.MaxTokens)}
}

func (c *cached) key(text string) (key cacheKey) {
	h := sha256.New()
	h.Write(c.seed)
	io.WriteString(h, text)
	copy(key[:], h.Sum(nil))
	return key
}

// Embed implements Embedder. Equal texts are embedded once.
func (c *cached) Embed(ctx context.Context, mode provider.Mode, texts []string) ([][]float32, error) {
	if mode != provider.Passage || len(texts) == 0 {
		return c.Embedder.Embed(ctx, mode, texts)
	}
	keys := make([]cacheKey, len(texts))
	for i, text := range texts {
		keys[i] = c.key(text)
	}
	found := c.cache.lookup(keys, c.Dimensions())
	place := map[cacheKey]int{} // index in missing
	var missing []string
	var missingKeys []cacheKey
	for i, key := range keys {
		if _, ok := place[key]; ok || found[key] != nil {
			continue
		}
		place[key] = len(missing)
		missing, missingKeys = append(missing, texts[i]), append(missingKeys, key)
	}
	fresh, err := c.Embedder.Embed(ctx, mode, missing)
	if got := keep(fresh, missingKeys); len(got) > 0 {
		c.cache.store(got)
	}
	if err == nil && len(fresh) != len(missing) {
		err = fmt.Errorf("%d vectors for %d texts", len(fresh), len(missing))
	}
	if ctx.Err() != nil || err != nil && len(found) == 0 && len(fresh) != len(missing) {
		return nil, err
	}
	var partial *provider.PartialError
	errors.As(err, &partial)
	vectors := make([][]float32, len(texts))
	failed := map[int]error{}
	for i, key := range keys {
		at, ok := place[key]
		switch {
		case !ok:
			vectors[i] = found[key]
			c.hits.Add(1)
		case at < len(fresh) && fresh[at] != nil:
			vectors[i] = fresh[at]
		case partial != nil:
			failed[i] = partial.Failed[at]
		default:
			failed[i] = err
		}
	}
	if len(failed) > 0 {
		return vectors, &provider.PartialError{Failed: failed}
	}
	return vectors, nil
}

// keep returns the vectors that are not nil by their keys.
func keep(vectors [][]float32, keys []cacheKey) map[cacheKey][]float32 {
	if len(vectors) != len(keys) {
		return nil
	}
	got := map[cacheKey][]float32{}
	for i, v := range vectors {
		if v != nil {
			got[keys[i]] = v
		}
	}
	return got
}

func (c *cached) Close() error {
	return errors.Join(c.cache.close(), c.Embedder.Close())
}
