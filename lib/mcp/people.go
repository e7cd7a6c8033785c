package mcp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"cortex/lib/graph/table"
	"cortex/lib/page"
	"cortex/lib/search"
)

// lender gives package page access to the served indexes.
type lender struct{ repositories *repositories }

// openPatience is how long a page waits until an index is open.
const openPatience = 2 * time.Second

var errOpening = errors.New("the index is being opened; try again in a moment")

// Repositories implements page.Indexes.
func (l lender) Repositories() []string { return slices.Clone(l.repositories.names) }

// Ask implements page.Indexes.
func (l lender) Ask(ctx context.Context, repository string, question func(context.Context, *page.OpenIndex) error) (giveBack func(), err error) {
	defer func() {
		if v := recover(); v != nil {
			err = panicked(l.repositories.opts.Report, "page", v)
		}
	}()
	at := 0
	if l.repositories.names != nil {
		if at = slices.Index(l.repositories.names, repository); at < 0 {
			return nil, fmt.Errorf("no repository %q", repository)
		}
	}
	p := l.repositories.served[at]
	s, leave := p.open()
	defer leave()
	if err := s.await(ctx, openPatience, func(int, int) {}); err != nil {
		return nil, err
	}
	opening, stop := context.WithTimeoutCause(ctx, openPatience, errOpening)
	defer stop()
	found, err := s.ask(ctx, opening, func(ctx context.Context, e *openIndex) (*finding, error) {
		return &finding{}, question(ctx, &page.OpenIndex{
			Repository: repository, Root: s.rootOf(e.dir), Store: e.dir, Sources: s.opts.Sources,
			Index: e.index, Database: e.session,
			Search: func(ctx context.Context, req search.Request) (*search.Response, error) {
				return answerQuestion(ctx, e, req)
			},
			Query: func(ctx context.Context, req table.Request) (*table.Answer, error) {
				answer, _, err := e.query(ctx, req)
				return answer, err
			},
		})
	})
	if err != nil {
		return nil, err
	}
	return found.written, nil
}
