package mcp

import (
	"errors"
	"path/filepath"
	"testing"

	"cortex/lib/embed"
	"cortex/lib/record"
	"cortex/lib/search"
	"cortex/lib/store"
)

// some are chunks of that version.
func some(count, version int) func(yield func(*record.Chunk) bool) {
	return changes(count, count, version)
}

// answers is how many chunks of the version an edition finds.
func answers(t *testing.T, e *edition, word string) int {
	t.Helper()
	found, err := e.index.Exact(t.Context(), search.Request{Queries: []string{word}, Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	return found.TotalFound
}

// TestStoreThatChangesWhileItsIndexIsMade writes the store when an index of it has just been made: what answers then is of the new one.
func TestStoreThatChangesWhileItsIndexIsMade(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, store.Dir)
	write(t, dir, some(40, 1))
	opened := 0
	s := &shelf{ctx: t.Context(), opts: Options{
		Root: func() string { return root },
		Embedding: func(string) (embed.Config, error) {
			// This is asked for when the index is there.
			if opened++; opened == 1 {
				write(t, dir, some(20, 2))
			}
			return embed.Config{}, nil
		},
		Report: func(err error) { t.Error(err) },
		Warn:   t.Logf,
	}}
	e, err := s.make(dir, func() {})
	if err != nil {
		t.Fatal(err)
	}
	defer e.close()
	if opened != 2 {
		t.Errorf("opened %d times", opened)
	}
	if old, now := answers(t, e, "version1"), answers(t, e, "version2"); old != 20 || now != 20 {
		t.Errorf("found %d chunks of the first version and %d of the second", old, now)
	}
}

// TestImproviseAgain changes the store while an edition answers that was made in haste: another takes its place, and none if nothing has changed.
func TestImproviseAgain(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, store.Dir)
	write(t, dir, some(40, 1))
	s := &shelf{ctx: t.Context(), opts: Options{
		Root:      func() string { return root },
		Embedding: func(string) (embed.Config, error) { return embed.Config{}, nil },
		Report:    func(err error) { t.Error(err) },
		Warn:      t.Logf,
	}}
	defer s.swap(nil, nil)
	head, err := s.improvise(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	first := s.current
	if again := s.improviseAgain(dir, head); !sameGeneration(&again, &head) || s.current != first {
		t.Error("the same store is read again")
	}
	write(t, dir, some(20, 2))
	if again := s.improviseAgain(dir, head); sameGeneration(&again, &head) || s.current == first {
		t.Error("another store is not read")
	}
	if n := answers(t, s.current, "version2"); n != 20 {
		t.Errorf("found %d chunks", n)
	}
}

// TestRebase replaces so much of a store that another base is due: it is made while the index answers.
func TestRebase(t *testing.T) {
	const chunks = 1100
	s := benchShelf(t, chunks)
	write(t, s.find(), some(chunks, 1))
	reload(s)
	if n := answers(t, s.current, "version1"); n != chunks {
		t.Errorf("found %d chunks of the new version", n)
	}
	s.mu.Lock()
	rebasing := s.rebasing
	s.mu.Unlock()
	if rebasing != nil { // else it is over
		<-rebasing
	}
	x, err := search.Open(t.Context(), s.find(), func(string) (embed.Embedder, error) { return nil, nil }, search.Settings{}, search.Ready)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	if !s.current.index.Due() || x.Due() {
		t.Errorf("due before: %v, after: %v", s.current.index.Due(), x.Due())
	}
}

// TestMakeFails passes on what is wrong with the store.
func TestMakeFails(t *testing.T) {
	s := &shelf{ctx: t.Context(), opts: Options{Root: func() string { return "." }, Report: func(err error) { t.Error(err) }, Warn: t.Logf}}
	e, err := s.make(filepath.Join(t.TempDir(), "none"), func() {})
	if err == nil || e != nil {
		t.Errorf("%v, %v", e, err)
	}
	s.opts.Report = func(error) {}
	s.opts.Settings = func(string) (search.Settings, error) { panic(errors.New("settings")) }
	dir := filepath.Join(t.TempDir(), store.Dir)
	write(t, dir, some(3, 1))
	if e, err := s.make(dir, func() {}); err == nil || e != nil {
		t.Errorf("a panic: %v, %v", e, err)
	}
}
