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

// graphsDir has a folder for the graph of each list of trees.
const graphsDir = "graphs"

// Graph returns the graph of the trees, valid until the session is closed. If no current graph is stored, it is built
// from the facts of the files.
func (s *Session) Graph() (*table.Graph, error) {
	all := &s.reader.graphs
	all.mu.Lock()
	defer all.mu.Unlock()
	if all.last == nil || all.of != s.state {
		opened, err := stored.OpenParts(s.ctx, s.parts(), stored.Options{Jobs: s.reader.opts.Jobs, Progress: s.reader.opts.Progress})
		if err != nil {
			return nil, err
		}
		opened.CloseUnused() // sessions of an earlier state may still use it
		all.last, all.of = opened, s.state
	}
	s.graph = all.last
	return all.last.Graph, nil
}

// parts returns the trees as parts of a graph.
func (s *Session) parts() stored.Parts {
	r := s.reader
	// The folder's name depends on the names of the trees alone, so that after a change of one of them the earlier
	// graph is found and updated.
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

// files returns the files of a tree with their facts.
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
			err = nil // the caller has stopped the iteration
		}
		if err != nil {
			yield(store.Entry{}, fmt.Errorf("read graph of tree %q: %w", t.name, err))
		}
	}
}
