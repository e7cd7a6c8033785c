package search

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cortex/lib/derived/derivedtest"
	"cortex/lib/embed"
	"cortex/lib/record"
	"cortex/lib/store"
)

// A repository is what a test has indexed into a store of its own.
type repository struct {
	dir      string
	embedder embed.Embedder
	files    map[string][]*record.Chunk
}

func newRepository(t testing.TB) *repository {
	t.Helper()
	e, err := embed.Open(t.Context(), embed.Config{Provider: "hash", Dimensions: 64})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	// Every commit waits for the disk several times; memory is as good here.
	dir, err := os.MkdirTemp(memoryDir(), "cortex-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return &repository{filepath.Join(dir, store.Dir), e, map[string][]*record.Chunk{}}
}

// memoryDir is a folder in memory, "" if there is none.
func memoryDir() string {
	if info, err := os.Stat("/dev/shm"); err == nil && info.IsDir() {
		return "/dev/shm"
	}
	return ""
}

// put gives a file these chunks, or removes it if there are none.
func (r *repository) put(t testing.TB, path string, chunks ...*record.Chunk) {
	t.Helper()
	delete(r.files, path)
	if len(chunks) == 0 {
		return
	}
	var texts []string
	for _, c := range chunks {
		texts = append(texts, embed.Text(c))
	}
	vectors, err := r.embedder.Embed(t.Context(), embed.Passage, texts)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range chunks {
		c.Metadata.FilePath = path
		c.Embedding, c.EmbeddingModel = vectors[i], r.embedder.Model()
	}
	r.files[path] = chunks
}

// index stores all files.
func (r *repository) index(t testing.TB) {
	t.Helper()
	var stream bytes.Buffer
	w := record.NewWriter(&stream)
	records := []record.Record{&record.Begin{Schema: record.Schema, Mode: record.Full, Files: len(r.files), Settings: map[string]string{}}}
	for path, chunks := range r.files {
		records = append(records, &record.File{FilePath: path, Language: "go", Status: record.StatusOK, SHA256: strings.Repeat("0", 64)})
		for _, c := range chunks {
			records = append(records, c)
		}
	}
	for _, rec := range append(records, &record.End{Files: len(r.files)}) {
		if err := w.Write(rec); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	err := store.Run(context.WithoutCancel(t.Context()), record.NewReader(&stream, "test"), store.Options{Dir: r.dir, Jobs: 2,
		Report: func(err error) { t.Errorf("store: %v", err) }})
	if err != nil {
		t.Fatal(err)
	}
}

func (r *repository) open(model string) (embed.Embedder, error) { return r.embedder, nil }

// fresh is the index in memory.
func (r *repository) fresh(t testing.TB) *Index {
	t.Helper()
	snap, err := store.Load(t.Context(), r.dir)
	if err != nil {
		t.Fatal(err)
	}
	x, err := New(t.Context(), snap, r.embedder, Settings{})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func (r *repository) cached(t testing.TB, effort Effort) *Index {
	t.Helper()
	x, err := Open(t.Context(), r.dir, r.open, Settings{}, effort)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// answers are what the index says to requests of both kinds that depend on the seed alone.
func answers(t testing.TB, x *Index, seed uint64) []*Response {
	t.Helper()
	g := generator{rand.New(rand.NewPCG(seed, 9))}
	var all []*Response
	add := func(r *Response, err error) {
		if err != nil {
			t.Fatal(err)
		}
		r.Metadata.TookMS = 0
		all = append(all, r)
	}
	for i := range 8 {
		filter := Filter{}
		switch i {
		case 1:
			filter.Tags = []string{"a"}
		case 2:
			filter.Path = "*3.go"
		case 3:
			filter.SymbolType = "struct"
		case 4:
			filter.Languages = []string{"go"}
		}
		add(x.Exact(t.Context(), Request{Queries: []string{g.query(2)}, Limit: -1, Filter: filter}))
		mode := Modes[1:][i%3]
		add(x.Search(t.Context(), Request{Queries: []string{g.text() + " users of " + g.word()}, Limit: 20, Mode: mode, Filter: filter}))
	}
	return all
}

// TestCacheEqualsMemory edits a store at random and compares the index from disk, whether made whole or from the last, with one that is made in memory; indexes of
// older generations go on answering as they did.
func TestCacheEqualsMemory(t *testing.T) {
	for seed := range uint64(2) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			testCacheEqualsMemory(t, seed)
		})
	}
}

func testCacheEqualsMemory(t *testing.T, seed uint64) {
	g := generator{rand.New(rand.NewPCG(seed, 5))}
	r := newRepository(t)
	type edition struct {
		index *Index
		want  []*Response
		seed  uint64
	}
	var old []edition
	for step := range 8 {
		for range 1 + g.IntN(3) {
			path := fmt.Sprintf("f%d.go", g.IntN(8))
			corpus := g.corpus()
			for i, c := range corpus {
				c.ID = fmt.Sprintf("code-impl-%s#%d", path, i)
			}
			r.put(t, path, corpus[:g.IntN(len(corpus)+1)]...)
		}
		// So many that there must be another base.
		if step%4 == 3 {
			var many []*record.Chunk
			if r.files["many.go"] == nil {
				for i := range 1010 {
					many = append(many, chunk("many.go", fmt.Sprintf("m%d", i), g.word()+" "+g.word()))
				}
			}
			r.put(t, "many.go", many...)
		}
		r.put(t, "always.go", chunk("always.go", "always", "get user"))
		r.index(t)
		effort := []Effort{Update, Build}[g.IntN(2)]
		x, err := Open(t.Context(), r.dir, r.open, Settings{}, effort)
		if errors.Is(err, ErrNotReady) && effort == Update {
			x, err = Open(t.Context(), r.dir, r.open, Settings{}, Build)
		}
		if err != nil {
			t.Fatal(err)
		}
		at := seed*100 + uint64(step)
		want := answers(t, r.fresh(t), at)
		if diff := cmp.Diff(want, answers(t, x, at)); diff != "" {
			t.Fatalf("step %d: answers differ from those of an index in memory:\n%s", step, diff)
		}
		old = append(old, edition{x, want, at})
		if e := old[g.IntN(len(old))]; e.index != x {
			if diff := cmp.Diff(e.want, answers(t, e.index, e.seed)); diff != "" {
				t.Fatalf("step %d: answers of an old generation differ:\n%s", step, diff)
			}
		}
		if len(old) > 3 {
			if err := old[0].index.Close(); err != nil {
				t.Fatal(err)
			}
			old = old[1:]
		}
	}
	for _, e := range old {
		e.index.Close()
	}
	entries, err := os.ReadDir(derivedtest.Path(t, r.dir, "index"))
	if err != nil {
		t.Fatal(err)
	}
	// Four generations, a delta each, two bases and the lock.
	if len(entries) > 11 {
		t.Errorf("the cache has %d entries: %v", len(entries), entries)
	}
}

// cacheFiles are the files of the cache, with their paths in it.
func cacheFiles(t *testing.T, dir string) []string {
	t.Helper()
	var files []string
	root := derivedtest.Path(t, dir, "index")
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && d.Name() != "lock" {
			rel, _ := filepath.Rel(root, path)
			files = append(files, rel)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(files)
	return files
}

// withDelta is a repository whose index has a base and a delta, and what it answers. restore makes it so again.
func withDelta(t *testing.T) (r *repository, want []*Response, restore func()) {
	t.Helper()
	r = newRepository(t)
	for i := range 20 {
		path := fmt.Sprintf("f%d.go", i)
		r.put(t, path, chunk(path, "getUser", "func getUser(id int) User"), chunk(path, "User", "type User struct{ http, mutex int }"))
	}
	r.index(t)
	before := t.TempDir()
	if err := os.CopyFS(before, os.DirFS(r.dir)); err != nil {
		t.Fatal(err)
	}
	r.put(t, "f3.go", chunk("f3.go", "server", "HTTPServer get user"))
	r.put(t, "f4.go")
	r.index(t)
	after := t.TempDir()
	if err := os.CopyFS(after, os.DirFS(r.dir)); err != nil {
		t.Fatal(err)
	}
	restore = func() {
		t.Helper()
		for i, dir := range []string{before, after} {
			entries, err := os.ReadDir(r.dir)
			if err != nil {
				t.Fatal(err)
			}
			for _, entry := range entries {
				if i == 0 || entry.Name() != "cache" {
					os.RemoveAll(filepath.Join(r.dir, entry.Name()))
				}
			}
			// What the store keeps there comes with the copy.
			for _, derived := range []string{"changes", "marks"} {
				os.RemoveAll(filepath.Join(r.dir, "cache", derived))
			}
			if err := os.CopyFS(r.dir, os.DirFS(dir)); err != nil {
				t.Fatal(err)
			}
			r.cached(t, []Effort{Build, Update}[i]).Close()
		}
	}
	restore()
	x := r.cached(t, Ready)
	defer x.Close()
	return r, answers(t, x, 1), restore
}

// TestCacheDamage changes every file of the cache, everywhere in turn, and expects the same answers, from an index that was opened
// or made anew.
func TestCacheDamage(t *testing.T) {
	r, want, restore := withDelta(t)
	root := derivedtest.Path(t, r.dir, "index")
	files := cacheFiles(t, r.dir)
	if len(files) != 8 {
		t.Fatalf("files are %q, want two generations, a base and a delta", files)
	}
	// Segments have other names each time, and the same place in the list.
	path := func(i int) string {
		now := cacheFiles(t, r.dir)
		if len(now) != len(files) {
			restore()
			now = cacheFiles(t, r.dir)
		}
		return filepath.Join(root, now[i])
	}
	check := func(i int, what string, damage func(path string) error) {
		t.Helper()
		name := files[i]
		if err := damage(path(i)); err != nil {
			t.Fatal(err)
		}
		x := r.cached(t, Build)
		if diff := cmp.Diff(want, answers(t, x, 1)); diff != "" {
			t.Errorf("%s, %s: answers differ:\n%s", name, what, diff)
		}
		if err := x.Close(); err != nil {
			t.Errorf("%s, %s: %v", name, what, err)
		}
	}
	for i := range files {
		restore()
		data, err := os.ReadFile(path(i))
		if err != nil {
			t.Fatal(err)
		}
		for at := 0; at < len(data); at += max(len(data)/8, 1) {
			check(i, fmt.Sprintf("byte %d", at), func(path string) error {
				damaged, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				damaged[min(at, len(damaged)-1)] ^= 0x41
				return os.WriteFile(path, damaged, 0o600)
			})
		}
		for _, size := range []int{0, 40, len(data) / 2, len(data) - 1, len(data) + 8} {
			check(i, fmt.Sprintf("cut to %d bytes", size), func(path string) error { return os.Truncate(path, int64(size)) })
		}
		check(i, "removed", os.Remove)
		check(i, "a folder", func(path string) error { return errors.Join(os.Remove(path), os.Mkdir(path, 0o700)) })
		check(i, "a pipe", func(path string) error { return errors.Join(os.Remove(path), syscall.Mkfifo(path, 0o600)) })
	}
	check(0, "removed with the cache", func(string) error { return os.RemoveAll(derivedtest.Path(t, r.dir)) })
}

// TestCacheIsNotCopied opens a cache that came with a copy of the store: it may be anyone's.
func TestCacheIsNotCopied(t *testing.T) {
	r, want, _ := withDelta(t)
	dir := filepath.Join(t.TempDir(), store.Dir)
	if err := os.CopyFS(dir, os.DirFS(r.dir)); err != nil {
		t.Fatal(err)
	}
	r.dir = dir
	if x, err := Open(t.Context(), dir, r.open, Settings{}, Update); !errors.Is(err, ErrNotReady) {
		x.Close()
		t.Errorf("a copied cache: %v", err)
	}
	x := r.cached(t, Build)
	defer x.Close()
	if diff := cmp.Diff(want, answers(t, x, 1)); diff != "" {
		t.Errorf("answers differ:\n%s", diff)
	}
}

// TestCacheOfAnotherAnalysis opens a cache that was made with other settings.
func TestCacheOfAnotherAnalysis(t *testing.T) {
	r, _, _ := withDelta(t)
	if _, err := Open(t.Context(), r.dir, r.open, Settings{Stemmer: NoStemmer}, Update); !errors.Is(err, ErrNotReady) {
		t.Errorf("settings that no index was made with: %v", err)
	}
	x, err := Open(t.Context(), r.dir, r.open, Settings{Stemmer: NoStemmer}, Build)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	// Both stay, for processes of either.
	for _, s := range []Settings{{}, {Stemmer: NoStemmer}} {
		x, err := Open(t.Context(), r.dir, r.open, s, Ready)
		if err != nil {
			t.Errorf("%+v: %v", s, err)
			continue
		}
		x.Close()
	}
}

// TestCacheReadOnly opens a store whose folder can't be written.
func TestCacheReadOnly(t *testing.T) {
	r, want, _ := withDelta(t)
	cache := derivedtest.Path(t, r.dir)
	// A file in the way stops root, too.
	if err := os.RemoveAll(cache); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(cache, nil, 0o400); err != nil {
		t.Fatal(err)
	}
	if x, err := Open(t.Context(), r.dir, r.open, Settings{}, Build); err == nil || errors.Is(err, ErrNotReady) {
		x.Close()
		t.Errorf("made an index where none can be: %v", err)
	}
	if err := Prepare(t.Context(), r.dir, Settings{}, nil); err != nil {
		t.Errorf("prepare: %v", err)
	}
	x, err := Ask(t.Context(), r.dir, r.open, Settings{})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	if diff := cmp.Diff(want, answers(t, x, 1)); diff != "" {
		t.Errorf("answers differ:\n%s", diff)
	}
	if info, err := os.Stat(cache); err != nil || info.Size() != 0 {
		t.Errorf("the file in the way: %v, %v", info, err)
	}
}

// TestCacheShared has several processes' worth of openers at once, from nothing and through a change.
func TestCacheShared(t *testing.T) {
	r, want, _ := withDelta(t)
	if err := os.RemoveAll(derivedtest.Path(t, r.dir)); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		var group sync.WaitGroup
		for i := range 6 {
			group.Go(func() {
				x, err := Open(t.Context(), r.dir, r.open, Settings{}, Build)
				if err != nil {
					t.Errorf("opener %d: %v", i, err)
					return
				}
				defer x.Close()
				if diff := cmp.Diff(want, answers(t, x, 1)); diff != "" {
					t.Errorf("opener %d: answers differ:\n%s", i, diff)
				}
			})
		}
		group.Wait()
		r.put(t, "new.go", chunk("new.go", "mutex", "get http user"))
		r.index(t)
		want = answers(t, r.fresh(t), 1)
	}
	files := cacheFiles(t, r.dir)
	if len(files) > 8 || slices.ContainsFunc(files, func(name string) bool { return strings.HasPrefix(name, "tmp") }) {
		t.Errorf("left behind: %q", files)
	}
}

// TestStale changes the files of the store in place, which no writer does, and cuts off those of the cache, under an open index.
func TestStale(t *testing.T) {
	r, _, _ := withDelta(t)
	x := r.cached(t, Ready)
	defer x.Close()
	chunks, err := filepath.Glob(filepath.Join(r.dir, "chunks", "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range chunks {
		if err := os.Truncate(path, 10); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := x.Exact(t.Context(), Request{Queries: []string{"user"}}); !IsStale(err) {
		t.Errorf("a store that was cut off: %v", err)
	}
	for _, name := range cacheFiles(t, r.dir) {
		if err := os.Truncate(derivedtest.Path(t, r.dir, "index", name), 0); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := x.Exact(t.Context(), Request{Queries: []string{"mutex OR tags:go"}}); !IsStale(err) {
		t.Errorf("a cache that was cut off: %v", err)
	}
	if _, err := x.Search(t.Context(), Request{Queries: []string{"http users"}, Mode: Keyword}); !IsStale(err) {
		t.Errorf("a cache that was cut off: %v", err)
	}
}
