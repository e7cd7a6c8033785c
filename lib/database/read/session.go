package read

import (
	"context"
	"errors"
	"sync"

	"github.com/jackc/pgx/v5"

	"cortex/lib/graph/stored"
	"cortex/lib/search"
)

// A Session serves one request, or several to the same state of the database. It must be closed.
type Session struct {
	*search.Index
	reader *Reader
	state  *state
	ctx    context.Context

	// mu is held while a statement runs, since a transaction has a single connection.
	mu sync.Mutex
	tx pgx.Tx
	// tuned says that the transaction has the settings for the vector index.
	tuned bool
	// graph is the result of Graph, referenced so that it stays open as long as the session.
	graph *stored.Graph
}

// Session begins a request. ctx bounds everything that the session reads.
func (r *Reader) Session(ctx context.Context) (*Session, error) {
	var s *Session
	err := r.db.Retry(ctx, func(ctx context.Context) error {
		tx, err := r.db.Pool().BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
		if err != nil {
			return err
		}
		s = &Session{reader: r, ctx: ctx, tx: tx}
		trees, err := r.readTrees(ctx, tx)
		if err == nil {
			s.state, err = r.stateOf(ctx, tx, trees)
		}
		if err != nil {
			_ = s.Close() // the first error is the cause
		}
		return err
	})
	if err != nil {
		return nil, r.db.Explain(err)
	}
	s.Index = s.state.remote.Over(s)
	return s, nil
}

// Close ends the transaction.
func (s *Session) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.graph = nil
	// The request may have been cancelled.
	if err := s.tx.Rollback(context.WithoutCancel(s.ctx)); err != nil && !errors.Is(err, pgx.ErrTxClosed) && s.ctx.Err() == nil {
		return s.reader.db.Explain(err)
	}
	return nil
}

// Model returns the name of the vectors' model, "" if there are no vectors.
func (s *Session) Model() string { return s.state.model }

// Trees returns the names of the trees.
func (s *Session) Trees() []string {
	names := make([]string, len(s.state.trees))
	for i, t := range s.state.trees {
		names[i] = t.name
	}
	return names
}

// query runs a statement and visits its rows. The statements of a session run one after the other.
func (s *Session) query(statement string, visit func(rows pgx.Rows) error, args ...any) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	rows, err := s.tx.Query(s.ctx, statement, inBinary(args)...)
	if err != nil {
		return s.reader.db.Explain(err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := visit(rows); err != nil {
			return err
		}
	}
	return s.reader.db.Explain(rows.Err())
}
