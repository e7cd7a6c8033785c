package mcp

import (
	"context"

	"cortex/lib/page"
	"cortex/lib/record"
	"cortex/lib/status"
)

// stats tell how the index stands that gave an answer.
type stats struct {
	Generation   int64                    `json:"generation"`
	GeneratedAt  string                   `json:"generated_at"`
	Model        string                   `json:"model"`
	Dimensions   int                      `json:"dimensions"`
	Chunks       int                      `json:"chunks"`
	ChunksByType map[record.ChunkType]int `json:"chunks_by_type"`
	// GraphOmitted is how many edges the graph leaves out since there would be too many, at least.
	GraphOmitted int `json:"graph_omitted,omitempty"`
	// NewerGeneration is that of the store if it is not that of the index, which will follow.
	NewerGeneration int64 `json:"newer_generation,omitempty"`
	// Sources are the trees of the store, compared with it.
	Sources []status.Sources `json:"sources,omitempty"`
	Loads   loads            `json:"loads"`
	// Loading tells that a load is under way.
	Loading bool `json:"loading,omitempty"`
	// Problem says what kept the sources from being looked at.
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

// databaseStats are stats of a database.
func databaseStats(session page.Database) *stats {
	now, err := session.Status()
	if err != nil {
		return &stats{Problem: explain(err)}
	}
	return &stats{Generation: now.Generation, GeneratedAt: now.GeneratedAt, Model: now.Model, Dimensions: now.Dimensions, Chunks: now.Stats.Chunks, ChunksByType: now.Stats.ChunksByType}
}
