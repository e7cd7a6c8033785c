package embed_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"cortex/lib/embed"
	"cortex/lib/embed/builtin"
	"cortex/lib/embed/model"
	"cortex/lib/embed/provider"
	"cortex/lib/embed/serve"
	"cortex/lib/hint"
	"cortex/lib/record"
)

// A bench is a real embedding server on loopback, behind a proxy that can cause faults.
type bench struct {
	t      *testing.T
	model  provider.Embedder // what the server has
	direct *httptest.Server
	proxy  *httptest.Server

	mu       sync.Mutex
	requests []request
	harm     harm
	// harmProbes says that harm applies to probes too.
	harmProbes bool
	slept      []time.Duration
	now        time.Time
}

// A request is a request that the proxy has seen.
type request struct {
	path, auth string
	texts      []string
	truncate   bool
}

// A harm answers the n-th request, counted from 1 without probes, instead of the server and returns true, or
// false to pass it on. forward asks the server and returns its answer.
type harm func(n int, w http.ResponseWriter, r *http.Request, texts []string, forward func() []byte) bool

// served is the embedder of all servers, which is read once.
var served = sync.OnceValue(func() provider.Embedder { return builtin.New(model.File) })

func newBench(t *testing.T, opts serve.Options) *bench {
	t.Helper()
	for _, name := range []string{embed.KeyVariable, "OPENAI_API_KEY", "OPENAI_BASE_URL", "OLLAMA_HOST", "HTTP_PROXY", "http_proxy"} {
		t.Setenv(name, "")
	}
	b := &bench{t: t, model: served(), now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	opts.Jobs = 4
	opts.Report = func(err error) { t.Error(err) }
	b.direct = httptest.NewServer(serve.Handler(served(), opts))
	t.Cleanup(b.direct.Close)
	b.proxy = httptest.NewServer(http.HandlerFunc(b.serve))
	t.Cleanup(b.proxy.Close)
	return b
}

func (b *bench) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	var q struct {
		Texts, Input []string
		Truncate     bool
	}
	if err := json.Unmarshal(body, &q); err != nil {
		b.t.Errorf("request %s: %v", body, err)
	}
	texts := append(q.Texts, q.Input...)
	forward := func() []byte {
		again, err := http.NewRequestWithContext(r.Context(), r.Method, b.direct.URL+r.URL.Path, bytes.NewReader(body))
		if err != nil {
			b.t.Error(err)
			return nil
		}
		again.Header = r.Header.Clone()
		answer, err := http.DefaultTransport.RoundTrip(again)
		if err != nil {
			return nil
		}
		defer answer.Body.Close()
		data, err := io.ReadAll(answer.Body)
		if err != nil {
			b.t.Error(err)
		}
		if answer.StatusCode != http.StatusOK {
			w.WriteHeader(answer.StatusCode)
		}
		return data
	}
	b.mu.Lock()
	n := len(b.requests)
	harm := b.harm
	probe := len(texts) == 1 && texts[0] == "probe"
	if !probe {
		b.requests = append(b.requests, request{r.URL.Path, r.Header.Get("Authorization"), texts, q.Truncate})
		n++
	}
	b.mu.Unlock()
	if harm != nil && (!probe || b.harmProbes) && harm(n, w, r, texts, forward) {
		return
	}
	w.Write(forward())
}

// seen returns the requests without probes, and forgets them.
func (b *bench) seen() []request {
	b.mu.Lock()
	defer b.mu.Unlock()
	all := b.requests
	b.requests = nil
	return all
}

func (b *bench) clock() embed.TestClock {
	return embed.TestClock{
		Now: func() time.Time {
			b.mu.Lock()
			defer b.mu.Unlock()
			return b.now
		},
		Sleep: func(ctx context.Context, d time.Duration) error {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.now = b.now.Add(d)
			b.slept = append(b.slept, d)
			return ctx.Err()
		},
		Random: func() float64 { return 0.5 },
	}
}

func (b *bench) config(service string) provider.Config {
	cfg := provider.Config{Provider: service, Model: model.Name, Endpoint: b.proxy.URL}
	if service == "openai" {
		cfg.Endpoint += "/v1"
	}
	return cfg
}

func (b *bench) open(cfg provider.Config) provider.Embedder {
	b.t.Helper()
	e, err := embed.OpenService(b.t.Context(), cfg, b.clock())
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { e.Close() })
	return e
}

// want are the vectors of the server's own embedder.
func (b *bench) want(texts ...string) [][]float32 {
	b.t.Helper()
	vectors, err := b.model.Embed(b.t.Context(), provider.Passage, texts)
	if err != nil {
		b.t.Fatal(err)
	}
	return vectors
}

func texts(n int) []string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf("text number %d\nfunc f%d() { return %q }", i, i*7, strings.Repeat("word ", i%5)))
	}
	return all
}

func same(a, b [][]float32) bool {
	return slices.EqualFunc(a, b, func(x, y []float32) bool { return slices.Equal(x, y) })
}

func eachService(t *testing.T, test func(t *testing.T, service string)) {
	for _, service := range []string{"ollama", "openai", "http"} {
		t.Run(service, func(t *testing.T) { test(t, service) })
	}
}

func TestServicesGiveTheServersVectors(t *testing.T) {
	eachService(t, func(t *testing.T, service string) {
		b := newBench(t, serve.Options{})
		all := append(texts(50), "", " ", "ein Wort", "日本語 \U0001F600", "\x00\"\\")
		want := b.want(append(slices.Clone(all[:50]), " ", " ", "ein Wort", "日本語 \U0001F600", "\x00\"\\")...)
		for _, sizes := range [][2]int{{0, 0}, {1, 1}, {7, 3}, {100, 8}} {
			cfg := b.config(service)
			cfg.BatchSize, cfg.Concurrency = sizes[0], sizes[1]
			e := b.open(cfg)
			got, err := e.Embed(t.Context(), provider.Passage, all)
			if err != nil {
				t.Fatal(err)
			}
			if !same(got, want) {
				t.Errorf("batches of %d: other vectors than the server's", sizes[0])
			}
			for _, q := range b.seen() {
				if sizes[0] > 0 && len(q.texts) > sizes[0] {
					t.Errorf("%d texts in a request, at most %d were asked for", len(q.texts), sizes[0])
				}
			}
			wantModel := map[string]string{"ollama": "ollama/" + model.Name + "@256", "openai": "openai/" + model.Name + "@256", "http": model.Name}[service]
			if e.Model() != wantModel || e.Dimensions() != model.Dimensions {
				t.Errorf("model %s with %d dimensions", e.Model(), e.Dimensions())
			}
			u, ok := embed.UsageOf(e)
			if !ok || u.Texts != len(all) || u.Tokens < len(all) || u.Retries != 0 || u.Cut != 0 {
				t.Errorf("usage %+v", u)
			}
		}
		if len(b.slept) > 0 {
			t.Errorf("slept %v without need", b.slept)
		}
	})
}

// A request of OpenAI holds at most 2,048 texts and 300,000 tokens (API reference), whatever the user asks for.
func TestServicesKeepToTheirLimits(t *testing.T) {
	if testing.Short() {
		t.Skip("reads large answers")
	}
	for service, test := range map[string]struct {
		texts    []string
		requests int
	}{
		"openai": {slices.Repeat([]string{"a b c"}, 5000), 3},
		"http":   {slices.Repeat([]string{"a b c"}, 5000), 3},
	} {
		b := newBench(t, serve.Options{})
		cfg := b.config(service)
		cfg.BatchSize = 10_000
		if got, err := b.open(cfg).Embed(t.Context(), provider.Passage, test.texts); err != nil || len(got) != len(test.texts) {
			t.Fatal(err)
		}
		if n := len(b.seen()); n != test.requests {
			t.Errorf("%s: %d requests", service, n)
		}
	}
	b := newBench(t, serve.Options{})
	cfg := b.config("openai")
	cfg.BatchSize = 10_000
	if _, err := b.open(cfg).Embed(t.Context(), provider.Passage, slices.Repeat([]string{strings.Repeat("a b ", 4000)}, 100)); err != nil {
		t.Fatal(err)
	}
	for _, q := range b.seen() {
		if n := embed.EstimateTokens(strings.Join(q.texts, " ")); n > 300_000 {
			t.Errorf("about %d tokens in a request", n)
		}
	}
}

func TestHTTPTellsQuestionsFromPassages(t *testing.T) {
	b := newBench(t, serve.Options{})
	e := b.open(b.config("http"))
	text := "title here\nbody of it"
	want, err := b.model.Embed(t.Context(), provider.Query, []string{text})
	if err != nil {
		t.Fatal(err)
	}
	got, err := e.Embed(t.Context(), provider.Query, []string{text})
	if err != nil || !same(got, want) || same(want, b.want(text)) {
		t.Errorf("not the vector of a question, error %v", err)
	}
}

// Requests that are answered in another order than they were made change nothing.
func TestServicesKeepTheOrder(t *testing.T) {
	eachService(t, func(t *testing.T, service string) {
		b := newBench(t, serve.Options{})
		second := make(chan struct{})
		b.harm = func(n int, w http.ResponseWriter, r *http.Request, _ []string, forward func() []byte) bool {
			if n == 1 {
				<-second // the first to arrive waits until another is answered
			}
			w.Write(forward())
			if n == 2 {
				close(second)
			}
			return true
		}
		cfg := b.config(service)
		cfg.BatchSize, cfg.Concurrency = 5, 2
		got, err := b.open(cfg).Embed(t.Context(), provider.Passage, texts(20))
		if err != nil || !same(got, b.want(texts(20)...)) {
			t.Errorf("another order, error %v", err)
		}
	})
}

func TestServicesAreAskedAgain(t *testing.T) {
	status := func(code int, header, value string) harm {
		return func(n int, w http.ResponseWriter, _ *http.Request, _ []string, _ func() []byte) bool {
			if n > 2 {
				return false
			}
			if header != "" {
				w.Header().Set(header, value)
			}
			w.WriteHeader(code)
			io.WriteString(w, `{"error":"overloaded"}`)
			return true
		}
	}
	first := func(h harm) harm {
		return func(n int, w http.ResponseWriter, r *http.Request, texts []string, forward func() []byte) bool {
			return n <= 2 && h(n, w, r, texts, forward)
		}
	}
	cutAfter := func(share int) harm {
		return first(func(_ int, w http.ResponseWriter, _ *http.Request, _ []string, forward func() []byte) bool {
			data := forward()
			w.Header().Set("Content-Length", strconv.Itoa(len(data)))
			w.Write(data[:len(data)*share/10])
			panic(http.ErrAbortHandler)
		})
	}
	replace := func(change func(data []byte) []byte) harm {
		return first(func(_ int, w http.ResponseWriter, _ *http.Request, _ []string, forward func() []byte) bool {
			w.Write(change(forward()))
			return true
		})
	}
	const quarter, half = 375 * time.Millisecond, 750 * time.Millisecond // with chance in the middle
	for name, test := range map[string]struct {
		harm  harm
		slept []time.Duration
	}{
		"500":              {status(500, "", ""), []time.Duration{quarter, half}},
		"502":              {status(502, "", ""), []time.Duration{quarter, half}},
		"503":              {status(503, "Retry-After", "3"), []time.Duration{3 * time.Second, 3 * time.Second}},
		"429":              {status(429, "", ""), []time.Duration{quarter, half}},
		"429 with seconds": {status(429, "Retry-After", "7"), []time.Duration{7 * time.Second, 7 * time.Second}},
		"429 with a date":  {status(429, "Retry-After", "Thu, 01 Jan 2026 00:00:30 GMT"), []time.Duration{30 * time.Second, half}},
		"429 with rubbish": {status(429, "Retry-After", "soon"), []time.Duration{quarter, half}},
		"cut at once":      {cutAfter(0), []time.Duration{quarter, half}},
		"cut in the midst": {cutAfter(6), []time.Duration{quarter, half}},
		"truncated JSON":   {replace(func(data []byte) []byte { return data[:len(data)/2] }), []time.Duration{quarter, half}},
		"empty":            {replace(func([]byte) []byte { return nil }), []time.Duration{quarter, half}},
		"a page":           {replace(func([]byte) []byte { return []byte("<html>") }), []time.Duration{quarter, half}},
		"too few":          {replace(func([]byte) []byte { return []byte(`{"model":"` + model.Name + `","embeddings":[[1]],"data":[]}`) }), []time.Duration{quarter, half}},
	} {
		t.Run(name, func(t *testing.T) {
			eachService(t, func(t *testing.T, service string) {
				b := newBench(t, serve.Options{})
				e := b.open(b.config(service))
				b.harm = test.harm
				got, err := e.Embed(t.Context(), provider.Passage, texts(10))
				if err != nil || !same(got, b.want(texts(10)...)) {
					t.Fatalf("vectors wrong, error %v", err)
				}
				if !slices.Equal(b.slept, test.slept) {
					t.Errorf("slept %v, want %v", b.slept, test.slept)
				}
				if u, _ := embed.UsageOf(e); u.Retries != 2 || len(b.seen()) != 3 {
					t.Errorf("usage %+v", u)
				}
			})
		})
	}
}

// Any mixture of faults, in any order of requests, ends in the same vectors.
func TestServicesWithManyFaults(t *testing.T) {
	eachService(t, func(t *testing.T, service string) {
		b := newBench(t, serve.Options{})
		cfg := b.config(service)
		cfg.BatchSize, cfg.Concurrency = 3, 8
		e := b.open(cfg)
		var mu sync.Mutex
		asked := map[string]int{}
		b.harm = func(_ int, w http.ResponseWriter, _ *http.Request, texts []string, forward func() []byte) bool {
			mu.Lock()
			asked[texts[0]]++
			n := asked[texts[0]]
			mu.Unlock()
			h := fnv.New32a()
			io.WriteString(h, texts[0])
			if n > int(h.Sum32()%5) { // up to four faults
				return false
			}
			switch (int(h.Sum32()) + n) % 5 {
			case 0:
				w.Header().Set("Retry-After", "2")
				w.WriteHeader(429)
			case 1:
				w.WriteHeader(500)
			case 2:
				w.Write(forward()[:20])
			case 3:
				w.WriteHeader(503)
			default:
				panic(http.ErrAbortHandler)
			}
			return true
		}
		got, err := e.Embed(t.Context(), provider.Passage, texts(200))
		if err != nil || !same(got, b.want(texts(200)...)) {
			t.Errorf("vectors wrong, error %v", err)
		}
		if u, _ := embed.UsageOf(e); u.Retries < 50 || u.Texts != 200 {
			t.Errorf("usage %+v", u)
		}
	})
}

func TestServicesTimeOut(t *testing.T) {
	if testing.Short() {
		t.Skip("waits")
	}
	eachService(t, func(t *testing.T, service string) {
		b := newBench(t, serve.Options{})
		cfg := b.config(service)
		cfg.Timeout = 500 * time.Millisecond
		e := b.open(cfg)
		b.harm = func(n int, _ http.ResponseWriter, r *http.Request, _ []string, _ func() []byte) bool {
			if n == 1 {
				<-r.Context().Done()
			}
			return n == 1
		}
		got, err := e.Embed(t.Context(), provider.Passage, texts(3))
		if err != nil || !same(got, b.want(texts(3)...)) {
			t.Errorf("vectors wrong, error %v", err)
		}
	})
}

// A service that stays down ends in a typed error, and with skip is not asked again.
func TestServicesAreGivenUp(t *testing.T) {
	eachService(t, func(t *testing.T, service string) {
		for _, onError := range []string{provider.OnErrorStop, provider.OnErrorSkip} {
			b := newBench(t, serve.Options{})
			cfg := b.config(service)
			cfg.OnError = onError
			e := b.open(cfg)
			b.harm = func(_ int, w http.ResponseWriter, _ *http.Request, _ []string, _ func() []byte) bool {
				w.WriteHeader(503)
				return true
			}
			_, err := e.Embed(t.Context(), provider.Passage, texts(3))
			if !provider.IsUnreachable(err) || hint.Of(err) == "" || !strings.Contains(err.Error(), service) {
				t.Errorf("got %v, hint %q", err, hint.Of(err))
			}
			if n := len(b.seen()); n != embed.RunAttempts {
				t.Errorf("%d requests", n)
			}
			_, err = e.Embed(t.Context(), provider.Passage, texts(3))
			wantAgain := map[string]int{provider.OnErrorStop: embed.RunAttempts, provider.OnErrorSkip: 0}[onError]
			if n := len(b.seen()); n != wantAgain || !provider.IsUnreachable(err) {
				t.Errorf("%s: %d more requests, error %v", onError, n, err)
			}
			// It may come back: cortex-parse --watch keeps one process for many runs.
			b.harm = nil
			if err := b.clock().Sleep(t.Context(), 2*time.Minute); err != nil {
				t.Fatal(err)
			}
			if got, err := e.Embed(t.Context(), provider.Passage, texts(3)); err != nil || !same(got, b.want(texts(3)...)) {
				t.Errorf("%s: after two minutes: %v", onError, err)
			}
		}
	})
}

func TestServicesThatAskForTooMuchPatience(t *testing.T) {
	b := newBench(t, serve.Options{})
	e := b.open(b.config("openai"))
	b.harm = func(_ int, w http.ResponseWriter, _ *http.Request, _ []string, _ func() []byte) bool {
		w.Header().Set("Retry-After", "3600")
		w.WriteHeader(429)
		return true
	}
	_, err := e.Embed(t.Context(), provider.Passage, texts(1))
	if !provider.IsUnreachable(err) || !strings.Contains(err.Error(), "try again in 1h0m0s") || len(b.seen()) != 1 {
		t.Errorf("got %v", err)
	}
}

// TestQuestionsDoNotWaitForLong: a service that asks for a pause of a minute is not waited for by a question, nor by
// those that follow within the minute, and a service that is slow is asked once.
func TestQuestionsDoNotWaitForLong(t *testing.T) {
	eachService(t, func(t *testing.T, service string) {
		b := newBench(t, serve.Options{})
		cfg := b.config(service)
		cfg.OnError = provider.OnErrorAnswer
		e := b.open(cfg)
		b.harm = func(_ int, w http.ResponseWriter, _ *http.Request, _ []string, _ func() []byte) bool {
			w.Header().Set("Retry-After", "60")
			w.WriteHeader(429)
			return true
		}
		for range 2 {
			_, err := e.Embed(t.Context(), provider.Query, texts(1))
			if !provider.IsUnreachable(err) || !strings.Contains(err.Error(), "try again in 1m0s") {
				t.Errorf("got %v", err)
			}
		}
		if n := len(b.seen()); n != 1 || len(b.slept) > 0 {
			t.Errorf("%d requests, slept %v", n, b.slept)
		}
		b.harm = func(_ int, w http.ResponseWriter, _ *http.Request, _ []string, _ func() []byte) bool {
			b.mu.Lock()
			b.now = b.now.Add(20 * time.Second)
			b.mu.Unlock()
			w.WriteHeader(504)
			return true
		}
		if err := b.clock().Sleep(t.Context(), 2*time.Minute); err != nil {
			t.Fatal(err)
		}
		if _, err := e.Embed(t.Context(), provider.Query, texts(1)); !provider.IsUnreachable(err) {
			t.Errorf("got %v", err)
		}
		if n := len(b.seen()); n != 1 {
			t.Errorf("%d requests to a slow service", n)
		}
	})
}

func TestServicesNobodyListens(t *testing.T) {
	eachService(t, func(t *testing.T, service string) {
		b := newBench(t, serve.Options{})
		b.proxy.Close()
		_, err := embed.OpenService(t.Context(), b.config(service), b.clock())
		if !provider.IsUnreachable(err) || !strings.Contains(err.Error(), b.proxy.URL) || hint.Of(err) == "" {
			t.Errorf("got %v", err)
		}
		if len(b.slept) > 0 {
			t.Errorf("slept %v for a service that is not there", b.slept)
		}
	})
}

// Only the text that the service refuses fails, whatever batch it was in.
func TestServicesThatRefuseOneText(t *testing.T) {
	eachService(t, func(t *testing.T, service string) {
		for _, size := range []int{1, 4, 64} {
			b := newBench(t, serve.Options{})
			all := texts(23)
			all[17] = "poison"
			b.harm = func(_ int, w http.ResponseWriter, _ *http.Request, texts []string, _ func() []byte) bool {
				if !slices.Contains(texts, "poison") {
					return false
				}
				w.WriteHeader(400)
				io.WriteString(w, `{"error":{"message":"this is not to my taste","code":400}}`)
				return true
			}
			cfg := b.config(service)
			cfg.BatchSize = size
			got, err := b.open(cfg).Embed(t.Context(), provider.Passage, all)
			var partial *provider.PartialError
			if !errors.As(err, &partial) || len(partial.Failed) != 1 || !strings.Contains(fmt.Sprint(partial.Failed[17]), "not to my taste") {
				t.Fatalf("got %v", err)
			}
			want := b.want(all...)
			want[17] = nil
			if !same(got, want) {
				t.Error("vectors of other texts are wrong")
			}
		}
	})
}

// A text that breaks the service is found as well, and nothing else is lost.
func TestServicesThatOneTextBreaks(t *testing.T) {
	eachService(t, func(t *testing.T, service string) {
		for _, onError := range []string{provider.OnErrorStop, provider.OnErrorSkip} {
			b := newBench(t, serve.Options{})
			all := texts(40)
			all[17] = "poison"
			b.harm = func(_ int, w http.ResponseWriter, _ *http.Request, texts []string, _ func() []byte) bool {
				if slices.Contains(texts, "poison") {
					w.WriteHeader(500)
					io.WriteString(w, `{"error":"unsupported value: NaN"}`)
				}
				return slices.Contains(texts, "poison")
			}
			cfg := b.config(service)
			cfg.BatchSize, cfg.OnError = 20, onError
			got, err := b.open(cfg).Embed(t.Context(), provider.Passage, all)
			var partial *provider.PartialError
			if !errors.As(err, &partial) || len(partial.Failed) != 1 || !strings.Contains(fmt.Sprint(partial.Failed[17]), "NaN") {
				t.Fatalf("got %v", err)
			}
			want := b.want(all...)
			want[17] = nil
			if !same(got, want) {
				t.Error("vectors of other texts are wrong")
			}
			if n := len(b.seen()); n > embed.RunAttempts+20 {
				t.Errorf("%d requests", n)
			}
		}
	})
}

// A service that fails for every text is given up soon.
func TestServicesThatAreBroken(t *testing.T) {
	b := newBench(t, serve.Options{})
	e := b.open(b.config("openai"))
	b.harm = func(_ int, w http.ResponseWriter, _ *http.Request, _ []string, _ func() []byte) bool {
		w.WriteHeader(500)
		return true
	}
	b.harmProbes = true
	_, err := e.Embed(t.Context(), provider.Passage, texts(40))
	if n := len(b.seen()); !provider.IsUnreachable(err) || n != embed.RunAttempts {
		t.Errorf("%d requests, error %v", n, err)
	}
}

// A service that refuses every request is not asked for each text separately.
func TestServicesThatRefuseEverything(t *testing.T) {
	b := newBench(t, serve.Options{})
	cfg := b.config("openai")
	cfg.Model = "absent@64"
	_, err := b.open(cfg).Embed(t.Context(), provider.Passage, texts(40))
	if err == nil || !strings.Contains(err.Error(), `"absent" not found`) || len(b.seen()) != 1 {
		t.Errorf("got %v", err)
	}
	b.harm = func(_ int, w http.ResponseWriter, _ *http.Request, _ []string, _ func() []byte) bool {
		w.WriteHeader(422)
		io.WriteString(w, `{"detail":"wrong kind of model"}`)
		return true
	}
	cfg = b.config("openai")
	cfg.Model = "absent@64"
	_, err = b.open(cfg).Embed(t.Context(), provider.Passage, texts(40))
	if err == nil || len(b.seen()) != 1 {
		t.Errorf("got %v", err)
	}
}

// Versions of Ollama answer 400, 413 or 500 to what is too long, and some do so although they were asked to cut it.
func TestOllamaThatDoesNotCut(t *testing.T) {
	all := texts(20)
	for _, i := range []int{4, 11, 12} {
		all[i] = strings.Join(numbered(i, i+100), " ")
	}
	for _, code := range []int{400, 413, 500} {
		var before [][]float32
		for _, size := range []int{1, 6, 32} {
			b := newBench(t, serve.Options{})
			b.harm = func(_ int, w http.ResponseWriter, _ *http.Request, texts []string, _ func() []byte) bool {
				for _, text := range texts {
					if len(text) > 300 {
						w.WriteHeader(code)
						io.WriteString(w, `{"error":"the input length exceeds the context length"}`)
						return true
					}
				}
				return false
			}
			cfg := b.config("ollama")
			cfg.BatchSize, cfg.Concurrency = size, 1
			got, err := b.open(cfg).Embed(t.Context(), provider.Passage, all)
			if err != nil || len(b.slept) > 0 {
				t.Fatalf("%d: slept %v, error %v", code, b.slept, err)
			}
			want := b.want(all...)
			for i := range all {
				if long := len(all[i]) > 300; same(got[i:i+1], want[i:i+1]) == long {
					t.Errorf("%d: text %d: cut is %v", code, i, !long)
				}
			}
			if before != nil && !same(before, got) {
				t.Errorf("%d: vectors depend on batches", code)
			}
			before = got
		}
	}
}

// A proxy's limit on the size of requests is not a limit on texts.
func TestServicesBehindASmallDoor(t *testing.T) {
	eachService(t, func(t *testing.T, service string) {
		b := newBench(t, serve.Options{})
		b.harm = func(_ int, w http.ResponseWriter, _ *http.Request, texts []string, _ func() []byte) bool {
			if len(texts) > 3 {
				w.WriteHeader(http.StatusRequestEntityTooLarge)
				io.WriteString(w, "<html>413 Request Entity Too Large")
			}
			return len(texts) > 3
		}
		e := b.open(b.config(service))
		got, err := e.Embed(t.Context(), provider.Passage, texts(40))
		if u, _ := embed.UsageOf(e); err != nil || !same(got, b.want(texts(40)...)) || u.Cut > 0 {
			t.Errorf("%d cut, error %v", u.Cut, err)
		}
	})
}

// Texts that are too long are cut, the same whatever batches they are in, and counted.
func TestServicesCutLongTexts(t *testing.T) {
	all := texts(12)
	for _, i := range []int{2, 3, 9} {
		all[i] = strings.Join(numbered(i, i+200), " and then ")
	}
	eachService(t, func(t *testing.T, service string) {
		for _, most := range []int{0, 60, 1000} { // what the user says: nothing, right, wrong
			var before [][]float32
			for _, size := range []int{1, 5, 64} {
				b := newBench(t, serve.Options{MaxTokens: 60})
				cfg := b.config(service)
				cfg.BatchSize, cfg.MaxTokens = size, most
				e := b.open(cfg)
				got, err := e.Embed(t.Context(), provider.Passage, all)
				if err != nil {
					t.Fatal(err)
				}
				for i, v := range got {
					if long := len(all[i]) > 500; same([][]float32{v}, b.want(all[i])) == long {
						t.Errorf("text %d: cut is %v", i, !long)
					}
				}
				if before != nil && !same(before, got) {
					t.Error("vectors depend on batches")
				}
				before = got
				if u, _ := embed.UsageOf(e); u.Cut != 3 {
					t.Errorf("%d texts were cut", u.Cut)
				}
			}
		}
	})
}

func TestServicesWithWrongVectors(t *testing.T) {
	for name, test := range map[string]struct{ answer, want string }{
		"dimensions": {`{"model":"` + model.Name + `","embeddings":[[1,2]],"data":[{"index":0,"embedding":[1,2]}]}`, "returns 2 dimensions, not 256"},
		"too large":  {`{"model":"` + model.Name + `","embeddings":[[1e39]],"data":[{"index":0,"embedding":[1e39]}]}`, "1e39"},
		"empty":      {`{"model":"` + model.Name + `","embeddings":[[]],"data":[{"index":0,"embedding":[]}]}`, "vector 0 is empty"},
		"two":        {`{"model":"` + model.Name + `","embeddings":[[1],[1]],"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[1]}]}`, "more than 1 vectors for 1 texts"},
	} {
		t.Run(name, func(t *testing.T) {
			eachService(t, func(t *testing.T, service string) {
				b := newBench(t, serve.Options{})
				e := b.open(b.config(service))
				b.harm = func(_ int, w http.ResponseWriter, _ *http.Request, _ []string, _ func() []byte) bool {
					io.WriteString(w, test.answer)
					return true
				}
				vectors, err := e.Embed(t.Context(), provider.Passage, texts(1))
				if err == nil || !strings.Contains(err.Error(), test.want) || provider.IsUnreachable(err) {
					t.Errorf("got %v, %v", vectors, err)
				}
			})
		})
	}
}

// A text whose vector has no direction gets no vector; the other texts of the request get theirs. A service that
// returns such vectors for any text is broken.
func TestServicesWithVectorsWithoutDirection(t *testing.T) {
	last := make(record.Embedding, model.Dimensions)
	for name, x := range map[string]float32{"zero": 0, "below normal": 1e-42, "not a number": float32(math.NaN()), "infinite": float32(math.Inf(1))} {
		last[63] = x
		bad := last.Base64()
		// The last vector of an answer, and with it each of those to one text, has no direction.
		spoil := func(_ int, w http.ResponseWriter, _ *http.Request, texts []string, forward func() []byte) bool {
			answer := string(forward())
			good := regexp.MustCompile(`"[A-Za-z0-9+/]{300,}=="|\[[-0-9.,e]{100,}\]`).FindAllStringIndex(answer, -1)
			if len(good) == 0 {
				t.Errorf("no vectors in %.200s", answer)
				return false
			}
			at := good[len(good)-1]
			io.WriteString(w, answer[:at[0]]+`"`+bad+`"`+answer[at[1]:])
			return true
		}
		t.Run(name, func(t *testing.T) {
			eachService(t, func(t *testing.T, service string) {
				b := newBench(t, serve.Options{})
				e := b.open(b.config(service))
				b.harm = spoil
				for n := range 3 {
					vectors, err := e.Embed(t.Context(), provider.Passage, texts(n+1))
					var partial *provider.PartialError
					if !errors.As(err, &partial) || len(partial.Failed) != 1 || !errors.Is(partial.Failed[n], provider.ErrNoDirection) || len(vectors) != n+1 || vectors[n] != nil {
						t.Fatalf("%d texts: %v, %v", n+1, vectors, err)
					}
					if want := b.want(texts(n + 1)...); n > 0 && !same(vectors[:n], want[:n]) {
						t.Error("the other vectors are wrong")
					}
				}
				b.harmProbes = true
				if _, err := e.Embed(t.Context(), provider.Passage, texts(3)); err == nil || !strings.Contains(err.Error(), "read answer of the embedding provider") || errors.Is(err, provider.ErrNoDirection) {
					t.Errorf("a broken service: %v", err)
				}
				if _, err := embed.Open(t.Context(), b.config(service)); err == nil || provider.IsUnreachable(err) {
					t.Errorf("a broken service is opened: %v", err)
				}
			})
		})
	}
}

// The vectors of an answer are ordered by their indexes; invalid indexes are refused.
func TestOpenAIIndexes(t *testing.T) {
	b := newBench(t, serve.Options{})
	e := b.open(b.config("openai"))
	rewrite := func(change func(items []map[string]any)) harm {
		return func(_ int, w http.ResponseWriter, _ *http.Request, _ []string, forward func() []byte) bool {
			var answer map[string]any
			if err := json.Unmarshal(forward(), &answer); err != nil {
				t.Error(err)
			}
			var items []map[string]any
			for _, item := range answer["data"].([]any) {
				items = append(items, item.(map[string]any))
			}
			change(items)
			answer["data"] = items
			if err := json.NewEncoder(w).Encode(answer); err != nil {
				t.Error(err)
			}
			return true
		}
	}
	b.harm = rewrite(func(items []map[string]any) { slices.Reverse(items) })
	got, err := e.Embed(t.Context(), provider.Passage, texts(9))
	if err != nil || !same(got, b.want(texts(9)...)) {
		t.Errorf("reversed: wrong vectors, error %v", err)
	}
	for _, index := range []any{0, 9, -1} {
		b.harm = rewrite(func(items []map[string]any) { items[3]["index"] = index })
		if _, err := e.Embed(t.Context(), provider.Passage, texts(9)); err == nil || !strings.Contains(err.Error(), "has the index") {
			t.Errorf("index %v: got %v", index, err)
		}
	}
	b.harm = rewrite(func(items []map[string]any) {
		for _, item := range items {
			delete(item, "index")
		}
	})
	if got, err := e.Embed(t.Context(), provider.Passage, texts(9)); err != nil || !same(got, b.want(texts(9)...)) {
		t.Errorf("without indexes: wrong vectors, error %v", err)
	}
}

// A service without base64 is asked for numbers from then on.
func TestOpenAIWithoutBase64(t *testing.T) {
	b := newBench(t, serve.Options{})
	cfg := b.config("openai")
	cfg.Model = model.Name + "@256"
	e := b.open(cfg)
	refused := 0
	b.harm = func(_ int, w http.ResponseWriter, _ *http.Request, _ []string, forward func() []byte) bool {
		data := forward()
		if bytes.Contains(data, []byte("[0.")) || bytes.Contains(data, []byte("[-0.")) || bytes.Contains(data, []byte("[0,")) {
			w.Write(data)
			return true
		}
		refused++
		w.WriteHeader(422)
		io.WriteString(w, `{"detail":"encoding_format: input should be 'float'"}`)
		return true
	}
	for range 2 {
		got, err := e.Embed(t.Context(), provider.Passage, texts(20))
		if err != nil || !same(got, b.want(texts(20)...)) || refused != 1 {
			t.Errorf("%d refusals, error %v", refused, err)
		}
	}
}

func TestServicesWithEndlessAnswers(t *testing.T) {
	eachService(t, func(t *testing.T, service string) {
		b := newBench(t, serve.Options{})
		e := b.open(b.config(service))
		b.harm = func(_ int, w http.ResponseWriter, _ *http.Request, _ []string, _ func() []byte) bool {
			block := bytes.Repeat([]byte("[["), 1<<15)
			for {
				if _, err := w.Write(block); err != nil {
					return true
				}
			}
		}
		_, err := e.Embed(t.Context(), provider.Passage, texts(1))
		if want := fmt.Sprintf("longer than %d bytes", embed.MaxReplyBase+embed.MaxReplyPerText); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v", err)
		}
	})
}

// An answer with too many vectors, or with many in few bytes, takes no more memory than its size justifies.
func TestServicesWithManyVectors(t *testing.T) {
	if testing.Short() {
		t.Skip("reads large answers")
	}
	long := embed.MaxReplyBase + embed.MaxReplyPerText - 100
	list := func(item string) string { return strings.Repeat(item+",", long/(len(item)+1)-1) + item }
	answer := func(begin, items string, squeeze bool) []byte {
		if !squeeze {
			return []byte(begin + items + `]}`)
		}
		var squeezed bytes.Buffer
		z, _ := gzip.NewWriterLevel(&squeezed, gzip.BestSpeed) // there is such a level
		for _, part := range []string{begin, items, `]}`} {
			io.WriteString(z, part)
		}
		z.Close()
		return squeezed.Bytes()
	}
	for name, test := range map[string]struct {
		embeddings, data string
		squeeze          bool
		want             string
	}{
		"vectors":    {list("[]"), list("{}"), false, "more than 1"},
		"nulls":      {list("null"), list("null"), false, "more than 1"},
		"squeezed":   {list("[]"), list("{}"), true, "more than 1"},
		"endless":    {strings.Repeat("[],", 40*long/3), strings.Repeat("{},", 40*long/3), true, "longer than"},
		"dimensions": {"[" + list("1") + "]", `{"embedding":[` + list("1") + `]}`, false, "dimensions"},
	} {
		t.Run(name, func(t *testing.T) {
			embeddings, data := answer(`{"model":"`+model.Name+`","embeddings":[`, test.embeddings, test.squeeze), answer(`{"data":[`, test.data, test.squeeze)
			eachService(t, func(t *testing.T, service string) {
				b := newBench(t, serve.Options{})
				e := b.open(b.config(service))
				answer := embeddings
				if service == "openai" {
					answer = data
				}
				b.harm = func(n int, w http.ResponseWriter, _ *http.Request, _ []string, _ func() []byte) bool {
					if test.squeeze {
						w.Header().Set("Content-Encoding", "gzip")
					}
					w.Write(answer)
					return true
				}
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				_, err := e.Embed(t.Context(), provider.Passage, texts(1))
				runtime.ReadMemStats(&after)
				if err == nil || !strings.Contains(err.Error(), test.want) || len(err.Error()) > 1000 {
					t.Errorf("got %.1000v, want %s", err, test.want)
				}
				// Reading doubles what it reads into, again and again, and six answers are read.
				if used := after.TotalAlloc - before.TotalAlloc; used > 6*20*uint64(long) {
					t.Errorf("%d MB", used>>20)
				}
			})
		})
	}
}

// Every record of an index has the model's name, and the numbers of tokens are summed, so both are checked.
func TestServicesThatLie(t *testing.T) {
	for _, name := range []string{`a\u001b[2Jb`, `a b`, `a\nb`, `\u202egnp`, `a\ufeffb`} {
		b := newBench(t, serve.Options{})
		b.harmProbes = true
		b.harm = func(_ int, w http.ResponseWriter, _ *http.Request, _ []string, _ func() []byte) bool {
			io.WriteString(w, `{"model":"`+name+`","embeddings":[[1,2]]}`)
			return true
		}
		if _, err := embed.OpenService(t.Context(), b.config("http"), b.clock()); err == nil || !strings.Contains(err.Error(), "no name of a model") {
			t.Errorf("%s: %v", name, err)
		}
	}
	b := newBench(t, serve.Options{})
	b.harm = func(_ int, w http.ResponseWriter, _ *http.Request, _ []string, forward func() []byte) bool {
		w.Write(bytes.Replace(forward(), []byte(`"model"`), []byte(`"tokens":9223372036854775807,"model"`), 1))
		return true
	}
	e := b.open(b.config("http"))
	for range 3 {
		if _, err := e.Embed(t.Context(), provider.Passage, texts(1)); err != nil {
			t.Fatal(err)
		}
	}
	if u, _ := embed.UsageOf(e); u.Tokens < 0 || u.Tokens > 100_000 {
		t.Errorf("%d tokens", u.Tokens)
	}
}

func TestServicesChangeTheirModel(t *testing.T) {
	b := newBench(t, serve.Options{})
	e := b.open(b.config("http"))
	b.harm = func(_ int, w http.ResponseWriter, _ *http.Request, _ []string, forward func() []byte) bool {
		w.Write(bytes.Replace(forward(), []byte(model.Name), []byte("other"), 1))
		return true
	}
	if _, err := e.Embed(t.Context(), provider.Passage, texts(1)); err == nil || !strings.Contains(err.Error(), `answers with the model "other", before it was "`+model.Name+`"`) {
		t.Errorf("got %v", err)
	}
}

func TestServicesEndWithTheContext(t *testing.T) {
	eachService(t, func(t *testing.T, service string) {
		b := newBench(t, serve.Options{})
		e := b.open(b.config(service))
		ctx, cancel := context.WithCancel(t.Context())
		b.harm = func(_ int, w http.ResponseWriter, r *http.Request, _ []string, _ func() []byte) bool {
			cancel()
			<-r.Context().Done()
			return true
		}
		if _, err := e.Embed(ctx, provider.Passage, texts(1)); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		b.harm = nil
		if got, err := e.Embed(t.Context(), provider.Passage, texts(1)); err != nil || !same(got, b.want(texts(1)...)) {
			t.Errorf("later: %v", err)
		}
	})
}

func TestServicesAreAskedForDimensions(t *testing.T) {
	for service, model := range map[string]string{"ollama": "ollama/" + model.Name + "@=16", "openai": "openai/" + model.Name + "@=16"} {
		b := newBench(t, serve.Options{})
		cfg := b.config(service)
		cfg.Dimensions = 16
		e := b.open(cfg)
		got, err := e.Embed(t.Context(), provider.Passage, texts(2))
		if err != nil || len(got[0]) != 16 || e.Model() != model {
			t.Errorf("%s with %d dimensions, error %v", e.Model(), len(got[0]), err)
		}
		length := float32(0)
		for _, x := range got[1] {
			length += x * x
		}
		if length < 0.999 || length > 1.001 {
			t.Errorf("length %v", length)
		}
		// The store's name brings them back.
		cfg.Dimensions, cfg.Model = 0, ""
		again, err := embed.OpenModel(t.Context(), model, cfg)
		if err != nil {
			t.Fatal(err)
		}
		query, err := again.Embed(t.Context(), provider.Query, texts(2))
		if err != nil || !same(query, got) || again.Model() != model {
			t.Errorf("%s: other vectors, error %v", again.Model(), err)
		}
		cfg.Model, cfg.Dimensions = builtin.Model, 257
		e = b.open(cfg)
		if _, err := e.Embed(t.Context(), provider.Passage, texts(2)); err == nil || !strings.Contains(err.Error(), "expected 1 to 256, not 257") {
			t.Errorf("got %v", err)
		}
	}
}

const secret = "sk-this-is-a-secret-key-0123456789"

// No error holds the key, whatever the service answers.
func TestKeysAreNeverTold(t *testing.T) {
	for name, answer := range map[string]func(w http.ResponseWriter){
		"401": func(w http.ResponseWriter) {
			w.WriteHeader(401)
			fmt.Fprintf(w, `{"error":{"message":"Incorrect API key: %s"}}`, secret)
		},
		"403":                func(w http.ResponseWriter) { w.WriteHeader(403); fmt.Fprint(w, secret) },
		"400":                func(w http.ResponseWriter) { w.WriteHeader(400); fmt.Fprintf(w, `{"error":"Bearer %s"}`, secret) },
		"500":                func(w http.ResponseWriter) { w.WriteHeader(500); fmt.Fprint(w, secret) },
		"redirect":           func(w http.ResponseWriter) { w.Header().Set("Location", "/?key="+secret); w.WriteHeader(307) },
		"redirect to a path": func(w http.ResponseWriter) { w.Header().Set("Location", "/for%20"+secret); w.WriteHeader(307) },
		"garbled":            func(w http.ResponseWriter) { fmt.Fprintf(w, `{"model":"%s","embeddings":1,"data":1}`, secret) },
	} {
		t.Run(name, func(t *testing.T) {
			eachService(t, func(t *testing.T, service string) {
				b := newBench(t, serve.Options{})
				t.Setenv(embed.KeyVariable, secret)
				e := b.open(b.config(service))
				b.harm = func(_ int, w http.ResponseWriter, r *http.Request, _ []string, _ func() []byte) bool {
					if r.Header.Get("Authorization") != "Bearer "+secret {
						t.Error("no key in the request")
					}
					answer(w)
					return true
				}
				_, err := e.Embed(t.Context(), provider.Passage, texts(2))
				if err == nil || strings.Contains(err.Error()+hint.Of(err)+fmt.Sprintf("%+v %#v", err, e.Card()), secret) {
					t.Errorf("got %v, hint %q", err, hint.Of(err))
				}
			})
		})
	}
}

func TestEndpointsWithCredentialsAreRefused(t *testing.T) {
	newBench(t, serve.Options{})
	for _, endpoint := range []string{"http://user:" + secret + "@127.0.0.1/", "http://127.0.0.1/?key=" + secret, "127.0.0.1:80/" + secret, "ftp://" + secret, "http://[" + secret} {
		for _, service := range []string{"ollama", "openai", "http", "builtin"} {
			_, err := embed.Open(t.Context(), provider.Config{Provider: service, Model: "some", Endpoint: endpoint})
			if err == nil || strings.Contains(err.Error()+hint.Of(err), secret) {
				t.Errorf("%s: got %v, hint %q", service, err, hint.Of(err))
			}
		}
	}
}

// A redirect is not followed: neither texts nor key go where the user did not send them.
func TestRedirectsAreNotFollowed(t *testing.T) {
	eachService(t, func(t *testing.T, service string) {
		for _, code := range []int{301, 302, 307, 308} {
			b := newBench(t, serve.Options{})
			t.Setenv(embed.KeyVariable, secret)
			elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("followed") }))
			e := b.open(b.config(service))
			b.harm = func(_ int, w http.ResponseWriter, r *http.Request, _ []string, _ func() []byte) bool {
				http.Redirect(w, r, elsewhere.URL+"/embed", code)
				return true
			}
			_, err := e.Embed(t.Context(), provider.Passage, texts(2))
			if err == nil || !strings.Contains(err.Error(), "redirects to "+elsewhere.URL) || !strings.Contains(hint.Of(err), "embedding.endpoint") {
				t.Errorf("got %v", err)
			}
			elsewhere.Close()
		}
	})
}

// OpenAI's own key goes to OpenAI, or where OPENAI_BASE_URL says, and nowhere else.
func TestOpenAIKey(t *testing.T) {
	for _, test := range []struct {
		name string
		set  func(t *testing.T, b *bench, cfg *provider.Config)
		want string
	}{
		{"none", func(*testing.T, *bench, *provider.Config) {}, ""},
		{"its own for another endpoint", func(t *testing.T, b *bench, cfg *provider.Config) { t.Setenv("OPENAI_API_KEY", secret) }, ""},
		{"its own for its base", func(t *testing.T, b *bench, cfg *provider.Config) {
			t.Setenv("OPENAI_API_KEY", secret)
			t.Setenv("OPENAI_BASE_URL", cfg.Endpoint)
			cfg.Endpoint = ""
		}, "Bearer " + secret},
		{"ours", func(t *testing.T, b *bench, cfg *provider.Config) {
			t.Setenv("OPENAI_API_KEY", "other")
			t.Setenv(embed.KeyVariable, secret)
		}, "Bearer " + secret},
	} {
		b := newBench(t, serve.Options{})
		cfg := b.config("openai")
		test.set(t, b, &cfg)
		if _, err := b.open(cfg).Embed(t.Context(), provider.Passage, texts(1)); err != nil {
			t.Fatal(err)
		}
		if got := b.seen()[0].auth; got != test.want {
			t.Errorf("%s: got %q", test.name, got)
		}
	}
}

func TestOllamaHost(t *testing.T) {
	b := newBench(t, serve.Options{})
	address := strings.TrimPrefix(b.proxy.URL, "http://")
	_, port, _ := strings.Cut(address, ":")
	for _, host := range []string{address, b.proxy.URL, ":" + port, "0.0.0.0:" + port} {
		t.Setenv("OLLAMA_HOST", host)
		e := b.open(provider.Config{Provider: "ollama", Model: model.Name})
		if _, err := e.Embed(t.Context(), provider.Passage, texts(1)); err != nil {
			t.Errorf("%s: %v", host, err)
		}
	}
}

// A store is not enough to open a connection: the user must have chosen the provider.
func TestOpenModelAsksOnlyWhomTheUserChose(t *testing.T) {
	b := newBench(t, serve.Options{})
	b.harm = func(int, http.ResponseWriter, *http.Request, []string, func() []byte) bool {
		t.Error("asked")
		return false
	}
	t.Setenv("OPENAI_BASE_URL", b.proxy.URL)
	t.Setenv("OLLAMA_HOST", b.proxy.URL)
	for _, model := range []string{"ollama/" + model.Name + "@256", "openai/" + model.Name + "@256"} {
		for _, cfg := range []provider.Config{{}, {Endpoint: b.proxy.URL}, {Provider: "builtin"}} {
			_, err := embed.OpenModel(t.Context(), model, cfg)
			if err == nil || !strings.Contains(err.Error(), "is asked only where you choose it") || !strings.Contains(hint.Of(err), "--provider o") {
				t.Errorf("%s: got %v", model, err)
			}
		}
	}
	// The other service's store is not for this one.
	if _, err := embed.OpenModel(t.Context(), "ollama/"+model.Name+"@256", b.config("openai")); err == nil {
		t.Error("opened")
	}
}

func TestOpenModelOfServices(t *testing.T) {
	eachService(t, func(t *testing.T, service string) {
		b := newBench(t, serve.Options{})
		cfg := b.config(service)
		e := b.open(cfg)
		cfg.Model = "whatever the user has now"
		again, err := embed.OpenModel(t.Context(), e.Model(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		defer again.Close()
		if again.Model() != e.Model() || again.Dimensions() != model.Dimensions {
			t.Errorf("%s with %d dimensions", again.Model(), again.Dimensions())
		}
		got, err := again.Embed(t.Context(), provider.Query, []string{"a question"})
		want, _ := e.Embed(t.Context(), provider.Query, []string{"a question"})
		if err != nil || !same(got, want) {
			t.Errorf("other vectors, error %v", err)
		}
	})
	b := newBench(t, serve.Options{})
	// A server stands in for what can't be opened here.
	b.harm = func(_ int, w http.ResponseWriter, _ *http.Request, _ []string, forward func() []byte) bool {
		w.Write(bytes.Replace(forward(), []byte(`"`+model.Name+`"`), []byte(`"ollama/x@256+0123abcd"`), 1))
		return true
	}
	b.harmProbes = true
	e, err := embed.OpenModel(t.Context(), "ollama/x@256+0123abcd", b.config("http"))
	if err != nil || e.Model() != "ollama/x@256+0123abcd" {
		t.Errorf("got %v, %v", e, err)
	}
	b.harm = nil
	if _, err := embed.OpenModel(t.Context(), "other+x@9", b.config("http")); err == nil || !strings.Contains(err.Error(), `provider http has "`+model.Name+`"`) {
		t.Errorf("got %v", err)
	}
}

func TestPrefixes(t *testing.T) {
	b := newBench(t, serve.Options{})
	text := func(s string) *string { return &s }
	cfg := b.config("http")
	cfg.QueryPrefix, cfg.PassagePrefix = text("ask: "), text("tell: ")
	e := b.open(cfg)
	passages, err := e.Embed(t.Context(), provider.Passage, []string{"a", "b"})
	if err != nil || !same(passages, b.want("tell: a", "tell: b")) {
		t.Errorf("passages without their prefix, error %v", err)
	}
	model := e.Model()
	if !strings.HasPrefix(model, served().Model()+"+") || e.Card().PassagePrefix != "tell: " {
		t.Errorf("model %s", model)
	}
	// The same model is opened for questions with whatever prefix of passages.
	again, err := embed.OpenModel(t.Context(), model, provider.Config{QueryPrefix: text("ask: ")})
	if err != nil || again.Model() != model {
		t.Fatal(err, again)
	}
	got, err := again.Embed(t.Context(), provider.Query, []string{"a"})
	want, _ := b.model.Embed(t.Context(), provider.Query, []string{"ask: a"})
	if err != nil || !same(got, want) {
		t.Errorf("a question without its prefix, error %v", err)
	}
	for model, want := range map[string][2]string{
		"nomic-embed-text": {"search_query: ", "search_document: "}, "intfloat/e5-small-v2": {"query: ", "passage: "}, "all-minilm": {"", ""},
	} {
		e := b.open(provider.Config{Provider: "ollama", Model: model + "@256", Endpoint: b.proxy.URL})
		if card := e.Card(); card.QueryPrefix != want[0] || card.PassagePrefix != want[1] {
			t.Errorf("%s: %q and %q", model, card.QueryPrefix, card.PassagePrefix)
		}
	}
	cfg = provider.Config{Provider: "ollama", Model: "nomic-embed-text@256", Endpoint: b.proxy.URL, QueryPrefix: text(""), PassagePrefix: text("")}
	if e := b.open(cfg); e.Model() != "ollama/nomic-embed-text@256" {
		t.Errorf("model %s", e.Model())
	}
}
