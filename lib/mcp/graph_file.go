package mcp

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"cortex/lib/graph/stored"
	"cortex/lib/graph/table"
	"cortex/lib/store"
)

// A graphFile is the graph of an open index. It is opened at the first question.
type graphFile struct {
	dir    string
	of     *store.Generation
	opts   stored.Options
	loaded atomic.Pointer[stored.Graph]
	// remote returns the graph of a database; nil for a store.
	remote func() (*table.Graph, error)

	mu sync.Mutex
	// damaged are graphs that running questions may still use.
	damaged []*stored.Graph
}

// get returns the graph, and opens it if necessary.
func (f *graphFile) get(ctx context.Context) (*stored.Graph, error) {
	if f.remote != nil {
		g, err := f.remote()
		return &stored.Graph{Graph: g}, err
	}
	if g := f.loaded.Load(); g != nil {
		return g, nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if g := f.loaded.Load(); g != nil {
		return g, nil
	}
	g, err := stored.Open(ctx, f.dir, f.of, f.opts)
	if err == nil {
		f.loaded.Store(g)
	}
	return g, err
}

// again replaces a damaged graph: it deletes the graph's file and makes it again.
func (f *graphFile) again(ctx context.Context) (*stored.Graph, error) {
	f.mu.Lock()
	if g := f.loaded.Swap(nil); g != nil {
		f.damaged = append(f.damaged, g)
	}
	err := stored.Forget(f.dir)
	f.mu.Unlock()
	if err != nil {
		return nil, err
	}
	return f.get(ctx)
}

// omitted returns the number of edges that the graph leaves out, 0 if there is no graph yet.
func (f *graphFile) omitted() int {
	g := f.loaded.Load()
	if g == nil {
		return stored.Omitted(f.dir, f.of.Manifest())
	}
	return g.Omitted()
}

func (f *graphFile) close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	var err error
	for _, g := range append(f.damaged, f.loaded.Swap(nil)) {
		if g != nil {
			err = errors.Join(err, g.Close())
		}
	}
	return err
}
