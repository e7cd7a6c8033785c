// Package lending shares embedders among indexes: all callers that ask for the same model with the same settings get
// the same embedder, so that a model is in memory only once. Begin with Embedders.Lend.
package lending

import (
	"context"
	"slices"
	"sync"

	"cortex/lib/embed"
)

// Embedders opens embedders and shares them among all open indexes, including successive generations of one repository.
// An embedder is closed when its last user closes it.
type Embedders struct {
	// Context is the context of all embedders: an embedder may outlive the index for which it was opened.
	Context context.Context

	open  func(ctx context.Context, model string, cfg embed.Config) (embed.Embedder, error)
	mu    sync.Mutex
	known map[embedderKey]*sharedEmbedder
}

// An embedderKey has everything that determines how an embedder is opened.
type embedderKey struct {
	model          string
	cfg            embed.Config // without its prefixes, which are pointers
	query, passage prefix
}

type prefix struct {
	isSet bool
	text  string
}

func prefixOf(p *string) prefix {
	if p == nil {
		return prefix{}
	}
	return prefix{true, *p}
}

// New returns an Embedders without open embedders.
func New() *Embedders {
	return &Embedders{open: embed.OpenModel, known: map[embedderKey]*sharedEmbedder{}}
}

// Lend returns the embedder of a model, which the caller must close.
func (s *Embedders) Lend(model string, cfg embed.Config) (embed.Embedder, error) {
	key := embedderKey{model: model, cfg: cfg, query: prefixOf(cfg.QueryPrefix), passage: prefixOf(cfg.PassagePrefix)}
	key.cfg.QueryPrefix, key.cfg.PassagePrefix = nil, nil
	if e := s.borrow(key, nil); e != nil {
		return e, nil
	}
	own, err := s.open(s.Context, model, cfg)
	if err != nil {
		return nil, err
	}
	return s.borrow(key, &sharedEmbedder{Embedder: own, of: s, key: key}), nil
}

// borrow returns the open embedder for the key or, if there is none, shares own. It returns nil if both are nil.
func (s *Embedders) borrow(key embedderKey, own *sharedEmbedder) embed.Embedder {
	s.mu.Lock()
	e := s.known[key]
	switch {
	case e == nil && own == nil:
		s.mu.Unlock()
		return nil
	case e == nil:
		e = own
		s.known[key] = e
	}
	e.users++
	s.mu.Unlock()
	if own != nil && own != e {
		_ = own.Embedder.Close() // another caller opened one first
	}
	return &lentEmbedder{sharedEmbedder: e}
}

// A sharedEmbedder is an embedder with the number of its users. It remembers the embeddings of the last questions,
// since several repositories are often asked the same question.
type sharedEmbedder struct {
	embed.Embedder
	of    *Embedders
	key   embedderKey
	users int // guarded by Embedders.mu

	mu   sync.Mutex
	last []embeddedText
}

type embeddedText struct {
	text   string
	vector []float32
}

// maxLast is the number of questions that are remembered, maxLastText the length in bytes of the longest one.
const (
	maxLast     = 16
	maxLastText = 1000
)

// Embed implements embed.Embedder.
func (e *sharedEmbedder) Embed(ctx context.Context, mode embed.Mode, texts []string) ([][]float32, error) {
	if mode != embed.Query || len(texts) != 1 || len(texts[0]) > maxLastText {
		return e.Embedder.Embed(ctx, mode, texts)
	}
	if v := e.remembered(texts[0]); v != nil {
		return [][]float32{v}, nil
	}
	vectors, err := e.Embedder.Embed(ctx, mode, texts)
	if err == nil && len(vectors) == 1 {
		e.mu.Lock()
		defer e.mu.Unlock()
		if len(e.last) == maxLast {
			e.last = e.last[1:]
		}
		e.last = append(e.last, embeddedText{texts[0], slices.Clone(vectors[0])})
	}
	return vectors, err
}

func (e *sharedEmbedder) remembered(text string) []float32 {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, known := range e.last {
		if known.text == text {
			return slices.Clone(known.vector)
		}
	}
	return nil
}

// A lentEmbedder is one user's reference to a sharedEmbedder.
type lentEmbedder struct {
	*sharedEmbedder
	closing sync.Once
}

// Close implements embed.Embedder.
func (e *lentEmbedder) Close() (err error) {
	e.closing.Do(func() {
		s := e.of
		s.mu.Lock()
		e.users--
		last := e.users == 0
		if last {
			delete(s.known, e.key)
		}
		s.mu.Unlock()
		if last {
			err = e.Embedder.Close()
		}
	})
	return err
}
