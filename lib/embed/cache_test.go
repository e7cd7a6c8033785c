package embed_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"cortex/lib/derived"
	"cortex/lib/embed"
	"cortex/lib/embed/model"
	"cortex/lib/embed/provider"
	"cortex/lib/embed/serve"
	"cortex/lib/hint"
	"cortex/lib/record"
	"cortex/lib/record/jsonl"
)

// A site is a user's cache folder and a bench, whose provider http fills the cache.
type site struct {
	*bench
	warnings []string
}

func newSite(t *testing.T) *site {
	t.Helper()
	t.Setenv(derived.Variable, t.TempDir())
	return &site{bench: newBench(t, serve.Options{})}
}

func (s *site) warn(format string, args ...any) {
	s.warnings = append(s.warnings, fmt.Sprintf(format, args...))
}

func (s *site) openCached(cfg provider.Config) provider.Embedder {
	s.t.Helper()
	e, err := embed.OpenCached(s.t.Context(), cfg, s.warn)
	if err != nil {
		s.t.Fatal(err)
	}
	return e
}

// cacheFile is the one file of the cache.
func (s *site) cacheFile() string {
	s.t.Helper()
	home, err := derived.Home()
	if err != nil {
		s.t.Fatal(err)
	}
	return filepath.Join(home, "embeddings.db")
}

func stream(t testing.TB, n int) string {
	t.Helper()
	var out []byte
	add := func(r record.Record) {
		var err error
		if out, err = jsonl.Append(out, r); err != nil {
			t.Fatal(err)
		}
	}
	add(&record.Begin{Schema: record.Schema, Mode: record.Full, Files: n, Settings: map[string]string{}})
	for i := range n {
		path := fmt.Sprintf("f%03d.go", i)
		add(&record.File{FilePath: path, Status: record.StatusOK})
		add(&record.Chunk{ID: "code-impl-" + path + "#f", ChunkType: record.Implementations, Title: "f", Text: fmt.Sprintf("func f() { return %d }", i),
			Tags: []string{"go"}, Metadata: record.Metadata{Source: "code", FilePath: path, SymbolName: "f"}})
	}
	add(&record.End{Files: n})
	return string(out)
}

// run is a run of cortex-embed over the stream.
func (s *site) run(ctx context.Context, cfg provider.Config, in string, jobs int) (out string, err error) {
	s.t.Helper()
	e, err := embed.OpenCached(ctx, cfg, s.warn)
	if err != nil {
		return "", err
	}
	var buf bytes.Buffer
	err = embed.Run(ctx, jsonl.NewReader(strings.NewReader(in), "in"), jsonl.NewWriter(&buf), e, embed.Options{
		BatchSize: cfg.BatchSize, Jobs: jobs, Skip: cfg.OnError == provider.OnErrorSkip, Report: func(err error) { s.t.Error(err) }, Warn: s.warn})
	if err := e.Close(); err != nil {
		s.t.Error(err)
	}
	return buf.String(), err
}

func textsOf(requests []request) (n int) {
	for _, q := range requests {
		n += len(q.texts)
	}
	return n
}

func TestCacheMakesASecondRunFree(t *testing.T) {
	eachService(t, func(t *testing.T, service string) {
		s := newSite(t)
		cfg := s.config(service)
		cfg.BatchSize = 8
		first, err := s.run(t.Context(), cfg, stream(t, 100), 4)
		if err != nil || textsOf(s.seen()) != 100 {
			t.Fatal(err)
		}
		for _, test := range []struct{ size, concurrency int }{{8, 1}, {30, 4}} {
			cfg.BatchSize, cfg.Concurrency = test.size, test.concurrency
			second, err := s.run(t.Context(), cfg, stream(t, 100), 2)
			if err != nil || second != first {
				t.Errorf("another output, error %v", err)
			}
			if n := textsOf(s.seen()); n > 0 {
				t.Errorf("%d texts were asked for again", n)
			}
		}
		more, err := s.run(t.Context(), cfg, stream(t, 103), 2)
		if n := textsOf(s.seen()); err != nil || n != 3 || !strings.Contains(more, first[strings.Index(first, "\n")+1:strings.LastIndex(first, `{"type":"end"`)]) {
			t.Errorf("%d texts were asked for, error %v", n, err)
		}
		// Another model is another key.
		if service != "http" {
			cfg.Dimensions = 16
			if _, err := s.run(t.Context(), cfg, stream(t, 100), 2); err != nil || textsOf(s.seen()) != 100 {
				t.Errorf("vectors of another model were used, error %v", err)
			}
		}
		if len(s.warnings) > 0 {
			t.Errorf("warnings %q", s.warnings)
		}
	})
}

func TestCacheEmbedsEqualTextsOnce(t *testing.T) {
	s := newSite(t)
	e := s.openCached(s.config("http"))
	defer e.Close()
	got, err := e.Embed(t.Context(), provider.Passage, []string{"a", "b", "a", "a"})
	if err != nil || !same(got, s.want("a", "b", "a", "a")) || textsOf(s.seen()) != 2 {
		t.Errorf("wrong vectors, error %v", err)
	}
	// Questions are not kept.
	for range 2 {
		if _, err := e.Embed(t.Context(), provider.Query, []string{"a"}); err != nil || textsOf(s.seen()) != 1 {
			t.Errorf("a question was cached, error %v", err)
		}
	}
}

// downAfter lets some requests pass.
func downAfter(passed int) harm {
	return func(n int, w http.ResponseWriter, _ *http.Request, _ []string, _ func() []byte) bool {
		if n > passed {
			w.WriteHeader(400)
			io.WriteString(w, `{"error":"no more credit"}`)
		}
		return n > passed
	}
}

// Vectors that were computed before an error are kept, and the next run continues.
func TestRunGoesOnAfterAnError(t *testing.T) {
	s := newSite(t)
	cfg := s.config("openai")
	cfg.BatchSize, cfg.Concurrency = 10, 1
	s.harm = downAfter(4)
	_, err := s.run(t.Context(), cfg, stream(t, 100), 1)
	if err == nil || !strings.Contains(err.Error(), "embed chunk code-impl-f040.go#f: ") || !strings.Contains(hint.Of(err), "--on-error=skip") {
		t.Errorf("got %v, hint %q", err, hint.Of(err))
	}
	s.seen()
	s.harm = nil
	out, err := s.run(t.Context(), cfg, stream(t, 100), 1)
	if n := textsOf(s.seen()); err != nil || n != 60 {
		t.Errorf("%d texts were asked for, error %v", n, err)
	}
	cfg.Endpoint = s.direct.URL + "/v1"
	if all, err := s.run(t.Context(), cfg, stream(t, 100), 1); err != nil || all != out {
		t.Errorf("another output than of one run, error %v", err)
	}
}

// After Ctrl-C the computed vectors are kept.
func TestRunKeepsWhatIsDoneWhenInterrupted(t *testing.T) {
	s := newSite(t)
	cfg := s.config("ollama")
	cfg.BatchSize, cfg.Concurrency = 10, 1
	ctx, cancel := context.WithCancel(t.Context())
	s.harm = func(n int, _ http.ResponseWriter, r *http.Request, _ []string, _ func() []byte) bool {
		if n > 3 {
			cancel()
			<-r.Context().Done()
		}
		return n > 3
	}
	if _, err := s.run(ctx, cfg, stream(t, 100), 1); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	s.seen()
	s.harm = nil
	if _, err := s.run(t.Context(), cfg, stream(t, 100), 1); err != nil || textsOf(s.seen()) != 70 {
		t.Errorf("error %v", err)
	}
}

// With skip, chunks pass without embedding, and a later run embeds just these.
func TestRunSkipsAndFillsIn(t *testing.T) {
	s := newSite(t)
	cfg := s.config("http")
	cfg.BatchSize, cfg.Concurrency, cfg.OnError = 10, 1, provider.OnErrorSkip
	s.harm = func(n int, w http.ResponseWriter, _ *http.Request, texts []string, _ func() []byte) bool {
		poisoned := strings.Contains(strings.Join(texts, "\n"), "return 7 }")
		if n > 8 || poisoned {
			w.WriteHeader(400)
		}
		return n > 8 || poisoned
	}
	out, err := s.run(t.Context(), cfg, stream(t, 100), 1)
	if err != nil {
		t.Fatal(err)
	}
	without := 0
	r := jsonl.NewReader(strings.NewReader(out), "out")
	for {
		rec, err := r.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if c, ok := rec.(*record.Chunk); ok && c.Embedding == nil {
			without++
			if c.EmbeddingModel != "" {
				t.Errorf("%s has a model without embedding", c.ID)
			}
		}
	}
	if without == 0 || without == 100 {
		t.Fatalf("%d chunks without embedding", without)
	}
	if len(s.warnings) != 1 || !strings.HasPrefix(s.warnings[0], fmt.Sprintf("%d chunks without embedding, found by text only", without)) || !strings.Contains(s.warnings[0], "400 Bad Request") {
		t.Errorf("warnings %q", s.warnings)
	}
	s.seen()
	s.harm = nil
	want, err := s.run(t.Context(), cfg, stream(t, 100), 1)
	if n := textsOf(s.seen()); err != nil || n != without {
		t.Errorf("%d texts were asked for, error %v", n, err)
	}
	// The same from the records, without the cache.
	t.Setenv(derived.Variable, t.TempDir())
	filled, err := s.run(t.Context(), cfg, out, 1)
	if n := textsOf(s.seen()); err != nil || n != without || filled != want {
		t.Errorf("%d texts were asked for, error %v", n, err)
	}
}

// A service that is down from the start.
func TestRunWithoutTheService(t *testing.T) {
	eachService(t, func(t *testing.T, service string) {
		s := newSite(t)
		cfg := s.config(service)
		whole, err := s.run(t.Context(), cfg, stream(t, 20), 1)
		if err != nil {
			t.Fatal(err)
		}
		s.proxy.Close()
		// Cached vectors need no service.
		again, err := s.run(t.Context(), cfg, stream(t, 20), 1)
		if err != nil || again != whole {
			t.Errorf("error %v", err)
		}
		// Other vectors need the service.
		_, err = s.run(t.Context(), cfg, stream(t, 21), 1)
		if !provider.IsUnreachable(err) || !strings.Contains(hint.Of(err), "the next run goes on") {
			t.Errorf("got %v, hint %q", err, hint.Of(err))
		}
		cfg.OnError = provider.OnErrorSkip
		more, err := s.run(t.Context(), cfg, stream(t, 21), 1)
		if err != nil || strings.Count(more, `"embedding"`) != 20 || len(s.warnings) != 1 || !strings.HasPrefix(s.warnings[0], "1 chunk without embedding") {
			t.Errorf("%d embeddings, error %v, warnings %q", strings.Count(more, `"embedding"`), err, s.warnings)
		}
		// Without a cache either nothing is done or, with skip, nothing is embedded.
		t.Setenv(derived.Variable, t.TempDir())
		none, err := s.run(t.Context(), cfg, stream(t, 5), 1)
		if err != nil || strings.Contains(none, `"embedding"`) || strings.Count(none, "\n") != 12 {
			t.Errorf("error %v, output %s", err, none)
		}
		cfg.OnError = ""
		if _, err := s.run(t.Context(), cfg, stream(t, 5), 1); !provider.IsUnreachable(err) {
			t.Errorf("got %v", err)
		}
	})
}

func TestCacheIsBounded(t *testing.T) {
	s := newSite(t)
	e := s.openCached(s.config("http"))
	const each = 20 + 4*model.Dimensions + 4
	embed.BoundCache(e, 200*each)
	ask := func(from, to int) int {
		t.Helper()
		for i := from; i < to; i += 10 {
			if got, err := e.Embed(t.Context(), provider.Passage, numbered(i, i+10)); err != nil || !same(got, s.want(numbered(i, i+10)...)) {
				t.Fatal("wrong vectors, error ", err)
			}
		}
		return textsOf(s.seen())
	}
	ask(0, 1000)
	if n := ask(950, 1000); n != 0 {
		t.Errorf("%d of the last texts are gone", n)
	}
	if n := ask(0, 100); n != 100 {
		t.Errorf("%d of the first texts are there", 100-n)
	}
	// Vectors in use stay in the cache.
	for i := range 50 {
		ask(2000, 2010)
		ask(3000+10*i, 3010+10*i)
	}
	if n := ask(2000, 2010); n != 0 {
		t.Errorf("%d texts in use are gone", n)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(s.cacheFile())
	if err != nil || info.Size() > 1<<20 {
		t.Errorf("%d bytes for %d, error %v", info.Size(), 200*each, err)
	}
}

func numbered(from, to int) []string {
	var all []string
	for i := from; i < to; i++ {
		all = append(all, fmt.Sprint("text ", i))
	}
	return all
}

// Several runs at once in one repository neither wait for each other for long nor fail.
func TestCacheOfSeveralRunsAtOnce(t *testing.T) {
	s := newSite(t)
	cfg := s.config("http")
	cfg.BatchSize = 5
	want, err := s.run(t.Context(), cfg, stream(t, 60), 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(derived.Variable, t.TempDir())
	var group sync.WaitGroup
	for range 4 {
		other := &site{bench: s.bench}
		group.Go(func() {
			got, err := other.run(t.Context(), cfg, stream(t, 60), 2)
			if err != nil || got != want || len(other.warnings) > 0 {
				t.Errorf("error %v, warnings %q", err, other.warnings)
			}
		})
	}
	group.Wait()
	s.seen()
	if got, err := s.run(t.Context(), cfg, stream(t, 60), 1); err != nil || got != want || textsOf(s.seen()) == 60 {
		t.Errorf("nothing was kept, error %v", err)
	}
}

// Another process may hold the file for as long as it likes.
func TestCacheHeldByAnother(t *testing.T) {
	if testing.Short() {
		t.Skip("waits")
	}
	s := newSite(t)
	cfg := s.config("http")
	want, err := s.run(t.Context(), cfg, stream(t, 10), 1)
	if err != nil {
		t.Fatal(err)
	}
	s.seen()
	release, err := embed.HoldFile(s.cacheFile())
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	got, err := s.run(t.Context(), cfg, stream(t, 10), 1)
	if err != nil || got != want || textsOf(s.seen()) != 10 || len(s.warnings) > 0 {
		t.Errorf("error %v, warnings %q", err, s.warnings)
	}
}

func TestCacheThatIsDamaged(t *testing.T) {
	if testing.Short() {
		t.Skip("one of many")
	}
	s := newSite(t)
	cfg := s.config("http")
	cfg.BatchSize = 10
	want, err := s.run(t.Context(), cfg, stream(t, 200), 1)
	if err != nil {
		t.Fatal(err)
	}
	path := s.cacheFile()
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, damage := range map[string]func([]byte) []byte{
		"empty":     func([]byte) []byte { return nil },
		"text":      func([]byte) []byte { return bytes.Repeat([]byte("no database\n"), 1000) },
		"truncated": func(b []byte) []byte { return b[:len(b)/3] },
		"a page":    func(b []byte) []byte { return b[:4096] },
		"zeros":     func(b []byte) []byte { return append(b[:8192:8192], make([]byte, len(b)-8192)...) },
		"noise": func(b []byte) []byte {
			for i := 8192; i < len(b); i += 3 {
				b[i] ^= byte(i*7 + i>>8)
			}
			return b
		},
		"bits of vectors": func(b []byte) []byte {
			for i := 20000; i < len(b); i += 997 {
				b[i] ^= 1
			}
			return b
		},
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(path, damage(bytes.Clone(good)), 0o600); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				got, err := s.run(t.Context(), cfg, stream(t, 200), 1)
				if err != nil || got != want {
					t.Errorf("error %v", err)
				}
			}
			if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
				t.Error(err)
			}
		})
	}
}

// One user's cache has no effect on another user.
func TestCacheIsTheUsers(t *testing.T) {
	s := newSite(t)
	cfg := s.config("http")
	if _, err := s.run(t.Context(), cfg, stream(t, 10), 1); err != nil || textsOf(s.seen()) != 10 {
		t.Fatal(err)
	}
	t.Setenv(derived.Variable, t.TempDir()) // another user
	if _, err := s.run(t.Context(), cfg, stream(t, 10), 1); err != nil || textsOf(s.seen()) != 10 {
		t.Errorf("a stranger's cache was used, error %v", err)
	}
}

func TestCacheWithoutAPlace(t *testing.T) {
	for name, prepare := range map[string]func(t *testing.T){
		"no home": func(t *testing.T) {
			for _, name := range []string{derived.Variable, "XDG_CACHE_HOME", "HOME"} {
				t.Setenv(name, "")
			}
		},
		"file": func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "file")
			writeFile(t, file, "")
			t.Setenv(derived.Variable, file)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			prepare(t)
			out, err := s.run(t.Context(), s.config("http"), stream(t, 3), 1)
			if err != nil || strings.Count(out, `"embedding"`) != 3 || len(s.warnings) != 1 || !strings.HasPrefix(s.warnings[0], "no embedding cache: ") {
				t.Errorf("error %v, warnings %q", err, s.warnings)
			}
		})
	}
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
