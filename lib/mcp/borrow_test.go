package mcp

import (
	"context"
	"errors"
	"testing"
)

// TestPanicGivesTheIndexBack asks questions that end in different ways. Unless the finding keeps the index, the index
// has no reader afterwards.
func TestPanicGivesTheIndexBack(t *testing.T) {
	for name, question := range map[string]struct {
		ask  func(context.Context, *openIndex) (*finding, error)
		kept bool
	}{
		"panic":      {func(context.Context, *openIndex) (*finding, error) { panic("boom") }, false},
		"error":      {func(context.Context, *openIndex) (*finding, error) { return &finding{}, errors.New("no") }, false},
		"no finding": {func(context.Context, *openIndex) (*finding, error) { return nil, nil }, false},
		"finding":    {func(context.Context, *openIndex) (*finding, error) { return &finding{}, nil }, true},
	} {
		e := &openIndex{}
		s := &indexManager{ctx: t.Context(), current: e}
		var found *finding
		func() {
			defer func() { _ = recover() }()
			found, _ = s.ask(t.Context(), t.Context(), question.ask)
		}()
		want := 0
		if question.kept {
			want = 1
		}
		if e.readers != want {
			t.Errorf("%s: the index has %d readers, want %d", name, e.readers, want)
		}
		if question.kept {
			if found.written(); e.readers != 0 {
				t.Errorf("%s: the index has %d readers once the answer is written", name, e.readers)
			}
		}
	}
}

// TestPanicEndsTheLoan is about any loan, such as a session of a database.
func TestPanicEndsTheLoan(t *testing.T) {
	ended := 0
	func() {
		defer func() { _ = recover() }()
		_, _ = lent(func() { ended++ }, func() (*finding, error) { panic("boom") })
	}()
	if ended != 1 {
		t.Errorf("the loan ended %d times", ended)
	}
}
