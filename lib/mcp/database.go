package mcp

import (
	"context"
)

// A question about a repository in a database does not borrow a loaded index. Each question has its own session, which
// sees one state of the database.

// askDatabase runs ask on a new session of the database.
func (s *indexManager) askDatabase(ctx context.Context, ask func(context.Context, *openIndex) (*finding, error)) (*finding, error) {
	session, err := s.Database.Session(ctx)
	if err != nil {
		return nil, err
	}
	e := &openIndex{manager: s, index: session.Index, session: session, graph: &graphFile{remote: session.Graph}}
	return lent(func() { s.report(session.Close()) }, func() (*finding, error) { return ask(ctx, e) })
}
