package read

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"os"

	"github.com/jackc/pgx/v5"

	"cortex/lib/database/schema"
	"cortex/lib/derived"
	"cortex/lib/graph/stored"
	"cortex/lib/graph/table"
	"cortex/lib/store"
)

// graphsDir has the graph of each list of trees that is asked.
const graphsDir = "graphs"

// Graph is the graph of the trees, valid until the session is closed. It is made of the facts of their files if it is not kept.
func (s *Session) Graph() (*table.Graph, error) {
	all := &s.reader.graphs
	all.mu.Lock()
	defer all.mu.Unlock()
	if all.last == nil || all.of != s.state {
		opened, err := stored.OpenParts(s.ctx, s.parts(), stored.Options{Jobs: s.reader.opts.Jobs, Progress: s.reader.opts.Progress})
		if err != nil {
			return nil, err
		}
		opened.CloseUnused() // sessions of an earlier state may be asking it
		all.last, all.of = opened, s.state
	}
	s.graph = all.last
	return all.last.Graph, nil
}

// parts are the trees as parts of a graph.
func (s *Session) parts() stored.Parts {
	r := s.reader
	// The trees that are asked name the folder, so that a change of one of them finds the graph that was before.
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", r.opts.Trees))
	name := graphsDir + "/" + hex.EncodeToString(sum[:8])
	p := stored.Parts{
		Files: s.files,
		Current: func() bool {
			r.mu.Lock()
			defer r.mu.Unlock()
			return r.last == s.state
		},
		Folder: func(create bool) (*os.Root, error) {
			if create {
				return derived.CreateDatabase(r.db.Address(), name)
			}
			return derived.OpenDatabase(r.db.Address(), name)
		},
	}
	for _, t := range s.state.trees {
		p.Digests = append(p.Digests, t.written)
	}
	return p
}

// files visits the files of a tree with all their facts.
func (s *Session) files(ctx context.Context, part int) iter.Seq2[store.Entry, error] {
	return func(yield func(store.Entry, error) bool) {
		t := &s.state.trees[part]
		err := s.query(`SELECT head, facts FROM cortex.files WHERE tree_id = $1 ORDER BY path`, func(rows pgx.Rows) error {
			var head, text string
			if err := rows.Scan(&head, &text); err != nil {
				return err
			}
			file, err := schema.FileWithFacts(head, text)
			if err != nil {
				return err
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			if !yield(store.Entry{File: &file.Record, Tree: file.Tree}, nil) {
				return errEnough
			}
			return nil
		}, t.id)
		if errors.Is(err, errEnough) {
			err = nil // whoever ranges knows
		}
		if err != nil {
			yield(store.Entry{}, fmt.Errorf("read graph of tree %q: %w", t.name, err))
		}
	}
}
