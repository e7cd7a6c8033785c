package search

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"cortex/lib/derived/derivedtest"
	"cortex/lib/embed"
	"cortex/lib/record/jsonl"
	"cortex/lib/search/answer"
	"cortex/lib/store"
	"cortex/lib/store/update"
)

// benchStore is the store that CORTEX_BENCH_STORE names, such as /path/to/repository/.cortex. Its cache is used, and
// made if it is missing.
func benchStore(b *testing.B) string {
	dir := os.Getenv("CORTEX_BENCH_STORE")
	if dir == "" {
		b.Skip("CORTEX_BENCH_STORE names no store")
	}
	return dir
}

func benchEmbedder(ctx context.Context) func(string) (embed.Embedder, error) {
	return func(model string) (embed.Embedder, error) {
		if model == "" {
			return nil, nil
		}
		return embed.OpenModel(ctx, model, embed.Config{})
	}
}

func benchOpen(b *testing.B) *Index {
	b.Helper()
	x, err := Open(b.Context(), benchStore(b), benchEmbedder(b.Context()), Settings{}, Making{Jobs: 2}, nil)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { x.Close() })
	return x
}

// BenchmarkBuild measures making the index of a store from nothing.
func BenchmarkBuild(b *testing.B) {
	dir := benchStore(b)
	for b.Loop() {
		b.StopTimer()
		if err := os.RemoveAll(derivedtest.Path(b, dir, "index")); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		x, err := Open(b.Context(), dir, benchEmbedder(b.Context()), Settings{}, Making{Jobs: 2}, nil)
		if err != nil {
			b.Fatal(err)
		}
		x.Close()
	}
}

// BenchmarkOpen measures opening an index that is there, and its first answer.
func BenchmarkOpen(b *testing.B) {
	benchOpen(b)
	for b.Loop() {
		x, err := Open(b.Context(), benchStore(b), benchEmbedder(b.Context()), Settings{}, Making{}, nil)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := x.Exact(b.Context(), answer.Request{Queries: []string{"handler"}}); err != nil {
			b.Fatal(err)
		}
		x.Close()
	}
}

// BenchmarkAsk measures requests to an index from disk.
func BenchmarkAsk(b *testing.B) {
	x := benchOpen(b)
	for _, q := range []struct{ name, query string }{
		{"term", "handler"}, {"frequent", "return"}, {"boolean", "(reader OR writer) AND buffer -test"}, {"phrase", `"if err != nil"`},
		{"plain-phrase", `"is not"`}, {"name", "sync.RWMutex"}, {"prefix", "prov*"}, {"fuzzy", "handlr~1"}, {"fuzzy2", "handlr~2"},
		{"broad", "con*"}, {"inner", "*mutex*"}, {"filter", "handler tags:test"},
	} {
		b.Run("exact/"+q.name, func(b *testing.B) {
			measure(b, func() (*answer.Response, error) {
				return x.Exact(b.Context(), answer.Request{Queries: []string{q.query}})
			})
		})
	}
	for _, q := range []string{"a*", "*a*"} {
		b.Run("refused/"+q, func(b *testing.B) {
			measure(b, func() (*answer.Response, error) {
				r, err := x.Exact(b.Context(), answer.Request{Queries: []string{q}})
				if _, ok := err.(*QueryError); ok {
					err = nil
				}
				return r, err
			})
		})
	}
	for _, mode := range []answer.Mode{answer.Keyword, answer.Semantic, answer.Hybrid} {
		b.Run("search/"+string(mode), func(b *testing.B) {
			measure(b, func() (*answer.Response, error) {
				return x.search(b.Context(), answer.Request{Queries: []string{"how are records read from standard input"}, Mode: mode})
			})
		})
	}
	long := strings.Repeat(report, 8000/len(report)+1)[:8000]
	b.Run("search/long", func(b *testing.B) {
		measure(b, func() (*answer.Response, error) {
			return x.search(b.Context(), answer.Request{Queries: []string{long}})
		})
	})
}

// BenchmarkUpdate measures opening the index of a generation in which 1 of 100 chunks has another text, when that of
// the generation before is there, and its first answer.
func BenchmarkUpdate(b *testing.B) {
	dir := filepath.Join(b.TempDir(), store.Dir)
	if err := os.CopyFS(dir, os.DirFS(benchStore(b))); err != nil {
		b.Fatal(err)
	}
	cache := derivedtest.Path(b, dir, "index")
	if err := os.RemoveAll(cache); err != nil {
		b.Fatal(err)
	}
	open := func() {
		x, err := Open(b.Context(), dir, benchEmbedder(b.Context()), Settings{}, Making{Jobs: 2}, nil)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := x.Exact(b.Context(), answer.Request{Queries: []string{"handler"}}); err != nil {
			b.Fatal(err)
		}
		x.Close()
	}
	open()
	before, err := filepath.Glob(filepath.Join(cache, "*"))
	if err != nil {
		b.Fatal(err)
	}
	snap := loadStore(b, dir)
	var stream bytes.Buffer
	w := jsonl.NewWriter(&stream)
	changed := 0
	for i := 0; i < len(snap.chunks); i += 100 {
		c := *snap.chunks[i]
		c.Text += "\n// changed"
		if err := w.Write(&c); err != nil {
			b.Fatal(err)
		}
		changed++
	}
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
	if err := update.Run(b.Context(), jsonl.NewReader(&stream, "changed"), update.Options{Dir: dir, Jobs: 2}); err != nil {
		b.Fatal(err)
	}
	least, spent := time.Duration(1<<62), time.Duration(0)
	for b.Loop() {
		start, cpu := time.Now(), processTime(b)
		open()
		least = min(least, time.Since(start))
		spent += processTime(b) - cpu
		b.StopTimer()
		after, err := filepath.Glob(filepath.Join(cache, "*"))
		if err != nil {
			b.Fatal(err)
		}
		for _, path := range after {
			if !slices.Contains(before, path) {
				os.RemoveAll(path)
			}
		}
		b.StartTimer()
	}
	b.ReportMetric(float64(changed), "changed")
	b.ReportMetric(float64(least.Microseconds())/1000, "min-ms")
	b.ReportMetric(float64(spent.Microseconds())/1000/float64(b.N), "cpu-ms")
}

// processTime is the time that the processors have spent on this process.
func processTime(b *testing.B) time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
