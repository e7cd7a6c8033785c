package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"cortex/lib/embed"
	"cortex/lib/embed/builtin"
	"cortex/lib/hint"
	"cortex/lib/record"
)

// builtIn is the built-in model, which is read once.
var builtIn = sync.OnceValue(func() embed.Embedder {
	e, err := builtin.Open(context.Background(), embed.Config{})
	if err != nil {
		panic(err)
	}
	return e
})

func start(t *testing.T, e embed.Embedder, opts Options) string {
	t.Helper()
	server := httptest.NewServer(Handler(e, opts))
	t.Cleanup(server.Close)
	return server.URL
}

// ask makes a request and returns the status and the body.
func ask(t *testing.T, method, url, body string, change func(*http.Request)) (status int, answer string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
	}
	if change != nil {
		change(r)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(data)
}

func vectorsOf(t *testing.T, e embed.Embedder, mode embed.Mode, texts ...string) []record.Embedding {
	t.Helper()
	vectors, err := e.Embed(t.Context(), mode, texts)
	if err != nil {
		t.Fatal(err)
	}
	var all []record.Embedding
	for _, v := range vectors {
		all = append(all, v)
	}
	return all
}

func TestProtocols(t *testing.T) {
	e := builtIn()
	url := start(t, e, Options{Jobs: 2})
	title := "title\nbody"
	passages, query := vectorsOf(t, e, embed.Passage, title, "b"), vectorsOf(t, e, embed.Query, title)
	if slices.Equal(passages[0], query[0]) {
		t.Fatal("a question and a passage are alike")
	}
	for _, test := range []struct {
		path, body string
		want       []record.Embedding
		base64     bool
	}{
		{"/embed", `{"texts":["title\nbody","b"]}`, passages, false},
		{"/embed", `{"texts":["title\nbody","b"],"mode":"passage","model":"` + builtin.Model + `","dimensions":256,"encoding":"base64"}`, passages, true},
		{"/embed", `{"texts":["title\nbody"],"mode":"query","encoding":"float"}`, query, false},
		{"/v1/embeddings", `{"input":["title\nbody","b"],"model":"` + builtin.Model + `"}`, passages, false},
		{"/v1/embeddings", `{"input":"title\nbody","model":"` + builtin.Model + `","encoding_format":"base64","user":"me"}`, passages[:1], true},
		{"/v1/embeddings", `{"input":"title\nbody","input_type":"query"}`, query, false},
		{"/api/embed", `{"input":["title\nbody","b"],"model":"` + builtin.Model + `:latest","keep_alive":"5m","options":{}}`, passages, false},
		{"/api/embed", `{"input":"title\nbody"}`, passages[:1], false},
	} {
		status, body := ask(t, "POST", url+test.path, test.body, nil)
		var answer struct {
			Model, Object string
			Dimensions    int
			Tokens        int
			Embeddings    []record.Embedding
			Data          []struct {
				Object    string
				Index     int
				Embedding record.Embedding
			}
			Usage struct {
				PromptTokens int `json:"prompt_tokens"`
				TotalTokens  int `json:"total_tokens"`
			}
			PromptEvalCount int `json:"prompt_eval_count"`
		}
		if err := json.Unmarshal([]byte(body), &answer); err != nil || status != 200 || answer.Model != builtin.Model {
			t.Errorf("%s %s: %d %s, error %v", test.path, test.body, status, body, err)
			continue
		}
		got := answer.Embeddings
		for i, item := range answer.Data {
			if item.Index != i || item.Object != "embedding" || answer.Object != "list" {
				t.Errorf("%s: item %+v", test.path, item)
			}
			got = append(got, item.Embedding)
		}
		if !slices.EqualFunc(got, test.want, func(a, b record.Embedding) bool { return slices.Equal(a, b) }) {
			t.Errorf("%s %s: other vectors", test.path, test.body)
		}
		if tokens := answer.Tokens + answer.Usage.PromptTokens + answer.PromptEvalCount; tokens == 0 || answer.Usage.PromptTokens != answer.Usage.TotalTokens {
			t.Errorf("%s: %s", test.path, body)
		}
		if strings.Contains(body, test.want[0].Base64()) != test.base64 {
			t.Errorf("%s %s: another encoding", test.path, test.body)
		}
	}
}

func TestBadRequests(t *testing.T) {
	url := start(t, builtIn(), Options{Jobs: 1, MaxTokens: 50})
	long := strings.Repeat("word ", 100)
	many := strings.TrimSuffix(strings.Repeat(`"a",`, maxTexts+1), ",")
	for _, test := range []struct {
		method, path, body string
		status             int
		want               string
	}{
		{"POST", "/embed", ``, 400, "it breaks off"},
		{"POST", "/embed", `{"texts":["a"`, 400, "it breaks off"},
		{"POST", "/embed", `{"texts":["a"]} x`, 400, "read request"},
		{"POST", "/embed", `{"texts":"a"}`, 400, "expected a list of texts"},
		{"POST", "/embed", `{"text":["a"]}`, 400, `unknown field \"text\"`},
		{"POST", "/embed", `{}`, 400, "no texts"},
		{"POST", "/embed", `{"texts":["a"],"mode":"question"}`, 400, `mode \"question\": expected query or passage`},
		{"POST", "/embed", `{"texts":["a"],"encoding":"hex"}`, 400, `encoding \"hex\": expected float or base64`},
		{"POST", "/embed", `{"texts":["a"],"model":"bert"}`, 404, `model \"bert\" not found, this server has \"` + builtin.Model + `\"`},
		{"POST", "/embed", `{"texts":["a"],"dimensions":16}`, 400, "has 256"},
		{"POST", "/embed", `{"texts":["ok","` + long + `"]}`, 400, "text 1 is too long"},
		{"POST", "/embed", `{"texts":[` + many + `]}`, 400, "more than 2048 texts"},
		{"POST", "/embed", `{"texts":["` + strings.Repeat("a", maxBody) + `"]}`, 413, "larger than"},
		{"POST", "/v1/embeddings", `{"input":[1,2]}`, 400, "tokens are not taken"},
		{"POST", "/v1/embeddings", `{"input":"a","encoding_format":"int8"}`, 400, "expected float or base64"},
		{"POST", "/v1/embeddings", `{"input":"a","dimensions":257}`, 400, "expected 1 to 256, not 257"},
		{"POST", "/v1/embeddings", `{"input":"a","model":"text-embedding-3-small"}`, 404, "not found"},
		{"POST", "/v1/embeddings", `{"input":[]}`, 400, "no texts"},
		{"POST", "/api/embed", `{"input":"` + long + `","truncate":false}`, 400, "too long"},
		{"POST", "/api/embed", `{"input":"a","dimensions":-1}`, 400, "expected 1 to 256"},
		{"GET", "/embed", "", 404, "POST /embed"},
		{"POST", "/", "{}", 404, "POST /embed"},
	} {
		status, body := ask(t, test.method, url+test.path, test.body, nil)
		if status != test.status || !strings.Contains(body, test.want) {
			t.Errorf("%s %s %.60s: %d %s", test.method, test.path, test.body, status, body)
		}
		form := `{"error":"`
		if strings.HasPrefix(test.path, "/v1") {
			form = `{"error":{"message":"`
		}
		if !strings.HasPrefix(body, form) {
			t.Errorf("%s: the error %s has another form", test.path, body)
		}
	}
	if status, _ := ask(t, "POST", url+"/api/embed", `{"input":"`+long+`"}`, nil); status != 200 {
		t.Errorf("a long text was not cut: %d", status)
	}
}

// A page in a browser can reach loopback, but gets no answer from the server.
func TestWebPagesAreRefused(t *testing.T) {
	e := builtIn()
	url, open := start(t, e, Options{}), start(t, e, Options{Remote: true})
	const body = `{"texts":["a"]}`
	for name, test := range map[string]struct {
		change       func(*http.Request)
		status, open int
	}{
		"none":        {nil, 200, 200},
		"origin":      {func(r *http.Request) { r.Header.Set("Origin", "http://evil.example") }, 403, 403},
		"host":        {func(r *http.Request) { r.Host = "evil.example:8121" }, 403, 200},
		"localhost":   {func(r *http.Request) { r.Host = "localhost" }, 200, 200},
		"six":         {func(r *http.Request) { r.Host = "[::1]:8121" }, 200, 200},
		"simple form": {func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }, 415, 415},
	} {
		if status, answer := ask(t, "POST", url+"/embed", body, test.change); status != test.status {
			t.Errorf("%s: %d %s", name, status, answer)
		}
		if status, answer := ask(t, "POST", open+"/embed", body, test.change); status != test.open {
			t.Errorf("%s, from other machines too: %d %s", name, status, answer)
		}
	}
}

// A page need not send an Origin with a GET, as for an image, but browsers mark the request as coming from a page.
func TestCrossSiteRequestsAreRefused(t *testing.T) {
	e := builtIn()
	url, open := start(t, e, Options{}), start(t, e, Options{Remote: true})
	for site, want := range map[string]int{"cross-site": 403, "same-site": 403, "Cross-Site": 403, "same-origin": 200, "none": 200} {
		from := func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", site) }
		for _, path := range []string{"/health", "/metrics", "/v1/models"} {
			for _, server := range []string{url, open} {
				if status, answer := ask(t, "GET", server+path, "", from); status != want {
					t.Errorf("%s of %s: %d %s", path, site, status, answer)
				}
			}
		}
		if status, answer := ask(t, "POST", url+"/embed", `{"texts":["a"]}`, from); status != want {
			t.Errorf("/embed of %s: %d %s", site, status, answer)
		}
	}
}

func TestHealthModelsAndMetrics(t *testing.T) {
	url := start(t, builtIn(), Options{})
	if status, body := ask(t, "GET", url+"/health", "", nil); status != 200 || body != `{"status":"ok","model":"`+builtin.Model+`","dimensions":256}`+"\n" {
		t.Errorf("%d %s", status, body)
	}
	if status, body := ask(t, "GET", url+"/v1/models", "", nil); status != 200 || !strings.Contains(body, `"id":"`+builtin.Model+`"`) {
		t.Errorf("%d %s", status, body)
	}
	for range 3 {
		ask(t, "POST", url+"/embed", `{"texts":["one","two words"]}`, nil)
	}
	ask(t, "POST", url+"/v1/embeddings", `{"input":[]}`, nil)
	ask(t, "POST", url+"/nothing\"here", `{}`, nil)
	_, body := ask(t, "GET", url+"/metrics", "", nil)
	for _, want := range []string{
		`cortex_embed_model_info{model="` + builtin.Model + `",dimensions="256"} 1`,
		`cortex_embed_requests_total{path="/embed",code="200"} 3`,
		`cortex_embed_requests_total{path="/v1/embeddings",code="400"} 1`,
		`cortex_embed_requests_total{path="other",code="404"} 1`,
		`cortex_embed_requests_in_flight 0`,
		`cortex_embed_texts_total 6`,
		`cortex_embed_request_seconds_bucket{le="+Inf"} 7`,
		`cortex_embed_request_seconds_count 7`,
	} {
		if !strings.Contains(body, want+"\n") {
			t.Errorf("no %s in\n%s", want, body)
		}
	}
	line := regexp.MustCompile(`^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{[a-z_]+="([^"\\]|\\.)*"(,[a-z_]+="([^"\\]|\\.)*")*\})? [0-9.e+-]+)$`)
	for text := range strings.Lines(body) {
		if !line.MatchString(strings.TrimSuffix(text, "\n")) {
			t.Errorf("not in the format: %q", text)
		}
	}
}

// A slow embedder holds its texts until it is told.
type slow struct {
	embed.Embedder
	begun   chan struct{}
	release chan struct{}
	most    atomic.Int32
	now     atomic.Int32
}

func (s *slow) Embed(ctx context.Context, mode embed.Mode, texts []string) ([][]float32, error) {
	s.most.Store(max(s.most.Load(), s.now.Add(1)))
	defer s.now.Add(-1)
	s.begun <- struct{}{}
	select {
	case <-s.release:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return s.Embedder.Embed(ctx, mode, texts)
}

func newSlow(t *testing.T) *slow {
	return &slow{Embedder: builtIn(), begun: make(chan struct{}, 100), release: make(chan struct{})}
}

// A body that is being read counts toward the memory bound like one that waits.
func TestTooManyBodies(t *testing.T) {
	s := start(t, builtIn(), Options{Jobs: 1})
	for range queued + 1 {
		body, feed := io.Pipe()
		defer feed.Close()
		go func() {
			r, err := http.Post(s+"/embed", "application/json", body)
			if err == nil {
				r.Body.Close()
			}
		}()
		io.WriteString(feed, `{"texts":["a`)
	}
	for want := fmt.Sprintf("cortex_embed_requests_in_flight %d\n", queued+1); ; {
		if _, text := ask(t, "GET", s+"/metrics", "", nil); strings.Contains(text, want) {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if status, answer := ask(t, "POST", s+"/embed", `{"texts":["a"]}`, nil); status != 503 {
		t.Errorf("%d %s", status, answer)
	}
	if status, answer := ask(t, "GET", s+"/health", "", nil); status != 200 {
		t.Errorf("health: %d %s", status, answer)
	}
}

// TestBodiesOfMuch sends requests that would take much more memory than their size, and many at once.
func TestBodiesOfMuch(t *testing.T) {
	if testing.Short() {
		t.Skip("sends large bodies")
	}
	s := start(t, builtIn(), Options{Jobs: 1})
	const size = maxBody / 4
	for path, key := range map[string]string{"/embed": "texts", "/v1/embeddings": "input", "/api/embed": "input"} {
		texts := []string{`"",`, `null,`, `7,`, `[],`}
		if path != "/embed" {
			texts = []string{`"",`, `7,`}
		}
		for _, text := range texts {
			body := `{"` + key + `":[` + strings.Repeat(text, size/len(text)) + `""]}`
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			status, answer := ask(t, "POST", s+path, body, nil)
			runtime.ReadMemStats(&after)
			if status != 400 || len(answer) > 500 {
				t.Errorf("%s %s: %d %.500s", path, text, status, answer)
			}
			// The decoder doubles what it reads into, again and again.
			if used := after.TotalAlloc - before.TotalAlloc; used > 10*size {
				t.Errorf("%s %s: %d MB", path, text, used>>20)
			}
		}
	}
	// Bodies with a large announced length are read only as far as they fit together.
	s = start(t, builtIn(), Options{Jobs: 8})
	const announced = maxBody - 100
	for range maxBodies / announced {
		body, feed := io.Pipe()
		defer feed.Close()
		r, err := http.NewRequestWithContext(t.Context(), "POST", s+"/embed", body)
		if err != nil {
			t.Fatal(err)
		}
		r.ContentLength = announced
		r.Header.Set("Content-Type", "application/json")
		go func() {
			if answer, err := http.DefaultClient.Do(r); err == nil {
				answer.Body.Close()
			}
		}()
		io.WriteString(feed, `{"texts":["a`)
	}
	for want := fmt.Sprintf("cortex_embed_requests_in_flight %d\n", maxBodies/announced); ; {
		if _, text := ask(t, "GET", s+"/metrics", "", nil); strings.Contains(text, want) {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if status, answer := ask(t, "POST", s+"/embed", strings.Repeat(" ", announced-20)+`{"texts":["a"]}`, nil); status != 503 {
		t.Errorf("%d %s", status, answer)
	}
	if status, answer := ask(t, "POST", s+"/embed", `{"texts":["a"]}`, nil); status != 200 {
		t.Errorf("%d %s", status, answer)
	}
}

func TestTooManyRequests(t *testing.T) {
	e := newSlow(t)
	s := start(t, e, Options{Jobs: 1})
	results := make(chan int, 2*(queued+1))
	for range cap(results) {
		go func() {
			r, err := http.Post(s+"/embed", "application/json", strings.NewReader(`{"texts":["a"]}`))
			if err != nil {
				t.Error(err)
				results <- 0
				return
			}
			defer r.Body.Close()
			if r.StatusCode == 503 && r.Header.Get("Retry-After") != "1" {
				t.Error("no Retry-After")
			}
			results <- r.StatusCode
		}()
	}
	for range cap(results) - queued - 1 {
		if status := <-results; status != 503 {
			t.Errorf("status %d of a request too many", status)
		}
	}
	close(e.release)
	for range queued + 1 {
		if status := <-results; status != 200 {
			t.Errorf("status %d", status)
		}
	}
	if e.most.Load() != 1 {
		t.Errorf("%d at once", e.most.Load())
	}
}

// A request that has begun is answered though the server stops.
func TestRunStopsGracefully(t *testing.T) {
	e := newSlow(t)
	ctx, stop := context.WithCancel(t.Context())
	ready, done := make(chan string, 1), make(chan error, 1)
	go func() {
		done <- Run(ctx, e, Options{Address: "127.0.0.1:0", Ready: func(url string) { ready <- url }})
	}()
	url := <-ready
	status := make(chan int, 1)
	go func() {
		r, err := http.Post(url+"/embed", "application/json", strings.NewReader(`{"texts":["a"]}`))
		if err != nil {
			t.Error(err)
			status <- 0
			return
		}
		r.Body.Close()
		status <- r.StatusCode
	}()
	<-e.begun
	stop()
	close(e.release)
	if got := <-status; got != 200 {
		t.Errorf("status %d", got)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	if c, err := net.Dial("tcp", strings.TrimPrefix(url, "http://")); err == nil {
		c.Close()
		t.Error("still listening")
	}
}

func TestRunRefusesAddresses(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for address, want := range map[string]string{
		"0.0.0.0:0": "other machines could reach it", ":0": "other machines could reach it", "[::]:0": "other machines could reach it",
		"192.0.2.1:8121": "other machines could reach it", "example.org:80": "other machines could reach it", "127.0.0.1": "expected HOST:PORT",
		taken.Addr().String(): "address already in use",
	} {
		err := Run(t.Context(), builtIn(), Options{Address: address, Ready: func(string) { t.Errorf("listens on %s", address) }})
		if err == nil || !strings.Contains(err.Error(), want) || hint.Of(err) == "" {
			t.Errorf("%s: got %v, hint %q", address, err, hint.Of(err))
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	if err := Run(ctx, builtIn(), Options{Address: "0.0.0.0:0", Remote: true, Ready: func(string) { stop() }}); err != nil {
		t.Error(err)
	}
}

// A broken embedder fails or panics.
type broken struct {
	embed.Embedder
	err error
}

func (b broken) Embed(context.Context, embed.Mode, []string) ([][]float32, error) {
	if b.err == nil {
		panic("out of order")
	}
	return nil, b.err
}

func TestFaultsOfTheEmbedder(t *testing.T) {
	for _, test := range []struct {
		err    error
		status int
		want   string
	}{
		{nil, 500, "internal error"},
		{errors.New("disk gone"), 500, "embed: disk gone"},
		{fmt.Errorf("embed: %w", &embed.Unreachable{Provider: "ollama", Err: errors.New("refused")}), 502, "does not answer"},
	} {
		var reported []error
		url := start(t, broken{builtIn(), test.err}, Options{Report: func(err error) { reported = append(reported, err) }})
		for _, path := range []string{"/embed", "/v1/embeddings", "/api/embed"} {
			status, body := ask(t, "POST", url+path, `{"texts":["a"]}`, nil)
			if path != "/embed" {
				status, body = ask(t, "POST", url+path, `{"input":["a"]}`, nil)
			}
			if status != test.status || !strings.Contains(body, test.want) {
				t.Errorf("%s: %d %s", path, status, body)
			}
		}
		if len(reported) != 3 {
			t.Errorf("reported %v", reported)
		}
		if status, _ := ask(t, "GET", url+"/health", "", nil); status != 200 {
			t.Errorf("health %d", status)
		}
	}
}

func FuzzEmbed(f *testing.F) {
	for _, seed := range []string{`{"texts":["a"]}`, `{"input":["a","b"],"dimensions":3}`, `{"input":"x","encoding_format":"base64"}`, `{"texts":[],"mode":"query"}`, `[[[[`, "\xff"} {
		f.Add(seed)
	}
	e := builtIn()
	h := Handler(e, Options{Report: func(err error) { f.Error(err) }})
	f.Fuzz(func(t *testing.T, body string) {
		for _, path := range []string{"/embed", "/v1/embeddings", "/api/embed"} {
			r := httptest.NewRequest("POST", "http://localhost"+path, strings.NewReader(body))
			r.Header.Set("Content-Type", "application/json")
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if w.Code >= 500 || !json.Valid(w.Body.Bytes()) {
				t.Errorf("%s: %d %s", path, w.Code, w.Body)
			}
		}
	})
}
