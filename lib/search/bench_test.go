package search

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"cortex/lib/embed"
	"cortex/lib/record"
	"cortex/lib/search/answer"
)

// sourceChunks cuts Go's standard library into n chunks of about 800 bytes, and repeats it if it is too small.
func sourceChunks(b *testing.B, n int, e embed.Embedder) []*record.Chunk {
	b.Helper()
	var pieces []*record.Chunk
	root := "/usr/local/go/src"
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || !strings.HasSuffix(path, ".go") || len(pieces) >= n {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, path)
		line := 1
		for len(data) > 0 {
			end := min(800, len(data))
			text := string(data[:end])
			data = data[end:]
			name := ""
			if _, rest, ok := strings.Cut(text, "\nfunc "); ok {
				name, _, _ = strings.Cut(rest, "(")
			}
			pieces = append(pieces, chunk(rel, fmt.Sprintf("%s%d", name, line), text))
			line += strings.Count(text, "\n")
		}
		return nil
	})
	if err != nil || len(pieces) == 0 {
		b.Skipf("no Go source in %s: %v", root, err)
	}
	chunks := make([]*record.Chunk, n)
	for i := range chunks {
		c := *pieces[i%len(pieces)]
		c.ID = fmt.Sprintf("%s~%07d", c.ID, i)
		chunks[i] = &c
	}
	slices.SortFunc(chunks, func(a, b *record.Chunk) int { return strings.Compare(a.ID, b.ID) })
	for start := 0; start < n; start += 500 {
		var texts []string
		for _, c := range chunks[start:min(start+500, n)] {
			texts = append(texts, c.Text)
		}
		vectors, err := e.Embed(context.Background(), embed.Passage, texts)
		if err != nil {
			b.Fatal(err)
		}
		for i, v := range vectors {
			chunks[start+i].Embedding = v
		}
	}
	return chunks
}

// BenchmarkIndex measures building and asking, for 10,000 and 100,000 chunks.
func BenchmarkIndex(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		if n > 10_000 && testing.Short() {
			continue
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			e := builtin()
			snap := &contents{chunks: sourceChunks(b, n, e)}
			snap.model = e.Model()
			x, err := newInMemory(snap, e, Settings{})
			if err != nil {
				b.Fatal(err)
			}
			defer x.Close()
			b.Run("build", func(b *testing.B) {
				before := heap()
				for b.Loop() {
					y, err := newInMemory(snap, e, Settings{})
					if err != nil {
						b.Fatal(err)
					}
					if err := y.Warm(b.Context()); err != nil {
						b.Fatal(err)
					}
					b.StopTimer()
					b.ReportMetric(float64(heap()-before)/(1<<20), "MiB")
					y.Close()
					b.StartTimer()
				}
			})
			if err := x.Warm(b.Context()); err != nil {
				b.Fatal(err)
			}
			for _, q := range []struct{ name, query string }{
				{"term", "handler"}, {"boolean", "(reader OR writer) AND buffer -test"}, {"phrase", `"if err != nil"`},
				{"name", "sync.RWMutex"}, {"prefix", "prov*"}, {"fuzzy", "handlr~1"}, {"broad", "con*"}, {"inner", "*mutex*"},
			} {
				b.Run("exact/"+q.name, func(b *testing.B) {
					measure(b, func() (*answer.Response, error) {
						return x.Exact(b.Context(), answer.Request{Queries: []string{q.query}})
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
		})
	}
}

// heap is the memory in use, in bytes.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// measure reports the median and the 95th percentile of what one request takes.
func measure(b *testing.B, ask func() (*answer.Response, error)) {
	var times []time.Duration
	for b.Loop() {
		start := time.Now()
		if _, err := ask(); err != nil {
			b.Fatal(err)
		}
		times = append(times, time.Since(start))
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(times[len(times)*95/100].Microseconds())/1000, "p95-ms")
}
