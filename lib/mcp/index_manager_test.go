package mcp_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	client "github.com/modelcontextprotocol/go-sdk/mcp"

	"cortex/lib/derived/derivedtest"
	"cortex/lib/embed"
	"cortex/lib/mcp"
	"cortex/lib/search"
	"cortex/lib/search/corpus"
	"cortex/lib/source"
	"cortex/lib/store"
)

// await waits until done returns true.
func await(t *testing.T, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !done(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not within %v", what, patience)
		}
	}
}

// cacheOf lists the files in a store's cache, without folders.
func cacheOf(t *testing.T, root string) []string {
	t.Helper()
	files, err := filepath.Glob(derivedtest.Path(t, filepath.Join(root, store.Dir), "index", strings.Repeat("?", 32)))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestCacheThatIsCutOffIsMadeAnew truncates files that a server has mapped; the server rebuilds them.
func TestCacheThatIsCutOffIsMadeAnew(t *testing.T) {
	root := t.TempDir()
	index(t, root, library()...)
	session := connect(t, options(t, root), "2025-06-18")
	query := object{"query": "Backoff"}
	want := found(t, session, "cortex_exact", query)
	for range 2 {
		await(t, "an index on disk", func() bool { return len(cacheOf(t, root)) >= 1 })
		for _, file := range cacheOf(t, root) {
			if err := os.Truncate(file, 0); err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
		}
		if got := found(t, session, "cortex_exact", query); !slices.Equal(got, want) {
			t.Errorf("found %q, want %q", got, want)
		}
	}
}

// TestShardThatIsCutOffIsToldOf truncates a shard in place, which no writer of a store does; the server reports the
// damage.
func TestShardThatIsCutOffIsToldOf(t *testing.T) {
	root := t.TempDir()
	index(t, root, library()...)
	session := connect(t, options(t, root), "2025-06-18")
	query := object{"query": "Backoff"}
	await(t, "an answer from the index on disk", func() bool {
		return len(found(t, session, "cortex_exact", query)) > 0 && len(cacheOf(t, root)) >= 1
	})
	path := filepath.Join(root, store.Dir, "shards", "00.jsonl")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, int64(len(data)/3)); err != nil {
		t.Fatal(err)
	}
	await(t, "the damage is told", func() bool {
		text, failed := call(t, session, "cortex_exact", query)
		return failed && strings.Contains(text, "damaged") && strings.Contains(text, "index again")
	})
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	await(t, "an answer after the repair", func() bool {
		_, failed := call(t, session, "cortex_exact", query)
		return !failed
	})
}

// keepWarnings makes the server collect its warnings, and returns a function that lists them.
func keepWarnings(opts *mcp.Options) func() []string {
	var mu sync.Mutex
	var warned []string
	opts.Warn = func(format string, args ...any) {
		mu.Lock()
		defer mu.Unlock()
		warned = append(warned, fmt.Sprintf(format, args...))
	}
	return func() []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(warned)
	}
}

// TestNewerStoreIsToldOfOnce queries a store that only a newer version can read: the server warns once. Then the test
// restores the old store.
func TestNewerStoreIsToldOfOnce(t *testing.T) {
	root := t.TempDir()
	index(t, root, library()...)
	manifest := filepath.Join(root, store.Dir, store.ManifestName)
	good, err := os.ReadFile(manifest)
	if err != nil {
		t.Fatal(err)
	}
	write := func(data []byte) {
		t.Helper()
		if err := os.WriteFile(manifest, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	opts := options(t, root)
	warnings := keepWarnings(&opts)
	query := object{"query": "Backoff"}
	write(regexp.MustCompile(`"version": \d+`).ReplaceAll(good, []byte(`"version": 99`)))
	session := connect(t, opts, "2025-06-18")
	for range 4 {
		if text, failed := call(t, session, "cortex_exact", query); !failed || !strings.Contains(text, "the store has version 99") {
			t.Errorf("answered: %s", text)
		}
	}
	write(good)
	await(t, "an answer from the old store", func() bool {
		_, failed := call(t, session, "cortex_exact", query)
		return !failed
	})
	if warned := warnings(); len(warned) != 1 || strings.Count(warned[0], "load index") != 1 || !strings.Contains(warned[0], "hint: use the newer cortex") {
		t.Errorf("warned %d times: %q", len(warned), warned)
	}
}

// TestCacheThatCannotBeWritten has a file in the place of the cache folder.
func TestCacheThatCannotBeWritten(t *testing.T) {
	root := t.TempDir()
	index(t, root, library()...)
	cache := derivedtest.Path(t, filepath.Join(root, store.Dir))
	if err := errors.Join(os.RemoveAll(cache), os.WriteFile(cache, nil, 0o400)); err != nil {
		t.Fatal(err)
	}
	opts := options(t, root)
	warnings := keepWarnings(&opts)
	session := connect(t, opts, "2025-06-18")
	if got := found(t, session, "cortex_exact", object{"query": "waits longer"}); !slices.Equal(got, []string{"code-impl-net/retry.go#Backoff"}) {
		t.Errorf("found %q", got)
	}
	await(t, "one line that says so", func() bool {
		warned := warnings()
		return len(warned) == 1 && strings.HasPrefix(warned[0], "the index is made for this process alone: ") && strings.Contains(warned[0], "\nhint: set CORTEX_CACHE_DIR")
	})
	if got := found(t, session, "cortex_search", object{"query": "waits longer after failures", "mode": "semantic"}); len(got) == 0 {
		t.Error("found nothing by meaning")
	}
}

// TestReloadsUnderQueries replaces the store repeatedly while many clients ask: each answer is of one generation, and
// none fails.
func TestReloadsUnderQueries(t *testing.T) {
	if testing.Short() {
		t.Skip("makes many indexes")
	}
	root := t.TempDir()
	generation := func(n int) {
		chunks := library()
		for i := range 20 {
			chunks = append(chunks, code(fmt.Sprintf("g/f%d.go", i), fmt.Sprintf("F%d", i), fmt.Sprintf("func F%d() { generation%d() }", i, n)))
		}
		index(t, root, chunks...)
	}
	generation(0)
	const servers, generations = 2, 8
	var group sync.WaitGroup
	stop := make(chan struct{})
	for range servers {
		session := connect(t, options(t, root), "2025-06-18")
		group.Go(func() {
			last := 0
			for {
				select {
				case <-stop:
					return
				default:
				}
				// All chunks are of one generation or all are of the next.
				counts := map[int]int{}
				text, failed := call(t, session, "cortex_exact", object{"query": "generation*", "limit": 100})
				if failed {
					t.Errorf("a query failed: %s", text)
					return
				}
				for n := range generations {
					if c := strings.Count(text, fmt.Sprintf("{ generation%d()", n)); c > 0 {
						counts[n] = c
						if n < last {
							t.Errorf("generation %d after %d", n, last)
						}
						last = n
					}
				}
				if len(counts) != 1 || counts[last] != 20 {
					t.Errorf("an answer of several generations: %v", counts)
					return
				}
			}
		})
	}
	for n := 1; n < generations; n++ {
		generation(n)
	}
	session := connect(t, options(t, root), "2025-06-18")
	await(t, "the last generation", func() bool {
		text, failed := call(t, session, "cortex_exact", object{"query": fmt.Sprintf("generation%d", generations-1), "limit": 100})
		return !failed && strings.Contains(text, "F19")
	})
	close(stop)
	group.Wait()
}

// TestSettingsReachTheIndex serves documents without stemming.
func TestSettingsReachTheIndex(t *testing.T) {
	root := t.TempDir()
	index(t, root, library()...)
	for stemmer, want := range map[string]int{corpus.DefaultStemmer: 1, corpus.NoStemmer: 0} {
		opts := options(t, root)
		opts.Settings = func(string) (search.Settings, error) { return search.Settings{Stemmer: stemmer}, nil }
		opts.Embedding = func(string) (embed.Config, error) { return embed.Config{}, nil }
		if got := found(t, connect(t, opts, "2025-06-18"), "cortex_exact", object{"query": "archives"}); len(got) != want {
			t.Errorf("stemmer %s: found %q", stemmer, got)
		}
	}
}

// idleKeeper is a keeper that cannot keep the index up to date.
type idleKeeper struct{}

func (idleKeeper) Await(context.Context, time.Duration, func(done, total int)) error { return nil }
func (idleKeeper) Want()                                                             {}
func (idleKeeper) Active() bool                                                      { return false }
func (idleKeeper) Problem() error                                                    { return errors.New("nothing to read") }

// TestFolderThatIsGone: answers of an index whose folder was removed say so.
func TestFolderThatIsGone(t *testing.T) {
	root := filepath.Join(t.TempDir(), "tree")
	if err := os.Mkdir(root, 0o755); err != nil {
		t.Fatal(err)
	}
	index(t, root, library()...)
	opts := options(t, root)
	opts.Repositories[0].Keeper = idleKeeper{}
	opts.Sources = func(root string) (source.Options, error) { return source.Options{Root: root}, nil }
	session := connect(t, opts, "2025-06-18")
	ask := func() []client.Content {
		result, err := session.CallTool(t.Context(), &client.CallToolParams{Name: "cortex_exact", Arguments: object{"query": "Backoff"}})
		if err != nil || result.IsError {
			t.Fatal(result, err)
		}
		return result.Content
	}
	ask()
	if err := os.RemoveAll(root); err != nil {
		t.Fatal(err)
	}
	answer := ask()
	if note, ok := answer[len(answer)-1].(*client.TextContent); !ok || len(answer) != 2 || !strings.HasPrefix(note.Text, "The folder of this index is gone;") {
		t.Errorf("%d pieces, the last: %v", len(answer), note)
	}
}
