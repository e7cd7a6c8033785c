package mcp

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"time"

	protocol "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"cortex/lib/hint"
	"cortex/lib/listen"
	"cortex/lib/mcp/stdio"
	"cortex/lib/page"
)

// Bounds on the clients of an HTTP server, in addition to those of lib/listen. Messages have the same bound as on
// standard input.
const (
	// requestTime is the time a client may take to send a message.
	requestTime = 15 * time.Second
	// maxRequests bounds the requests held at once. stdio.MaxRunning of them are answered at the same time, the others
	// wait.
	maxRequests = 1024
	// maxBodies bounds the bytes of messages held at once. Messages of at most smallMessage bytes do not count.
	maxBodies    = 16 * stdio.MaxMessage
	smallMessage = 64 << 10
	// minToken is the minimum length of a token, in bytes.
	minToken = 16
)

// A Web says how to serve on HTTP.
type Web struct {
	// Address is HOST:PORT.
	Address string
	// Token is required of every client. Without a token, the server listens on this machine only.
	Token string
	// Certificate and Key are PEM files. Without them, the server does not encrypt.
	Certificate, Key string
	// Ready is called with the URL of the MCP endpoint once the server accepts requests.
	Ready func(url string)
}

// path is the path of the MCP endpoint.
const path = "/mcp"

// ServeHTTP speaks MCP over streamable HTTP with any number of clients until ctx ends, which is no error. Calls in
// progress then have a short time to finish.
func ServeHTTP(ctx context.Context, web Web, opts Options) error {
	if err := web.check(); err != nil {
		return err
	}
	if !listen.IsLocal(web.Address) && web.Certificate == "" {
		opts.Warn("the token and all answers pass the network as they are; --tls-cert and --tls-key encrypt them")
	}
	// Calls outlive ctx for a while, and need the indexes until then.
	loading, cancel := context.WithCancel(context.WithoutCancel(ctx))
	lib := newRepositories(opts)
	lib.start(loading)
	sharing := lendWhenFree(loading, lib)
	err := listen.Run(ctx, newWeb(lib, web, opts), listen.Options{
		Address: web.Address, Certificate: web.Certificate, Key: web.Key, Request: requestTime,
		Advice: "choose another port with --http 127.0.0.1:PORT",
		Ready: func(url string) {
			if web.Ready != nil {
				web.Ready(url + path)
			}
		},
	})
	cancel()
	<-sharing
	lib.close(time.Now().Add(stdio.CloseTimeout))
	return err
}

// check returns an error if the token is unusable, or if other machines could reach the server without a token.
func (w Web) check() error {
	if err := listen.CheckAddress(w.Address); err != nil {
		return hint.Wrap(err, "for this machine alone 127.0.0.1:8137")
	}
	switch {
	case w.Token != "" && len(w.Token) < minToken:
		return hint.Wrap(fmt.Errorf("the token has less than %d characters", minToken), "make one with: openssl rand -hex 32")
	case w.Token != "" && strings.ContainsFunc(w.Token, func(r rune) bool { return r <= ' ' || r > '~' }):
		return hint.Wrap(errors.New("the token has characters that can't stand in a header"), "make one with: openssl rand -hex 32")
	case w.Token == "" && !listen.IsLocal(w.Address):
		return hint.Wrap(fmt.Errorf("listen on %q: other machines could reach it, and it would ask nobody for a token", w.Address),
			"listen on 127.0.0.1, or set CORTEX_HTTP_TOKEN or --token-file")
	}
	return nil
}

// A webServer is the state that handlers share.
type webServer struct {
	repositories *repositories
	protocol     http.Handler
	version      string
	report       func(error)
	metrics      listen.Metrics
	admission    *listen.Admission
	slots        chan struct{}
	// token is the SHA-256 of the token; nil if there is none.
	token []byte
	calls stdio.Calls
}

// newWeb returns the handler of all requests.
func newWeb(l *repositories, web Web, opts Options) http.Handler {
	w := &webServer{
		repositories: l, version: opts.Version, report: opts.Report,
		admission: listen.NewAdmission(maxRequests, stdio.MaxMessage, maxBodies, smallMessage), slots: make(chan struct{}, stdio.MaxRunning),
		// The library would keep a session until its client ends it, which clients may omit. This server sends nothing
		// unasked, so it needs no sessions.
		protocol: server.NewStreamableHTTPServer(newServer(l, opts.Version), server.WithStateLess(true), server.WithDisableStreaming(true),
			server.WithDisableLocalhostProtection(true), server.WithStreamableHTTPLogger(slog.New(slog.DiscardHandler))),
	}
	if web.Token != "" {
		hash := sha256.Sum256([]byte(web.Token))
		w.token = hash[:]
	}
	mux := http.NewServeMux()
	mux.Handle(path, w.counted(path, w.asked(w.answer)))
	mux.Handle("GET /health", w.counted("/health", w.health))
	mux.Handle("GET /metrics", w.counted("/metrics", w.asked(w.serveMetrics)))
	for pattern, h := range page.New(page.Options{Indexes: lender{l}, Report: opts.Report}).Handlers() {
		mux.Handle("GET "+pattern, w.counted("page", w.visited(h)))
	}
	mux.Handle("/", w.counted("other", func(rw http.ResponseWriter, r *http.Request) {
		fail(rw, http.StatusNotFound, fmt.Sprintf("no %.10s %.60q here; there are GET / for people, POST %s and GET /health, /metrics", r.Method, r.URL.Path, path))
	}))
	return listen.Guard(!listen.IsLocal(web.Address), fail, mux)
}

// fail answers a request with an error.
func fail(w http.ResponseWriter, status int, message string) {
	data, _ := json.Marshal(protocol.NewJSONRPCError(protocol.NewRequestId(nil), protocol.INVALID_REQUEST, message, nil)) // it can be encoded
	respond(w, status, data)
}

func respond(w http.ResponseWriter, status int, data []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	w.Write(append(data, '\n')) // a client that is gone needs no answer
}

// A statusWriter records the status of a response.
type statusWriter struct {
	http.ResponseWriter
	status int
	// replace, if set, changes what is written. The library writes a message at once.
	replace func([]byte) []byte
}

func (s *statusWriter) WriteHeader(status int) {
	if s.status == 0 {
		s.status = status
	}
	s.ResponseWriter.WriteHeader(status)
}

func (s *statusWriter) Write(data []byte) (int, error) {
	if s.status == 0 {
		s.status = http.StatusOK
	}
	if s.replace == nil {
		return s.ResponseWriter.Write(data)
	}
	if _, err := s.ResponseWriter.Write(s.replace(data)); err != nil {
		return 0, err
	}
	return len(data), nil
}

// Flush implements http.Flusher, which the MCP library requires.
func (s *statusWriter) Flush() {
	if f, ok := s.ResponseWriter.(http.Flusher); ok {
		f.Flush()
	}
}

func (s *statusWriter) Unwrap() http.ResponseWriter { return s.ResponseWriter }

// counted returns a handler that counts requests and turns panics into error responses.
func (w *webServer) counted(path string, h http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		begun := time.Now()
		w.metrics.Begin()
		s := &statusWriter{ResponseWriter: rw}
		defer func() {
			if s.status == 0 && r.Context().Err() != nil {
				s.status = listen.StatusClientLeft
			}
			w.metrics.End(path, s.status, time.Since(begun))
		}()
		defer func() {
			p := recover()
			if p == nil {
				return
			}
			if p == http.ErrAbortHandler {
				panic(p)
			}
			_ = panicked(w.report, r.Method+" "+path, p) // the client learns no details
			if s.status == 0 {
				fail(s, http.StatusInternalServerError, "internal error")
			}
		}()
		h(s, r)
	})
}

// asked returns a handler that requires the token.
func (w *webServer) asked(h http.HandlerFunc) http.HandlerFunc {
	return func(rw http.ResponseWriter, r *http.Request) {
		if !w.isAllowed(r) {
			rw.Header().Set("WWW-Authenticate", `Bearer realm="cortex"`)
			fail(rw, http.StatusUnauthorized, "expected the header Authorization: Bearer TOKEN")
			return
		}
		h(rw, r)
	}
}

func (w *webServer) isAllowed(r *http.Request) bool {
	if w.token == nil {
		return true
	}
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	return strings.EqualFold(scheme, "Bearer") && w.isToken(strings.TrimSpace(token))
}

func (w *webServer) isToken(token string) bool {
	hash := sha256.Sum256([]byte(token))
	return subtle.ConstantTimeCompare(hash[:], w.token) == 1
}

// visited returns a handler for people, who give the token as the password of a login. The browser keeps the password
// until it is closed. Any user name is accepted.
func (w *webServer) visited(h http.Handler) http.HandlerFunc {
	return func(rw http.ResponseWriter, r *http.Request) {
		if _, password, ok := r.BasicAuth(); !w.isAllowed(r) && !(ok && w.isToken(password)) {
			rw.Header().Set("WWW-Authenticate", `Basic realm="Cortex: any name, and the token as password", charset="UTF-8"`)
			fail(rw, http.StatusUnauthorized, "expected the token as password, or the header Authorization: Bearer TOKEN")
			return
		}
		select {
		case w.slots <- struct{}{}:
			defer func() { <-w.slots }()
			h.ServeHTTP(rw, r)
		case <-r.Context().Done(): // the client has left
		}
	}
}

// answer reads a message and passes it to the MCP library.
func (w *webServer) answer(rw http.ResponseWriter, r *http.Request) {
	switch r.Method {
	case http.MethodPost:
	case http.MethodDelete, http.MethodHead: // clients of older versions end their sessions with DELETE
		w.protocol.ServeHTTP(rw, r)
		return
	default:
		rw.Header().Set("Allow", "DELETE, HEAD, POST")
		fail(rw, http.StatusMethodNotAllowed, fmt.Sprintf("no %.10s %s; send messages with POST", r.Method, path))
		return
	}
	leave := w.admission.Enter(rw, r)
	if leave == nil {
		rw.Header().Set("Retry-After", "1")
		fail(rw, http.StatusServiceUnavailable, "too many requests at once")
		return
	}
	defer leave()
	body, err := io.ReadAll(r.Body)
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		fail(rw, http.StatusRequestEntityTooLarge, fmt.Sprintf("the message has more than %d bytes", stdio.MaxMessage))
		return
	case err != nil:
		fail(rw, http.StatusBadRequest, "the message breaks off, or took too long")
		return
	}
	e, err := stdio.Open(body)
	if err != nil {
		fail(rw, http.StatusBadRequest, err.Error())
		return
	}
	// Sessions have no state here. They only distinguish clients that use the same request identifiers.
	session := r.Header.Get(server.HeaderKeySessionID)
	r.Header.Del(server.HeaderKeySessionID)
	switch e.Method {
	case string(protocol.MethodNotificationCancelled):
		// The library would cancel the request of any client with that identifier.
		if session != "" {
			w.calls.Withdraw(session, e.Params)
		}
		rw.WriteHeader(http.StatusAccepted)
		return
	case string(protocol.MethodInitialize):
		rw.Header().Set(server.HeaderKeySessionID, rand.Text())
	}
	ctx := e.WithToken(r.Context())
	if session != "" && len(e.ID) > 0 {
		var over func()
		ctx, over = w.calls.Track(ctx, session, e.ID)
		defer over()
	}
	select {
	case w.slots <- struct{}{}:
		defer func() { <-w.slots }()
	case <-ctx.Done(): // the library notices the end of ctx and answers with the reason
	}
	r = r.WithContext(ctx)
	s := &statusWriter{ResponseWriter: rw}
	if e.Changes() {
		body, s.replace = replaceID(body, e.ID)
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	w.protocol.ServeHTTP(s, r)
	if s.status == 0 && context.Cause(ctx) == stdio.ErrWithdrawn {
		// The library then writes nothing, and the client would wait for a response.
		data, _ := stdio.Encode(e.ID, stdio.InternalError(e.ID, stdio.ErrWithdrawn.Error())) // it can be encoded
		respond(rw, http.StatusOK, data)
	}
}

// replaceID replaces the identifier of a message, which the library would change, with another one, and returns a
// function that puts the identifier back into the response.
func replaceID(message, id []byte) (replaced []byte, restore func([]byte) []byte) {
	var members map[string]json.RawMessage
	if json.Unmarshal(message, &members) != nil {
		return message, nil // the library reports invalid messages
	}
	maps.DeleteFunc(members, func(name string, _ json.RawMessage) bool { return strings.EqualFold(name, "id") })
	other := []byte(strconv.Quote(rand.Text()))
	members["id"] = other
	replaced, err := json.Marshal(members)
	if err != nil {
		return message, nil
	}
	return replaced, func(written []byte) []byte { return bytes.Replace(written, other, id, 1) }
}

// health says that the server runs. Clients with the token also learn the state of the indexes.
func (w *webServer) health(rw http.ResponseWriter, r *http.Request) {
	answer := struct {
		Status  string `json:"status"`
		Version string `json:"version,omitempty"`
		*condition
		Repositories []condition `json:"repositories,omitempty"`
	}{Status: "ok"}
	if w.isAllowed(r) {
		answer.Version = w.version
		if all := w.repositories.conditions(); w.repositories.names == nil {
			answer.condition = &all[0]
		} else {
			answer.Repositories = all
		}
	}
	data, err := json.Marshal(answer)
	if err != nil {
		w.report(err)
	}
	respond(rw, http.StatusOK, data)
}

// serveMetrics answers in Prometheus' text format.
func (w *webServer) serveMetrics(rw http.ResponseWriter, _ *http.Request) {
	var t listen.Text
	t.Head("cortex_serve_info", "gauge", "The version that serves.")
	t.Linef("cortex_serve_info{version=%s} 1\n", listen.Label(w.version))
	t.Requests("cortex_serve", &w.metrics)
	all := w.repositories.conditions()
	for _, row := range []struct {
		name, kind, help string
		value            func(*condition) any
	}{
		{"index_open", "gauge", "Whether the index is open.", func(c *condition) any { return oneIf(!c.Closed) }},
		{"index_generation", "gauge", "The generation of the index that answers, 0 without one.", func(c *condition) any { return c.index().Generation }},
		{"index_chunks", "gauge", "Chunks of the index that answers.", func(c *condition) any { return c.index().Chunks }},
		{"index_loading", "gauge", "Whether an index is being loaded.", func(c *condition) any { return oneIf(c.Loading) }},
		{"index_reloads_total", "counter", "Indexes that took the place of another.", func(c *condition) any { return c.loads.Reloads }},
		{"index_load_failures_total", "counter", "Loads that came to nothing.", func(c *condition) any { return c.loads.Failed }},
		{"index_load_seconds", "gauge", "How long the last load took.", func(c *condition) any { return c.loads.LoadMS / 1000 }},
	} {
		t.Head("cortex_serve_"+row.name, row.kind, row.help)
		for i := range all {
			label := ""
			if name := all[i].Repository; name != "" {
				label = "{repository=" + listen.Label(name) + "}"
			}
			t.Linef("cortex_serve_%s%s %v\n", row.name, label, row.value(&all[i]))
		}
	}
	t.Write(rw)
}

func oneIf(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
