package mcp

import (
	"context"

	"cortex/lib/page"
	"cortex/lib/record"
	"cortex/lib/status"
)

// stats describe the state of the index that gave an answer.
type stats struct {
	Generation   int64                    `json:"generation"`
	GeneratedAt  string                   `json:"generated_at"`
	Model        string                   `json:"model"`
	Dimensions   int                      `json:"dimensions"`
	Chunks       int                      `json:"chunks"`
	ChunksByType map[record.ChunkType]int `json:"chunks_by_type"`
	// GraphOmitted is the least number of edges that the graph leaves out because there would be too many.
	GraphOmitted int `json:"graph_omitted,omitempty"`
	// NewerGeneration is the generation of the store if it differs from that of the index, which will be reloaded.
	NewerGeneration int64 `json:"newer_generation,omitempty"`
	// Sources are the trees of the store, and whether their files have changed.
	Sources []status.Sources `json:"sources,omitempty"`
	Loads   loads            `json:"loads"`
	// Loading says that a load is in progress.
	Loading bool `json:"loading,omitempty"`
	// Problem says why the files could not be checked for changes.
	Problem string `json:"problem,omitempty"`
}

func (e *openIndex) stats(ctx context.Context) *stats {
	if e.session != nil {
		return databaseStats(e.session)
	}
	m := e.manifest()
	s := &stats{Generation: m.Generation, GeneratedAt: m.GeneratedAt, Model: m.Model, Dimensions: m.Dimensions, Chunks: m.Stats.Chunks, ChunksByType: m.Stats.ChunksByType, GraphOmitted: e.graph.omitted()}
	e.manager.mu.Lock()
	s.Loads, s.Loading = e.manager.loads, e.manager.loading != nil
	e.manager.mu.Unlock()
	now, err := status.Read(ctx, e.dir, e.manager.rootOf(e.dir), e.manager.opts.Sources)
	if err != nil {
		s.Problem = explain(err)
		return s
	}
	if s.Sources = now.Sources; now.Generation != m.Generation {
		s.NewerGeneration = now.Generation
	}
	return s
}

// databaseStats returns the stats of a database.
func databaseStats(session page.Database) *stats {
	now, err := session.Status()
	if err != nil {
		return &stats{Problem: explain(err)}
	}
	return &stats{Generation: now.Generation, GeneratedAt: now.GeneratedAt, Model: now.Model, Dimensions: now.Dimensions, Chunks: now.Stats.Chunks, ChunksByType: now.Stats.ChunksByType}
}
