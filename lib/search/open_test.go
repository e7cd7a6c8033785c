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

	"cortex/lib/derived"
	"cortex/lib/derived/derivedtest"
	"cortex/lib/embed"
	"cortex/lib/hint"
	"cortex/lib/record"
	"cortex/lib/record/jsonl"
	"cortex/lib/search/answer"
	"cortex/lib/search/corpus"
	"cortex/lib/store"
	"cortex/lib/store/update"
)

// A repository is a store in a temporary folder, and the chunks that a test writes into it by file.
type repository struct {
	dir      string
	embedder embed.Embedder
	files    map[string][]*record.Chunk
}

func newRepository(t testing.TB) *repository {
	t.Helper()
	dir, err := os.MkdirTemp("", "cortex-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return &repository{filepath.Join(dir, store.Dir), builtin(), map[string][]*record.Chunk{}}
}

// put replaces the chunks of a file, or removes the file if there are none.
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
	w := jsonl.NewWriter(&stream)
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
	err := update.Run(context.WithoutCancel(t.Context()), jsonl.NewReader(&stream, "test"), update.Options{Dir: r.dir, Jobs: 2,
		Report: func(err error) { t.Errorf("store: %v", err) }})
	if err != nil {
		t.Fatal(err)
	}
}

// Chunk reads a chunk without the package, which its file has; Record adds the package.
func TestChunksAndRecords(t *testing.T) {
	r := newRepository(t)
	r.put(t, "a.go", chunk("a.go", "A", "func A() {}"), chunk("a.go", "B", "func B() {}", tagged("test")), chunk("a.go", "C", "func C() {}", func(c *record.Chunk) { c.Metadata.Package = "other" }))
	r.put(t, "b.go", chunk("b.go", "A", "func A() {}", func(c *record.Chunk) { c.Metadata.Language = "cgo" }))
	r.put(t, "c.md", chunk("c.md", "install", "> Install\n\nRun it.", asDocument))
	r.index(t)
	x := r.cached(t, nil)
	defer x.Close()
	want := loadStore(t, r.dir).chunks
	if len(want) != 5 || x.corpus.Generation.Len() != len(want) {
		t.Fatalf("%d chunks, %d in the index", len(want), x.corpus.Generation.Len())
	}
	for _, c := range want {
		number, ok := x.corpus.Generation.Find(c.ID)
		if !ok {
			t.Fatalf("no chunk %q", c.ID)
		}
		c.Embedding, c.EmbeddingModel, c.CreatedAt, c.UpdatedAt = nil, "", "", ""
		got, err := x.corpus.Generation.Record(number)
		if diff := cmp.Diff(c, got); err != nil || diff != "" {
			t.Error(err, diff)
		}
		got, err = x.corpus.Generation.Chunk(number)
		if err != nil {
			t.Fatal(err)
		}
		if got.Metadata.Package == "" {
			got.Metadata.Package = c.Metadata.Package
		}
		if diff := cmp.Diff(c, got); diff != "" {
			t.Error(diff)
		}
	}
}

func (r *repository) open(model string) (embed.Embedder, error) { return r.embedder, nil }

// fresh is the index in memory.
func (r *repository) fresh(t testing.TB) *Index {
	t.Helper()
	x, err := newInMemory(loadStore(t, r.dir), r.embedder, Settings{})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// loadStore reads the chunks of a store.
func loadStore(t testing.TB, dir string) *contents {
	t.Helper()
	g, err := store.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	c := &contents{model: g.Manifest().Model}
	for i := range g.Manifest().Shards {
		for e, err := range g.Records(t.Context(), i) {
			if err != nil {
				t.Fatal(err)
			}
			if e.Chunk != nil {
				c.chunks = append(c.chunks, e.Chunk)
			}
		}
	}
	slices.SortFunc(c.chunks, func(a, b *record.Chunk) int { return strings.Compare(a.ID, b.ID) })
	return c
}

func (r *repository) cached(t testing.TB, old *Index) *Index {
	t.Helper()
	x, err := Open(t.Context(), r.dir, r.open, Settings{}, Making{Jobs: 2, Aside: func(why error) { t.Errorf("made aside: %v", why) }}, old)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// answers returns the answers of the index to requests of both kinds, chosen by the seed.
func answers(t testing.TB, x *Index, seed uint64) []*answer.Response {
	t.Helper()
	g := generator{rand.New(rand.NewPCG(seed, 9))}
	var all []*answer.Response
	add := func(r *answer.Response, err error) {
		if err != nil {
			t.Fatal(err)
		}
		r.Metadata.TookMS = 0
		all = append(all, r)
	}
	for i := range 8 {
		filter := answer.Filter{}
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
		add(x.Exact(t.Context(), answer.Request{Queries: []string{g.query(2)}, Limit: -1, Filter: filter}))
		mode := answer.Modes[1:][i%3]
		add(x.Search(t.Context(), answer.Request{Queries: []string{g.text() + " users of " + g.word()}, Limit: 20, Mode: mode, Filter: filter}))
	}
	return all
}

// TestCacheEqualsMemory edits a store at random and compares the index from disk, which has what is the same in common
// with the one before, with one that is made in memory; indexes of older generations go on answering as they did.
func TestCacheEqualsMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("makes many indexes")
	}
	for seed := range uint64(2) {
		if seed > 0 && os.Getenv("CORTEX_ALL_TESTS") == "" {
			break
		}
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
		want  []*answer.Response
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
		// So many that there must be more shards.
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
		var last *Index
		if len(old) > 0 && g.IntN(3) > 0 {
			last = old[len(old)-1].index
		}
		x := r.cached(t, last)
		at := seed*100 + uint64(step)
		want := answers(t, r.fresh(t), at)
		if diff := difference(want, answers(t, x, at)); diff != "" {
			t.Fatalf("step %d: answers differ from those of an index in memory:\n%s", step, diff)
		}
		old = append(old, edition{x, want, at})
		if e := old[g.IntN(len(old))]; e.index != x {
			if diff := difference(e.want, answers(t, e.index, e.seed)); diff != "" {
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
	r.cached(t, nil).Close()
	if files, m := cacheFiles(t, r.dir), manifest(t, r.dir); len(files) > len(m.Shards) {
		t.Errorf("the cache of %d shards has %d segments: %v", len(m.Shards), len(files), files)
	}
}

// manifest returns the manifest of the current generation.
func manifest(t *testing.T, dir string) *store.Manifest {
	t.Helper()
	g, err := store.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { g.Close() })
	return g.Manifest()
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

// indexedRepository is a repository that has an index, and what it answers.
func indexedRepository(t *testing.T) (r *repository, want []*answer.Response) {
	t.Helper()
	r = newRepository(t)
	for i := range 20 {
		path := fmt.Sprintf("f%d.go", i)
		r.put(t, path, chunk(path, "getUser", "func getUser(id int) User"), chunk(path, "User", "type User struct{ http, mutex int }"))
	}
	r.index(t)
	x := r.cached(t, nil)
	defer x.Close()
	return r, answers(t, x, 1)
}

// checkAnswers compares the answers of the index with the expected ones, and closes the index.
func checkAnswers(t *testing.T, what string, x *Index, want []*answer.Response) {
	t.Helper()
	if diff := difference(want, answers(t, x, 1)); diff != "" {
		t.Errorf("%s: answers differ:\n%s", what, diff)
	}
	if err := x.Close(); err != nil {
		t.Errorf("%s: %v", what, err)
	}
}

// TestSegmentDamage changes single bytes of a segment, cuts the segment off, and removes or replaces it. Each time,
// opening must rebuild it.
func TestSegmentDamage(t *testing.T) {
	r, want := indexedRepository(t)
	path := derivedtest.Path(t, r.dir, "index", cacheFiles(t, r.dir)[0])
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	check := func(what string, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		checkAnswers(t, what, r.cached(t, nil), want)
		if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, whole) {
			t.Errorf("%s: the segment is not as it was: %v", what, err)
		}
	}
	step := 97
	if testing.Short() {
		step *= 8
	}
	for at := 0; at < 2000; at += step {
		damaged := bytes.Clone(whole)
		damaged[at] ^= 0x41
		check(fmt.Sprintf("byte %d", at), os.WriteFile(path, damaged, 0o600))
	}
	for _, size := range []int{0, 40, len(whole) / 2, len(whole) - 1, len(whole) + 8} {
		check(fmt.Sprintf("cut to %d bytes", size), os.Truncate(path, int64(size)))
	}
	check("removed", os.Remove(path))
	check("a pipe", errors.Join(os.Remove(path), syscall.Mkfifo(path, 0o600)))
	check("removed with the cache", os.RemoveAll(derivedtest.Path(t, r.dir)))
}

// TestSegmentsAreOfTheUser opens a copy of a store: the copy needs an index of its own, because the store holds none.
func TestSegmentsAreOfTheUser(t *testing.T) {
	r, want := indexedRepository(t)
	dir := filepath.Join(t.TempDir(), store.Dir)
	if err := os.CopyFS(dir, os.DirFS(r.dir)); err != nil {
		t.Fatal(err)
	}
	r.dir = dir
	checkAnswers(t, "a copy", r.cached(t, nil), want)
	if len(cacheFiles(t, dir)) == 0 {
		t.Error("the copy has no index of its own")
	}
}

// TestSegmentsOfAnotherAnalysis opens an index that was made with other settings.
func TestSegmentsOfAnotherAnalysis(t *testing.T) {
	r, want := indexedRepository(t)
	x, err := Open(t.Context(), r.dir, r.open, Settings{Stemmer: corpus.NoStemmer}, Making{Jobs: 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	checkAnswers(t, "the first settings", r.cached(t, x), want)
}

// TestUnwritableCache opens a store whose derived files cannot be written: the index is made for the caller alone.
func TestUnwritableCache(t *testing.T) {
	r, want := indexedRepository(t)
	cache := derivedtest.Path(t, r.dir)
	// A file in the way stops root, too.
	if err := errors.Join(os.RemoveAll(cache), os.WriteFile(cache, nil, 0o400)); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", t.TempDir())
	told := 0
	x, err := Open(t.Context(), r.dir, r.open, Settings{}, Making{Jobs: 2, Aside: func(error) { told++ }}, nil)
	if err != nil || told != 1 {
		t.Fatalf("%v, told %d times", err, told)
	}
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	checkAnswers(t, "aside", x, want)
	if info, err := os.Stat(cache); err != nil || info.Size() != 0 {
		t.Errorf("the file in the way: %v, %v", info, err)
	}
	t.Setenv("TMPDIR", filepath.Join(cache, "temporary"))
	if x, err := Open(t.Context(), r.dir, r.open, Settings{}, Making{Jobs: 2}, nil); err == nil {
		t.Error("no error without any folder to write to")
		x.Close()
	} else if advice := hint.Of(err); !strings.Contains(advice, "TMPDIR") || !strings.Contains(advice, derived.Variable) {
		t.Errorf("%v, advice %q", err, advice)
	}
}

// TestManyOpen opens the store many times at once, from nothing and after a change.
func TestManyOpen(t *testing.T) {
	if testing.Short() {
		t.Skip("makes many indexes")
	}
	r, want := indexedRepository(t)
	if err := os.RemoveAll(derivedtest.Path(t, r.dir)); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		var group sync.WaitGroup
		for i := range 6 {
			group.Go(func() {
				x, err := Open(t.Context(), r.dir, r.open, Settings{}, Making{Jobs: 2}, nil)
				if err != nil {
					t.Errorf("opener %d: %v", i, err)
					return
				}
				checkAnswers(t, fmt.Sprint("opener ", i), x, want)
			})
		}
		group.Wait()
		r.put(t, "new.go", chunk("new.go", "mutex", "get http user"))
		r.index(t)
		want = answers(t, r.fresh(t), 1)
	}
	if files := cacheFiles(t, r.dir); slices.ContainsFunc(files, func(name string) bool { return strings.HasPrefix(name, ".tmp") }) {
		t.Errorf("left behind: %q", files)
	}
}

// TestBuild builds the index after a commit, so that opening has nothing left to do. A cancelled build resumes where it
// stopped.
func TestBuild(t *testing.T) {
	r := newRepository(t)
	for i := range 3000 {
		path := fmt.Sprintf("f%d.go", i)
		r.put(t, path, chunk(path, "getUser", "func getUser(id int) User"))
	}
	r.index(t)
	g, err := store.Open(t.Context(), r.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	ctx, cancel := context.WithCancel(t.Context())
	err = Build(ctx, r.dir, g, Settings{}, Making{Jobs: 1, Progress: func(done, total int) {
		if done > total/2 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	made := len(cacheFiles(t, r.dir))
	if made == 0 || made >= len(g.Manifest().Shards) {
		t.Errorf("%d segments of %d shards", made, len(g.Manifest().Shards))
	}
	first := -1
	if err := Build(t.Context(), r.dir, g, Settings{}, Making{Jobs: 2, Progress: func(_, total int) { first = total }}); err != nil || first >= 3000 {
		t.Errorf("%v, %d chunks to index", err, first)
	}
	x, err := Open(t.Context(), r.dir, r.open, Settings{}, Making{Jobs: 1, Progress: func(done, total int) { t.Errorf("%d of %d chunks are indexed", done, total) }}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	if found, err := x.Exact(t.Context(), answer.Request{Queries: []string{"user"}}); err != nil || found.TotalFound != 3000 {
		t.Errorf("found %d, %v", found.TotalFound, err)
	}
}

// TestStale changes the files of the store in place, which no writer does, and cuts off those of the index, while it is
// open.
func TestStale(t *testing.T) {
	r, _ := indexedRepository(t)
	x := r.cached(t, nil)
	defer x.Close()
	for _, name := range cacheFiles(t, r.dir) {
		if err := os.Truncate(derivedtest.Path(t, r.dir, "index", name), 0); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := x.Exact(t.Context(), answer.Request{Queries: []string{"mutex OR tags:go"}}); !IsStale(err) {
		t.Errorf("an index that was cut off: %v", err)
	}
	if _, err := x.Search(t.Context(), answer.Request{Queries: []string{"http users"}, Mode: answer.Keyword}); !IsStale(err) {
		t.Errorf("an index that was cut off: %v", err)
	}
}
