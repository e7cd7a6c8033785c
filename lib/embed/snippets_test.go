package embed

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"cortex/lib/embed/provider"
	"cortex/lib/record"
)

// A snippet is one chunk of testdata/snippets.txtar.
type snippet struct{ path, title, text string }

func readSnippets(tb testing.TB) []snippet {
	tb.Helper()
	data, err := os.ReadFile("testdata/snippets.txtar")
	if err != nil {
		tb.Fatal(err)
	}
	var snippets []snippet
	for _, f := range txtar.Parse(data).Files {
		title, text, _ := strings.Cut(string(f.Data), "\n")
		snippets = append(snippets, snippet{f.Name, title, text})
	}
	return snippets
}

func snippetChunk(path, text string) *record.Chunk {
	return &record.Chunk{
		ID: "code-impl-" + path + "#" + path, ChunkType: record.Implementations, Title: path, Text: text,
		Tags:     []string{"code"},
		Metadata: record.Metadata{Source: record.SourceCode, FilePath: path, StartLine: 1, EndLine: 9, ByteEnd: len(text)},
	}
}

func embedOne(tb testing.TB, e provider.Embedder, mode provider.Mode, text string) []float32 {
	tb.Helper()
	vectors, err := e.Embed(context.Background(), mode, []string{text})
	if err != nil {
		tb.Fatal(err)
	}
	return vectors[0]
}

func dot(a, b []float32) float64 {
	sum := 0.0
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

// questions has questions for snippets, in words that partly do not occur in the snippet.
var questions = []struct{ query, path string }{
	{"how are failed HTTP requests retried", "src/http/retry.go"},
	{"where is the password hashed", "src/auth/password.py"},
	{"remove expired login sessions", "src/auth/session.py"},
	{"read the configuration file", "src/config/load.ts"},
	{"apply database migrations", "src/db/migrate.go"},
	{"connection pool", "src/db/pool.go"},
	{"tokenize an expression", "src/parse/lexer.go"},
	{"evict least recently used cache entries", "src/cache/lru.ts"},
	{"make a thumbnail of an image", "src/image/resize.py"},
	{"send an email with attachments", "src/mail/send.py"},
	{"when are log files rotated", "src/log/rotate.go"},
	{"ask the user to confirm before deleting", "src/ui/Dialog.tsx"},
	{"debounce a changing value", "src/ui/useDebounce.ts"},
	{"distance between two points on earth", "src/geo/distance.go"},
	{"graceful shutdown of the server", "src/shutdown/signal.go"},
	{"rate limiting with a token bucket", "src/ratelimit/bucket.go"},
	{"list all files in a directory tree", "src/fs/walk.py"},
	{"sort dependencies and detect cycles", "src/graph/toposort.py"},
	{"verify the signature of a webhook", "src/crypto/sign.go"},
	{"how do I restore a backup", "docs/backup.md"},
	{"run it in a docker container", "docs/deploy.md"},
	{"who may grant roles to users", "docs/permissions.md"},
}

// findSnippets asks the questions, of which leastFirst must find their snippet first, with a mean
// reciprocal rank of leastMRR.
func findSnippets(t *testing.T, e provider.Embedder, leastFirst int, leastMRR float64) {
	t.Helper()
	snippets := readSnippets(t)
	var texts []string
	for _, s := range snippets {
		c := snippetChunk(s.path, s.text)
		c.Title = s.title
		texts = append(texts, Text(c))
	}
	vectors, err := e.Embed(context.Background(), provider.Passage, texts)
	if err != nil {
		t.Fatal(err)
	}
	first, reciprocal := 0, 0.0
	for _, q := range questions {
		query := embedOne(t, e, provider.Query, q.query)
		score, rank, best := -2.0, 1, 0
		for i, s := range snippets {
			if s.path == q.path {
				score = dot(query, vectors[i])
			}
			if dot(query, vectors[i]) > dot(query, vectors[best]) {
				best = i
			}
		}
		if score == -2 {
			t.Fatalf("no snippet %s", q.path)
		}
		for i := range snippets {
			if dot(query, vectors[i]) > score {
				rank++
			}
		}
		if rank == 1 {
			first++
		} else {
			t.Logf("%q: %s has rank %d, after %s", q.query, q.path, rank, snippets[best].path)
		}
		reciprocal += 1 / float64(rank)
	}
	mrr := reciprocal / float64(len(questions))
	t.Logf("first: %d of %d, MRR %.3f", first, len(questions), mrr)
	if first < leastFirst {
		t.Errorf("%d of %d questions find their snippet first, expected at least %d", first, len(questions), leastFirst)
	}
	if mrr < leastMRR {
		t.Errorf("MRR is %.3f, expected at least %.2f", mrr, leastMRR)
	}
}

func checkUnit(tb testing.TB, v []float32) {
	tb.Helper()
	if length := math.Sqrt(dot(v, v)); !(math.Abs(length-1) < 1e-5) {
		tb.Errorf("length %v", length)
	}
}

// awkwardTexts has texts that every embedder must handle, by name.
func awkwardTexts() map[string]string {
	var distinct strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&distinct, "w%dx%d ", i, i*i)
	}
	return map[string]string{
		"empty":       "",
		"blank":       "\n \t\n",
		"punctuation": "{}();",
		"one letter":  "x",
		"not UTF-8":   "\xff\xfe\x80",
		"one word":    strings.Repeat("a", 1<<17),
		"capitals":    strings.Repeat("A", 1<<17),
		"turns":       strings.Repeat("aB", 1<<16),
		"same":        strings.Repeat("word ", 1<<15),
		"distinct":    distinct.String(),
		"marks":       "e" + strings.Repeat("\u0301", 1<<16),
		"ideographs":  strings.Repeat("漢字", 1<<14),
	}
}

func TestBuiltinIsSafeForConcurrentUse(t *testing.T) {
	e := testModel()
	snippets := readSnippets(t)
	var want [][]float32
	for _, s := range snippets {
		want = append(want, embedOne(t, e, provider.Passage, s.text))
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i, s := range snippets {
				vectors, err := e.Embed(context.Background(), provider.Passage, []string{s.text})
				if err != nil || !slices.Equal(vectors[0], want[i]) {
					t.Errorf("%s: another vector, error %v", s.path, err)
				}
			}
		})
	}
	wg.Wait()
}

func TestEmbedCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := testModel().Embed(ctx, provider.Query, []string{"a"}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
