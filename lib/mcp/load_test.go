package mcp

import (
	"errors"
	"path/filepath"
	"testing"

	"cortex/lib/record"
	"cortex/lib/search"
	"cortex/lib/store"
)

// some yields count chunks of the given version.
func some(count, version int) func(yield func(*record.Chunk) bool) {
	return changes(count, count, version)
}

// answers returns the number of chunks that an open index finds for the word.
func answers(t *testing.T, e *openIndex, word string) int {
	t.Helper()
	found, err := e.index.Exact(t.Context(), search.Request{Queries: []string{word}, Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	return found.TotalFound
}

// TestReload replaces most of a store: new questions get answers from the new index, and the old index stays open for
// those who have borrowed it.
func TestReload(t *testing.T) {
	const chunks = 1100
	s := benchManager(t, chunks)
	old, err := s.borrow(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	write(t, s.find(), some(chunks, 1))
	reload(s)
	if n := answers(t, s.current, "version1"); n != chunks {
		t.Errorf("found %d chunks of the new version", n)
	}
	if n := answers(t, old, "version1"); n != 0 || old == s.current {
		t.Errorf("found %d chunks of the new version in the old one", n)
	}
	s.giveBack(old)
}

// TestOpenFails opens a missing store, and a store whose settings panic.
func TestOpenFails(t *testing.T) {
	s := &indexManager{ctx: t.Context(), Repository: Repository{Root: func() string { return "." }}, opts: Options{Report: func(err error) { t.Error(err) }, Warn: t.Logf}}
	e, err := s.open(t.Context(), filepath.Join(t.TempDir(), "none"), nil)
	if err == nil || e != nil {
		t.Errorf("%v, %v", e, err)
	}
	s.opts.Report = func(error) {}
	s.opts.Settings = func(string) (search.Settings, error) { panic(errors.New("settings")) }
	dir := filepath.Join(t.TempDir(), store.Dir)
	write(t, dir, some(3, 1))
	var e2 *openIndex
	err = s.protected(func() (err error) {
		e2, err = s.open(t.Context(), dir, nil)
		return err
	})
	if err == nil || e2 != nil {
		t.Errorf("a panic: %v, %v", e2, err)
	}
}
