package read

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5"

	"cortex/lib/database/schema"
	"cortex/lib/graph"
	"cortex/lib/graph/facts"
)

// graphs keeps the graph of the state that was asked last.
type graphs struct {
	mu   sync.Mutex
	key  string
	last *graph.Graph
}

// key names a state.
func (s *state) key() string {
	var b strings.Builder
	for _, t := range s.trees {
		b.WriteString(strconv.Itoa(int(t.id)) + ":" + strconv.FormatInt(t.generation, 10) + " ")
	}
	return b.String()
}

// Graph is the graph of the trees, which is made of the facts of their files if it was not asked before.
func (s *Session) Graph() (*graph.Graph, error) {
	all := &s.reader.graphs
	all.mu.Lock()
	defer all.mu.Unlock()
	key := s.state.key()
	if all.last != nil && all.key == key {
		return all.last, nil
	}
	sources, err := s.facts()
	if err != nil {
		return nil, err
	}
	g, err := graph.Build(s.ctx, sources, nil, graph.Options{Jobs: s.reader.opts.Jobs, Progress: s.reader.opts.Progress})
	if err != nil {
		return nil, err
	}
	all.last, all.key = g, key
	return g, nil
}

// facts reads the facts of all files.
func (s *Session) facts() ([]graph.Source, error) {
	var sources []graph.Source
	encoder := facts.NewEncoder()
	var one []byte
	err := s.query(`SELECT tree_id, head, facts FROM cortex.files WHERE tree_id = ANY($1)`, func(rows pgx.Rows) error {
		var id int32
		var head, text string
		if err := rows.Scan(&id, &head, &text); err != nil {
			return err
		}
		file, err := schema.FileWithFacts(head, text)
		if err != nil {
			return err
		}
		if one = encoder.AppendFacts(one[:0], &file.Record); len(one) > 0 {
			sources = append(sources, graph.Source{Tree: file.Tree, Facts: slices.Clone(one)})
		}
		return nil
	}, s.state.ids)
	if err != nil {
		return nil, fmt.Errorf("read graph: %w", err)
	}
	return sources, nil
}
