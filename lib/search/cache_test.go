package search

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"cortex/lib/embed"
	"cortex/lib/embed/provider"
	"cortex/lib/record"
	"cortex/lib/search/answer"
	"cortex/lib/search/render/brief"
)

// A countingEmbedder is the built-in embedder; it counts the questions that it embeds.
type countingEmbedder struct {
	embed.Embedder
	asked atomic.Int64
}

func (e *countingEmbedder) Embed(ctx context.Context, mode embed.Mode, texts []string) ([][]float32, error) {
	e.asked.Add(1)
	return e.Embedder.Embed(ctx, mode, texts)
}

// countingIndex uses the built-in model, for which meaning is more than shared letters.
func countingIndex(t *testing.T, chunks []*record.Chunk) (*Index, *countingEmbedder) {
	t.Helper()
	e, err := embed.Open(t.Context(), embed.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	counting := &countingEmbedder{Embedder: e}
	x, err := newInMemory(snapshot(t, chunks, e), counting, Settings{})
	if err != nil {
		t.Fatal(err)
	}
	return x, counting
}

// shares reports whether both answers are the same cached one: the same texts in memory.
func shares(a, b *answer.Response) bool {
	return len(a.Results) > 0 && len(b.Results) > 0 && &a.Results[0].Highlights[0] == &b.Results[0].Highlights[0]
}

func ask(t *testing.T, x *Index, req answer.Request) *answer.Response {
	t.Helper()
	r, err := x.Search(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	checkResponse(t, r)
	return r
}

func TestCacheKnowsTheSameRequest(t *testing.T) {
	x, embedder := countingIndex(t, storeOf())
	base := answer.Request{Queries: []string{"how are errors of a login handled"}}
	first := ask(t, x, base)
	second := ask(t, x, base)
	if !shares(first, second) || embedder.asked.Load() != 1 {
		t.Errorf("asked again: %d embeddings", embedder.asked.Load())
	}
	// A caller may change its hits; the next caller must not see the change.
	second.Results[0] = answer.Hit{}
	brief.Fit(second, 1, 0, brief.Arguments, func(*answer.Hit) int { return 1000 })
	if third := ask(t, x, base); !shares(first, third) || len(third.Results) != len(first.Results) || third.Truncated {
		t.Errorf("a caller has changed the cache: %+v", third)
	}
	for name, other := range map[string]answer.Request{
		"limit":   {Queries: base.Queries, Limit: 3},
		"offset":  {Queries: base.Queries, Offset: 1},
		"mode":    {Queries: base.Queries, Mode: answer.Semantic},
		"filter":  {Queries: base.Queries, Filter: answer.Filter{Path: "lib"}},
		"explain": {Queries: base.Queries, Explain: true},
		"context": {Queries: base.Queries, Context: answer.Around{Before: 2}},
		"topics":  {Queries: []string{base.Queries[0], "vectors"}},
		"like":    {Like: "lib/lock.go:10"},
	} {
		want, err := x.search(t.Context(), other)
		if err != nil {
			t.Fatal(err)
		}
		if got := ask(t, x, other); shares(first, got) || !slices.Equal(ids(want), ids(got)) {
			t.Errorf("another %s: got %q, want %q", name, ids(got), ids(want))
		}
	}
}

func TestCacheKnowsTheSameSubject(t *testing.T) {
	x, _ := countingIndex(t, storeOf())
	first := ask(t, x, answer.Request{Queries: []string{"how are errors of a login handled"}})
	for question, same := range map[string]bool{
		"how are the errors of a login handled":     true,
		"errors of a login, how are they handled":   true,
		"how are errors of a login created":         false,
		"how are errors of a LoginHandler handled":  false,
		"how are errors of a Login handled":         false,
		"how are errors of a login not handled":     false,
		"how are errors of a login handled twice":   false,
		"how are 2 errors of a login handled":       false,
		"how are errors handled":                    false,
		"how are errors of a login handled, v1.2.3": false,
	} {
		r := ask(t, x, answer.Request{Queries: []string{question}})
		if shares(first, r) != same {
			t.Errorf("%s: the same answer %v, want %v", question, !same, same)
		}
		if r.Query != question {
			t.Errorf("%s: the answer is to %q", question, r.Query)
		}
	}
	// The same under another filter is another request.
	r := ask(t, x, answer.Request{Queries: []string{"how are the errors of a login handled"}, Filter: answer.Filter{Languages: []string{"markdown"}}})
	if shares(first, r) {
		t.Error("the filter was not heeded")
	}
	// Identifiers are searched for by words alone, and each has an answer of its own.
	a, b := ask(t, x, answer.Request{Queries: []string{"NewProvider"}}), ask(t, x, answer.Request{Queries: []string{"newProvider"}})
	if shares(a, b) {
		t.Error("two names are one question")
	}
}

func TestCacheOfOneGeneration(t *testing.T) {
	req := answer.Request{Queries: []string{"how are errors of a login handled"}}
	x, _ := countingIndex(t, storeOf())
	before := ask(t, x, req)
	y, _ := countingIndex(t, append(storeOf(), chunk("new.go", "handleLoginErrors", "func handleLoginErrors() { errors of a login are handled here }")))
	after := ask(t, y, req)
	if slices.Equal(ids(before), ids(after)) {
		t.Errorf("the new generation gives the old answer: %q", ids(after))
	}
}

func TestCacheIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("makes many indexes")
	}
	x, _ := countingIndex(t, storeOf())
	for i := range maxCached + 10 {
		ask(t, x, answer.Request{Queries: []string{fmt.Sprintf("errors of login %d", i)}})
	}
	c := x.cache
	if n := c.recent.Len(); n != maxCached || len(c.byRequest) != n || len(c.bySubject) != n || len(c.vectors.vectors) != maxVectors || len(c.vectors.order) != maxVectors {
		t.Errorf("%d answers, %d requests, %d subjects, %d embeddings", n, len(c.byRequest), len(c.bySubject), len(c.vectors.vectors))
	}
	// Large answers are bounded by their size, the largest are not kept at all.
	var bounded cache
	for i := range 100 {
		bounded.put(fmt.Sprint(i), "", nil, &answer.Response{Results: []answer.Hit{{Chunk: answer.Chunk{Text: strings.Repeat("x", 1<<20)}}}})
		if bounded.bytes > DefaultAnswers {
			t.Fatalf("%d bytes after %d answers", bounded.bytes, i+1)
		}
	}
	if n := bounded.recent.Len(); n < 10 || n > 16 || bounded.exact("99") == nil || bounded.exact("0") != nil {
		t.Errorf("%d answers of 1 MiB", n)
	}
	bounded.put("huge", "", nil, &answer.Response{Results: []answer.Hit{{Chunk: answer.Chunk{Text: strings.Repeat("x", DefaultAnswers)}}}})
	if bounded.exact("huge") != nil || bounded.recent.Len() < 10 {
		t.Error("one answer takes all")
	}
	small := cache{most: 4 << 20}
	for i := range 10 {
		small.put(fmt.Sprint(i), "", nil, &answer.Response{Results: []answer.Hit{{Chunk: answer.Chunk{Text: strings.Repeat("x", 1<<19)}}}})
	}
	if n := small.recent.Len(); n < 5 || n > 8 || small.bytes > small.most {
		t.Errorf("%d answers of 512 KiB in %d bytes", n, small.bytes)
	}
	// What is asked again stays.
	var recent cache
	for i := range 2 * maxCached {
		recent.put(fmt.Sprint(i), "", nil, &answer.Response{})
		recent.exact("0")
	}
	if recent.exact("0") == nil || recent.exact("1") != nil {
		t.Error("not the answers that were asked for last are kept")
	}
}

// The lines of a hit are computed from its chunks, which the kept answer therefore holds.
func TestCacheCountsWhatLinesKeep(t *testing.T) {
	const lines = 60
	x := newIndex(t, []*record.Chunk{part("outer", 1, lines/2), part("outer~2", lines/2+1, lines)})
	// A list of many symbols, of which the hit shows one.
	many := tiers()[0]
	many.ID, many.ChunkType, many.Text = "code-data-b.go", record.Data, "// Lines 1-1000\n"
	many.Metadata.FilePath, many.Metadata.Symbols = "b.go", nil
	for n := range 1000 {
		name := fmt.Sprintf("Colour%d", n)
		many.Text += "const " + name + " = 1\n"
		many.Metadata.Symbols = append(many.Metadata.Symbols, record.SymbolRef{Name: name, Type: record.Constant, Line: n + 1})
	}
	y := newIndex(t, []*record.Chunk{many})
	for _, c := range []struct {
		x        *Index
		question string
		least    func(h *answer.Hit) int
	}{
		{x, "line 3 of outer", func(h *answer.Hit) int { return 2*len(h.Chunk.Text) + 16*lines }},
		{y, "Colour17 of all", func(h *answer.Hit) int { return len(h.Chunk.Text) + 16*1000 + 40*1000 }},
	} {
		r, err := c.x.search(t.Context(), answer.Request{Queries: []string{c.question}, Lines: true})
		if err != nil || len(r.Results) != 1 || c.x == x && len(r.Results[0].Parts) != 2 {
			t.Fatalf("%s: %v, %+v", c.question, err, r)
		}
		if got, least := sizeOf(r), c.least(&r.Results[0]); got < least || got > 2*least+4096 {
			t.Errorf("%s: counted %d bytes, want %d or a little more", c.question, got, least)
		}
		without := *r
		without.Results = slices.Clone(r.Results)
		without.Results[0].Parts = nil
		if c.x == x && sizeOf(&without) >= sizeOf(r) {
			t.Error("parts are not counted")
		}
	}
}

func TestCacheAtOnce(t *testing.T) {
	x, _ := countingIndex(t, storeOf())
	want := map[string][]string{}
	questions := []string{"how are errors of a login handled", "How do we handle the errors of logins", "vector of numbers", "the lock of a mutex"}
	for _, q := range questions {
		r, err := x.search(t.Context(), answer.Request{Queries: []string{q}})
		if err != nil {
			t.Fatal(err)
		}
		want[q] = ids(r)
	}
	var group sync.WaitGroup
	for i := range 64 {
		group.Go(func() {
			q := questions[i%len(questions)]
			r, err := x.Search(t.Context(), answer.Request{Queries: []string{q}})
			if err != nil {
				t.Error(err)
				return
			}
			if q == questions[2] && !slices.Equal(ids(r), want[q]) {
				t.Errorf("%s: got %q, want %q", q, ids(r), want[q])
			}
			brief.Fit(r, 10, 0, brief.Arguments, func(*answer.Hit) int { return 100 })
		})
	}
	group.Wait()
}

// BenchmarkCache repeats a question that is in the cache.
func BenchmarkCache(b *testing.B) {
	x := newIndex(b, storeOf())
	req := answer.Request{Queries: []string{"how are errors of a login handled"}}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := x.Search(b.Context(), req); err != nil {
			b.Fatal(err)
		}
	}
}

// TestServiceThatFails asks services that give no embedding for a question, each in its own way.
func TestServiceThatFails(t *testing.T) {
	for name, answer := range map[string]func(http.ResponseWriter){
		"page":        func(w http.ResponseWriter) { io.WriteString(w, "<!DOCTYPE html>") },
		"no vectors":  func(w http.ResponseWriter) { io.WriteString(w, `{"embeddings": []}`) },
		"other model": func(w http.ResponseWriter) { io.WriteString(w, `{"embeddings": [[1, 0]]}`) },
		"redirect":    func(w http.ResponseWriter) { w.Header().Set("Location", "/login"); w.WriteHeader(http.StatusFound) },
		"no key":      func(w http.ResponseWriter) { w.WriteHeader(http.StatusUnauthorized) },
		"too long":    func(w http.ResponseWriter) { w.WriteHeader(http.StatusRequestEntityTooLarge) },
	} {
		t.Run(name, func(t *testing.T) {
			service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { answer(w) }))
			defer service.Close()
			testQuestionByWords(t, service.URL)
		})
	}
}

// TestServiceThatIsAway uses an embedder that opens although its service is unreachable.
func TestServiceThatIsAway(t *testing.T) {
	x := testQuestionByWords(t, "http://127.0.0.1:1")
	r, err := x.Search(t.Context(), answer.Request{Queries: []string{"how do we handle a login"}, Mode: answer.Keyword})
	if err != nil || r.Metadata.Warning != "" {
		t.Errorf("keyword: %v, warning %q", err, r.Metadata.Warning)
	}
	for _, mode := range []answer.Mode{answer.Semantic, answer.Hybrid} {
		if _, err := x.Search(t.Context(), answer.Request{Queries: []string{"how do we handle a login"}, Mode: mode}); !provider.IsUnreachable(err) {
			t.Errorf("%s: %v", mode, err)
		}
	}
}

// testQuestionByWords asks an index whose questions the service at endpoint does not embed, and returns the index.
func testQuestionByWords(t *testing.T, endpoint string) *Index {
	e, err := embed.OpenModel(t.Context(), "ollama/hash-64@64", embed.Config{Provider: "ollama", Endpoint: endpoint})
	if err != nil {
		t.Fatal(err)
	}
	chunks := storeOf()
	for _, c := range chunks {
		c.Embedding = make(record.Embedding, 64)
		c.Embedding[len(c.Text)%64] = 1
		c.EmbeddingModel = e.Model()
	}
	x, err := newInMemory(&contents{model: e.Model(), chunks: chunks}, e, Settings{})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		r, err := x.Search(t.Context(), answer.Request{Queries: []string{"how do we handle a login"}})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Results) == 0 || r.Metadata.Source != "keyword" || !strings.Contains(r.Metadata.Warning, "by words only: ") || !strings.Contains(r.Metadata.Warning, endpoint) {
			t.Errorf("%d hits by %s, warning %q", len(r.Results), r.Metadata.Source, r.Metadata.Warning)
		}
	}
	return x
}
