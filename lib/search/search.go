// Package search finds chunks: exactly, by a query language, and by meaning and words together.
//
// It is the only place that ranks; cortex-query and cortex-serve are its two faces.
package search

import (
	"context"
	"errors"

	"cortex/lib/embed"
	"cortex/lib/store"
)

// An Index answers questions about one generation of a store.
type Index struct {
	snap     *store.Snapshot
	embedder embed.Embedder
}

// New makes an index over the snapshot, which it shares and does not change. The parts of the
// index are built when a request first needs them; Warm builds them all.
func New(ctx context.Context, snap *store.Snapshot, e embed.Embedder) (*Index, error) {
	return &Index{snap: snap, embedder: e}, nil
}

// Warm builds what requests will need, both indexes at once.
func (x *Index) Warm(ctx context.Context) error { return nil }

// Close frees the index; no request may be running.
func (x *Index) Close() error { return nil }

// Search answers a question in words.
func (x *Index) Search(ctx context.Context, req Request) (*Response, error) {
	return nil, errors.New("search: index not built")
}

// Exact answers a query in the language of package query.
func (x *Index) Exact(ctx context.Context, req Request) (*Response, error) {
	return nil, errors.New("search: index not built")
}
