package mcp

import (
	"context"
)

// Questions about a repository that is a Database are not lent an index that was loaded: each has a session, which sees one state of the database.

// askDatabase asks the database.
func (s *indexManager) askDatabase(ctx context.Context, ask func(context.Context, *openIndex) (*finding, error)) (found *finding, err error) {
	session, err := s.Database.Session(ctx)
	if err != nil {
		return nil, err
	}
	e := &openIndex{manager: s, index: session.Index, session: session, graph: &graphFile{remote: session.Graph}}
	end := func() { s.report(session.Close()) }
	if found, err = ask(ctx, e); err == nil && found != nil {
		found.written = end
		return found, nil
	}
	end()
	return found, err
}
