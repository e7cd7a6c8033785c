package store

import (
	"context"
	"errors"
	"io"

	graph "cortex/lib/graph/old"
	"cortex/lib/record"
)

// LoadGraph loads a graph from what OpenGraph opened, and closes that. Damage is an error with its cure.
func LoadGraph(ctx context.Context, r io.ReadCloser) (*graph.Graph, error) {
	g, err := graph.Load(ctx, r, graphName)
	if closeErr := r.Close(); err == nil {
		err = closeErr
	}
	var line *record.LineError
	if opened, ok := r.(*graphReader); ok && errors.As(err, &line) {
		err = withCure(opened.dir, &damage{file: opened.name, line: line.Number, what: graphFault(line)})
	}
	if err != nil {
		return nil, err
	}
	return g, nil
}
