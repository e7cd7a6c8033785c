package read

import (
	"context"
	"errors"
	"sync"

	"github.com/jackc/pgx/v5"

	"cortex/lib/graph/stored"
	"cortex/lib/search"
)

// A Session is one request, or several to the same state of the database. It must be closed.
type Session struct {
	*search.Index
	reader *Reader
	state  *state
	ctx    context.Context

	// mu is held while a statement runs: a transaction has one connection.
	mu sync.Mutex
	tx pgx.Tx
	// tuned tells that the transaction is set to ask the index of vectors.
	tuned bool
	// graph is what Graph gave, which stays as long as the session.
	graph *stored.Graph
}

// Session begins a request. What it reads ends with ctx.
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
			_ = s.Close() // the error tells more
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

// Model names the model of the vectors, "" if there are none.
func (s *Session) Model() string { return s.state.model }

// Trees are the names of the trees.
func (s *Session) Trees() []string {
	names := make([]string, len(s.state.trees))
	for i, t := range s.state.trees {
		names[i] = t.name
	}
	return names
}

// query runs a statement and visits its rows. Statements of one session run one after the other.
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
