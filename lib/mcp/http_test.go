package mcp_test

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	client "github.com/modelcontextprotocol/go-sdk/mcp"

	"cortex/lib/embed"
	"cortex/lib/hint"
	"cortex/lib/mcp"
)

// serveHTTP serves in this process until stop is called, and must end well with the test.
func serveHTTP(t *testing.T, web mcp.Web, opts mcp.Options) (url string, stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ready, done := make(chan string, 1), make(chan error, 1)
	if web.Address == "" {
		web.Address = "127.0.0.1:0"
	}
	web.Ready = func(url string) { ready <- url }
	go func() { done <- mcp.ServeHTTP(ctx, web, opts) }()
	select {
	case url = <-ready:
	case err := <-done:
		t.Fatalf("serve: %v", err)
	}
	ended := sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("serve: %v", err)
		}
	})
	t.Cleanup(ended)
	return url, ended
}

// dial connects a client that has its own connections.
func dial(t *testing.T, url, version string, transport http.RoundTripper) *client.ClientSession {
	t.Helper()
	session := handshake(t, &client.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{Transport: transport}, MaxRetries: -1}, version)
	t.Cleanup(func() { session.Close() })
	return session
}

func TestHTTPSpeaksEveryProtocolVersion(t *testing.T) {
	root := t.TempDir()
	index(t, root, library()...)
	url, _ := serveHTTP(t, mcp.Web{}, options(t, root))
	for _, version := range []string{"2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"} {
		t.Run(version, func(t *testing.T) {
			session := dial(t, url, version, &http.Transport{})
			if hello := session.InitializeResult(); hello.ProtocolVersion != version || hello.ServerInfo.Name != "cortex" {
				t.Errorf("got %+v", hello)
			}
			tools, err := session.ListTools(t.Context(), nil)
			if err != nil || len(tools.Tools) != 3 {
				t.Fatalf("%+v, %v", tools, err)
			}
			if ids := found(t, session, "cortex_exact", object{"query": "deleteBefore"}); len(ids) != 1 {
				t.Errorf("found %q", ids)
			}
			if text, failed := call(t, session, "cortex_exact", object{"query": "AND ("}); !failed {
				t.Errorf("no error: %s", text)
			}
		})
	}
}

func TestHTTPManyClients(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many clients")
	}
	root := t.TempDir()
	index(t, root, library()...)
	url, _ := serveHTTP(t, mcp.Web{}, options(t, root))
	transport := &http.Transport{MaxIdleConnsPerHost: 50}
	var all sync.WaitGroup
	for i := range 40 {
		version := []string{"2025-11-25", "2026-07-28"}[i%2]
		all.Go(func() {
			c := client.NewClient(&client.Implementation{Name: "test", Version: "0"}, nil)
			session, err := c.Connect(t.Context(), &client.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{Transport: transport}}, &client.ClientSessionOptions{ProtocolVersion: version})
			if err != nil {
				t.Error(err)
				return
			}
			defer session.Close()
			for range 5 {
				result, err := session.CallTool(t.Context(), &client.CallToolParams{Name: "cortex_search", Arguments: object{"query": "where are expired sessions removed"}})
				if err != nil || result.IsError {
					t.Errorf("%v, %+v", err, result)
					return
				}
			}
		})
	}
	all.Wait()
}

const (
	hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`
	ask   = `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"cortex_exact","arguments":{"query":"deleteBefore"}}}`
)

// post sends a message and returns the status, the header and the body of the answer.
func post(t *testing.T, url, body string, change func(*http.Request)) (int, http.Header, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if change != nil {
		change(r)
	}
	return do(t, r)
}

func do(t *testing.T, r *http.Request) (int, http.Header, string) {
	t.Helper()
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Errorf("%s %s: %v", r.Method, r.URL, err)
		return 0, nil, ""
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Error(err)
	}
	return answer.StatusCode, answer.Header, string(data)
}

// TestHostileHTTP sends harmful requests, and after each of them a valid one.
func TestHostileHTTP(t *testing.T) {
	if testing.Short() {
		t.Skip("sends large bodies")
	}
	root := t.TempDir()
	index(t, root, library()...)
	url, _ := serveHTTP(t, mcp.Web{}, options(t, root))
	base := strings.TrimSuffix(url, "/mcp")
	header := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	big := `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"x":"` + strings.Repeat("x", 5<<20) + `"}}`
	for name, test := range map[string]struct {
		url, body string
		change    func(*http.Request)
		status    int
		want      string
	}{
		"none":                 {url, hello, nil, 200, `"serverInfo"`},
		"foreign origin":       {url, hello, header("Origin", "https://evil.example"), 403, "web pages"},
		"origin of loopback":   {url, hello, header("Origin", "http://localhost:3000"), 403, "web pages"},
		"null origin":          {url, hello, header("Origin", "null"), 403, "web pages"},
		"empty origin":         {url, hello, header("Origin", ""), 403, "web pages"},
		"cross site":           {url, hello, header("Sec-Fetch-Site", "cross-site"), 403, "web pages"},
		"rebound name":         {url, hello, func(r *http.Request) { r.Host = "evil.example" }, 403, "name of this machine"},
		"rebound with port":    {url, hello, func(r *http.Request) { r.Host = "evil.example:8137" }, 403, "name of this machine"},
		"name like loopback":   {url, hello, func(r *http.Request) { r.Host = "127.0.0.1.evil.example" }, 403, "name of this machine"},
		"localhost":            {url, hello, func(r *http.Request) { r.Host = "LocalHost:1" }, 200, `"serverInfo"`},
		"six":                  {url, hello, func(r *http.Request) { r.Host = "[::1]:8137" }, 200, `"serverInfo"`},
		"form of a page":       {url, hello, header("Content-Type", "text/plain"), 400, "content type"},
		"large":                {url, big, nil, 413, "more than 4194304 bytes"},
		"large without length": {url, big, func(r *http.Request) { r.ContentLength = -1 }, 413, "more than 4194304 bytes"},
		"no JSON":              {url, "{", nil, 400, "not valid json"},
		"nothing":              {url, "", nil, 400, "not valid json"},
		"batch":                {url, "[" + hello + "]", nil, 400, `"code":-32600,"message":"batches are not supported`},
		"broken batch":         {url, "[" + hello, nil, 400, "-32700"},
		"no identifier":        {url, strings.Replace(hello, `"id":1`, `"id":{}`, 1), nil, 400, `"code":-32600,"message":"id: expected`},
		"deep":                 {url, strings.Repeat("[", 100_000), nil, 400, "not valid json"},
		"no method":            {url, `{"jsonrpc":"2.0","id":7}`, nil, 202, ""},
		"unknown version":      {url, fmt.Sprintf(ask, 2), header("Mcp-Protocol-Version", "1999-01-01"), 400, "version"},
		"two eras":             {url, fmt.Sprintf(ask, 2), header("Mcp-Protocol-Version", "2026-07-28"), 400, "_meta"},
		"unknown session":      {url, fmt.Sprintf(ask, 3), header("Mcp-Session-Id", strings.Repeat("x", 1000)), 200, "RemoveExpired"},
		"unknown method":       {url, `{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage"}`, nil, 200, "-32601"},
		"elsewhere":            {base + "/", hello, nil, 404, "POST /mcp"},
		"beyond":               {url + "/../../etc/passwd", hello, nil, 404, "POST /mcp"},
		"post to metrics":      {base + "/metrics", hello, nil, 404, "POST /mcp"},
	} {
		if status, _, answer := post(t, test.url, test.body, test.change); status != test.status || !strings.Contains(answer, test.want) || len(answer) > 4000 {
			t.Errorf("%s: %d %.300s, want %d %s", name, status, answer, test.status, test.want)
		}
		if status, _, answer := post(t, url, fmt.Sprintf(ask, 9), nil); status != 200 || !strings.Contains(answer, "RemoveExpired") {
			t.Errorf("after %s: %d %.300s", name, status, answer)
		}
	}
	for method, want := range map[string]int{"GET": 405, "DELETE": 200, "HEAD": 200, "OPTIONS": 405, "PUT": 405, "TRACE": 405} {
		r, err := http.NewRequestWithContext(t.Context(), method, url, nil)
		if err != nil {
			t.Fatal(err)
		}
		if status, header, answer := do(t, r); status != want || want == 405 && header.Get("Allow") != "DELETE, HEAD, POST" {
			t.Errorf("%s: %d %v %s", method, status, header, answer)
		}
	}
	// A header without an end and a header that is too large are refused.
	c, err := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	go func() {
		fmt.Fprintf(c, "POST /mcp HTTP/1.1\r\nHost: localhost\r\n")
		for i := range 10_000 {
			if _, err := fmt.Fprintf(c, "X-%d: %s\r\n", i, strings.Repeat("y", 1000)); err != nil {
				return
			}
		}
	}()
	data, _ := io.ReadAll(c) // the connection may break before all is read
	if len(data) > 0 && !strings.Contains(string(data), "431") {
		t.Errorf("a large header: %.300s", data)
	}
}

// identifiers are written in ways that the library would change.
var identifiers = []string{`9007199254740993`, `-9007199254740993`, `1e3`, `1.0`, `"a\u00e9 <&>"`, `123456789012345678901234567890`}

// TestHTTPIdentifiersComeBackAsWritten asks for an answer and for an error.
func TestHTTPIdentifiersComeBackAsWritten(t *testing.T) {
	root := t.TempDir()
	index(t, root, library()...)
	url, _ := serveHTTP(t, mcp.Web{}, options(t, root))
	for _, id := range identifiers {
		for message, want := range map[string]string{
			fmt.Sprintf(ask, 1): "RemoveExpired",
			`{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage"}`: "-32601",
		} {
			status, _, answer := post(t, url, strings.Replace(message, `"id":1`, `"ID":7,"id":`+id, 1), nil)
			if status != 200 || !strings.Contains(answer, `"id":`+id+",") || !strings.Contains(answer, want) {
				t.Errorf("%s: %d %.300s", id, status, answer)
			}
		}
	}
}

// TestSlowClientsKeepNobodyOut leaves many large bodies unfinished.
func TestSlowClientsKeepNobodyOut(t *testing.T) {
	t.Parallel() // it waits
	root := t.TempDir()
	index(t, root, library()...)
	url, _ := serveHTTP(t, mcp.Web{}, options(t, root))
	address := strings.TrimSuffix(strings.TrimPrefix(url, "http://"), "/mcp")
	for i := range 200 {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if i%2 == 0 {
			fmt.Fprintf(c, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-Sl")
			continue
		}
		fmt.Fprintf(c, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 4000000\r\n\r\n{")
	}
	base := strings.TrimSuffix(url, "/mcp")
	for deadline := time.Now().Add(time.Minute); ; { // until the bodies that fit are being read, and the others refused
		r, err := http.NewRequestWithContext(t.Context(), "GET", base+"/metrics", nil)
		if err != nil {
			t.Fatal(err)
		}
		_, _, text := do(t, r)
		in, refused := 0, 0
		for line := range strings.Lines(text) {
			fmt.Sscanf(line, "cortex_serve_requests_in_flight %d", &in)
			fmt.Sscanf(line, `cortex_serve_requests_total{path="/mcp",code="503"} %d`, &refused)
		}
		if in-1 <= 16 && in-1+refused == 100 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d bodies of 4 MB are kept, %d are refused", in-1, refused)
		}
		time.Sleep(time.Millisecond)
	}
	for i := range 20 {
		if status, _, answer := post(t, url, fmt.Sprintf(ask, i), nil); status != 200 || !strings.Contains(answer, "RemoveExpired") {
			t.Fatalf("%d %s", status, answer)
		}
	}
	// A large message is refused with Retry-After.
	large := `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"x":"` + strings.Repeat("x", 3_900_000) + `"}}`
	if status, header, answer := post(t, url, large, nil); status != 503 || header.Get("Retry-After") != "1" {
		t.Errorf("%d %s", status, answer)
	}
}

func TestToken(t *testing.T) {
	root := t.TempDir()
	index(t, root, library()...)
	const token = "0123456789abcdef"
	url, _ := serveHTTP(t, mcp.Web{Token: token}, options(t, root))
	base := strings.TrimSuffix(url, "/mcp")
	for value, want := range map[string]int{
		"": 401, "Bearer": 401, "Bearer ": 401, "Bearer 0123456789abcdee": 401, "Bearer 0123456789abcdef0": 401, "Basic 0123456789abcdef": 401,
		token: 401, "Bearer " + token: 200, "bearer  " + token: 200,
	} {
		with := func(r *http.Request) {
			if value != "" {
				r.Header.Set("Authorization", value)
			}
		}
		status, header, answer := post(t, url, hello, with)
		if status != want || (want == 401) != strings.HasPrefix(header.Get("WWW-Authenticate"), "Bearer") {
			t.Errorf("%q: %d %s", value, status, answer)
		}
		for path, denied := range map[string]int{"/metrics": 401, "/health": 200} {
			r, err := http.NewRequestWithContext(t.Context(), "GET", base+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			with(r)
			status, _, answer := do(t, r)
			if want == 401 && (status != denied || path == "/health" && answer != `{"status":"ok"}`+"\n") || want == 200 && status != 200 {
				t.Errorf("%s of %q: %d %s", path, value, status, answer)
			}
		}
	}
}

func TestWebRefusesAddresses(t *testing.T) {
	for name, test := range map[string]struct {
		web  mcp.Web
		want string
	}{
		"all":           {mcp.Web{Address: "0.0.0.0:0"}, "nobody for a token"},
		"all, short":    {mcp.Web{Address: ":0"}, "nobody for a token"},
		"another":       {mcp.Web{Address: "192.0.2.1:8137"}, "nobody for a token"},
		"a name":        {mcp.Web{Address: "example.org:80"}, "nobody for a token"},
		"no port":       {mcp.Web{Address: "127.0.0.1"}, "expected HOST:PORT"},
		"short token":   {mcp.Web{Address: "127.0.0.1:0", Token: "short"}, "less than 16"},
		"broken token":  {mcp.Web{Address: "127.0.0.1:0", Token: "0123456789 abcdef\n"}, "can't stand in a header"},
		"no such port":  {mcp.Web{Address: "127.0.0.1:99999"}, "listen on"},
		"other machine": {mcp.Web{Address: "192.0.2.1:0", Token: "0123456789abcdef", Certificate: "x", Key: "y"}, "x"},
	} {
		opts := options(t, t.TempDir())
		test.web.Ready = func(url string) { t.Errorf("%s: listens on %s", name, url) }
		err := mcp.ServeHTTP(t.Context(), test.web, opts)
		if err == nil || !strings.Contains(err.Error(), test.want) || hint.Of(err) == "" && name != "other machine" {
			t.Errorf("%s: %v, hint %q", name, err, hint.Of(err))
		}
	}
}

// held returns a store whose index is built only after release is called.
func held(t *testing.T) (opts mcp.Options, release func()) {
	root := t.TempDir()
	index(t, root, library()...)
	gate := make(chan struct{})
	opts = options(t, root)
	opts.Embedding = func(string) (embed.Config, error) {
		<-gate
		return embed.Config{}, nil
	}
	release = sync.OnceFunc(func() { close(gate) })
	t.Cleanup(release)
	return opts, release
}

// begun waits until the server is answering want requests.
func begun(t *testing.T, base string, want int) {
	t.Helper()
	for {
		r, err := http.NewRequestWithContext(t.Context(), "GET", base+"/metrics", nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, text := do(t, r); strings.Contains(text, fmt.Sprintf("cortex_serve_requests_in_flight %d\n", want+1)) {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// TestHTTPWithdrawsOnesOwn has two clients that use the same identifier. One of them cancels its call; the other's goes
// on.
func TestHTTPWithdrawsOnesOwn(t *testing.T) {
	opts, release := held(t)
	url, _ := serveHTTP(t, mcp.Web{}, opts)
	var sessions []string
	for range 2 {
		_, header, _ := post(t, url, hello, nil)
		sessions = append(sessions, header.Get("Mcp-Session-Id"))
	}
	if len(sessions[0]) < 20 || sessions[0] == sessions[1] {
		t.Fatalf("sessions %q", sessions)
	}
	answers := make([]chan string, 2)
	for i, session := range sessions {
		answers[i] = make(chan string, 1)
		go func() {
			_, _, answer := post(t, url, fmt.Sprintf(ask, 5), func(r *http.Request) { r.Header.Set("Mcp-Session-Id", session) })
			answers[i] <- answer
		}()
	}
	begun(t, strings.TrimSuffix(url, "/mcp"), 2)
	const withdraw = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}`
	for _, session := range []string{"", "unknown", sessions[0]} {
		status, _, answer := post(t, url, withdraw, func(r *http.Request) { r.Header.Set("Mcp-Session-Id", session) })
		if status != 202 {
			t.Errorf("%d %s", status, answer)
		}
	}
	if answer := <-answers[0]; !strings.Contains(answer, "cancelled by the client") {
		t.Errorf("withdrawn: %s", answer)
	}
	release()
	if answer := <-answers[1]; !strings.Contains(answer, "RemoveExpired") {
		t.Errorf("the other: %s", answer)
	}
}

// TestHTTPStopsGracefully stops the server during a call, which must still be answered.
func TestHTTPStopsGracefully(t *testing.T) {
	opts, release := held(t)
	url, stop := serveHTTP(t, mcp.Web{}, opts)
	answer := make(chan string, 1)
	go func() {
		_, _, text := post(t, url, fmt.Sprintf(ask, 1), nil)
		answer <- text
	}()
	begun(t, strings.TrimSuffix(url, "/mcp"), 1)
	go release()
	stop()
	if text := <-answer; !strings.Contains(text, "RemoveExpired") {
		t.Errorf("got %s", text)
	}
	if _, err := net.Dial("tcp", strings.TrimSuffix(strings.TrimPrefix(url, "http://"), "/mcp")); err == nil {
		t.Error("still listening")
	}
}

// TestHTTPHealthAndMetrics reads /health and /metrics before and after the index is built.
func TestHTTPHealthAndMetrics(t *testing.T) {
	opts, release := held(t)
	url, _ := serveHTTP(t, mcp.Web{}, opts)
	base := strings.TrimSuffix(url, "/mcp")
	get := func(path string) string {
		r, err := http.NewRequestWithContext(t.Context(), "GET", base+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		_, _, text := do(t, r)
		return text
	}
	if text := get("/health"); text != `{"status":"ok","version":"1.2.3","loading":true}`+"\n" {
		t.Error(text)
	}
	release()
	post(t, url, fmt.Sprintf(ask, 1), nil)
	var health struct {
		Index struct{ Generation, Chunks int }
	}
	if text := get("/health"); json.Unmarshal([]byte(text), &health) != nil || health.Index.Generation != 1 || health.Index.Chunks != 4 {
		t.Error(text)
	}
	text := get("/metrics")
	for _, want := range []string{
		`cortex_serve_info{version="1.2.3"} 1`, `cortex_serve_requests_total{path="/mcp",code="200"} 1`, "cortex_serve_index_generation 1", "cortex_serve_index_chunks 4",
		"cortex_serve_index_load_failures_total 0",
	} {
		if !strings.Contains(text, want+"\n") {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	line := regexp.MustCompile(`^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{[a-z_]+="([^"\\]|\\.)*"(,[a-z_]+="([^"\\]|\\.)*")*\})? [0-9.e+-]+)$`)
	for each := range strings.Lines(text) {
		if !line.MatchString(strings.TrimSuffix(each, "\n")) {
			t.Errorf("not in the format: %q", each)
		}
	}
}

// TestHTTPS serves with a self-signed certificate.
func TestHTTPS(t *testing.T) {
	if testing.Short() {
		t.Skip("makes keys")
	}
	root, dir := t.TempDir(), t.TempDir()
	index(t, root, library()...)
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	certFile, keyFile := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	for file, data := range map[string][]byte{certFile: certificate, keyFile: pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})} {
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	url, _ := serveHTTP(t, mcp.Web{Certificate: certFile, Key: keyFile}, options(t, root))
	if !strings.HasPrefix(url, "https://127.0.0.1:") {
		t.Fatal(url)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(certificate)
	session := dial(t, url, "2025-11-25", &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, ForceAttemptHTTP2: true})
	if ids := found(t, session, "cortex_exact", object{"query": "deleteBefore"}); len(ids) != 1 {
		t.Errorf("found %q", ids)
	}
	for name, web := range map[string]mcp.Web{
		"key and certificate exchanged": {Certificate: keyFile, Key: certFile},
		"no such file":                  {Certificate: certFile, Key: filepath.Join(dir, "none")},
		"one alone":                     {Certificate: certFile},
	} {
		web.Address = "127.0.0.1:0"
		if err := mcp.ServeHTTP(t.Context(), web, options(t, root)); err == nil || bytes.Contains([]byte(err.Error()), private) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
