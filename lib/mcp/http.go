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
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	protocol "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"cortex/lib/hint"
	"cortex/lib/listen"
	"cortex/lib/mcp/stdio"
	"cortex/lib/page"
)

// Bounds on the clients of a server on HTTP, beside those of lib/listen. A message may be as long as on standard input.
const (
	// requestTime is how long a client may take to send a message.
	requestTime = 15 * time.Second
	// maxRequests are those that are kept at once, of which stdio.MaxRunning are answered and the rest wait.
	maxRequests = 1024
	// maxBodies is how many bytes of messages are kept at once, beside small ones.
	maxBodies    = 16 * stdio.MaxMessage
	smallMessage = 64 << 10
	// minToken is the length of a token in bytes.
	minToken = 16
)

// A Web says how to serve on HTTP.
type Web struct {
	// Address is HOST:PORT.
	Address string
	// Token, if it is set, is asked of every client. Without it only this machine is served.
	Token string
	// Certificate and Key are files in PEM; without them it is HTTP without encryption.
	Certificate, Key string
	// Ready is told the URL of the protocol once requests are taken.
	Ready func(url string)
}

// path is where the protocol is spoken.
const path = "/mcp"

// ServeHTTP speaks MCP over streamable HTTP with any number of clients until ctx ends, which is no error. Calls that have begun are answered, for a
// short while.
func ServeHTTP(ctx context.Context, web Web, opts Options) error {
	if err := web.check(); err != nil {
		return err
	}
	if !listen.IsLocal(web.Address) && web.Certificate == "" {
		opts.Warn("the token and all answers pass the network as they are; --tls-cert and --tls-key encrypt them")
	}
	// Calls outlive ctx for a while, and so must what they ask.
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

// check refuses to be reached by others without a token.
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

// A webServer is what handlers share.
type webServer struct {
	repositories *repositories
	protocol     http.Handler
	version      string
	report       func(error)
	metrics      listen.Metrics
	admission    *listen.Admission
	slots        chan struct{}
	// token is the hash of the token; nil if there is none.
	token []byte
	calls stdio.Calls
}

// newWeb is the server without a listener.
func newWeb(l *repositories, web Web, opts Options) http.Handler {
	w := &webServer{
		repositories: l, version: opts.Version, report: opts.Report,
		admission: listen.NewAdmission(maxRequests, stdio.MaxMessage, maxBodies, smallMessage), slots: make(chan struct{}, stdio.MaxRunning),
		// The library's sessions are kept until their clients end them, which they need not do. A server that says nothing unasked needs none.
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

// fail answers that the request can't be.
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

// A statusWriter remembers the status of an answer.
type statusWriter struct {
	http.ResponseWriter
	status int
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
	return s.ResponseWriter.Write(data)
}

// Flush implements http.Flusher, which the library looks for.
func (s *statusWriter) Flush() {
	if f, ok := s.ResponseWriter.(http.Flusher); ok {
		f.Flush()
	}
}

func (s *statusWriter) Unwrap() http.ResponseWriter { return s.ResponseWriter }

// counted counts the requests and turns panics into answers.
func (w *webServer) counted(path string, h http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		begun := time.Now()
		w.metrics.Begin()
		s := &statusWriter{ResponseWriter: rw}
		defer func() { w.metrics.End(path, s.status, time.Since(begun)) }()
		defer func() {
			p := recover()
			if p == nil {
				return
			}
			if p == http.ErrAbortHandler {
				panic(p)
			}
			w.report(fmt.Errorf("%s %s: panic: %v\n%s", r.Method, path, p, debug.Stack()))
			if s.status == 0 {
				fail(s, http.StatusInternalServerError, "internal error")
			}
		}()
		h(s, r)
	})
}

// asked answers those who know the token.
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

// visited answers people. A browser asks them for the token as the password of a login, and keeps it until it is closed; any name is right.
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
		case <-r.Context().Done(): // nobody waits for it
		}
	}
}

// answer reads a message and lets the library answer it.
func (w *webServer) answer(rw http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.protocol.ServeHTTP(rw, r)
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
	var e stdio.Envelope
	_ = json.Unmarshal(body, &e) // the library says what is wrong with it
	// A session has no state here. It tells clients apart that use the same identifiers for their requests.
	session := r.Header.Get(server.HeaderKeySessionID)
	r.Header.Del(server.HeaderKeySessionID)
	switch e.Method {
	case string(protocol.MethodNotificationCancelled):
		// The library would cancel the request of any client that has the identifier.
		if session != "" {
			w.calls.Withdraw(session, e.Params)
		}
		rw.WriteHeader(http.StatusAccepted)
		return
	case string(protocol.MethodInitialize):
		rw.Header().Set(server.HeaderKeySessionID, rand.Text())
	}
	ctx := r.Context()
	if session != "" && len(e.ID) > 0 {
		var over func()
		ctx, over = w.calls.Track(ctx, session, e.ID)
		defer over()
	}
	select {
	case w.slots <- struct{}{}:
		defer func() { <-w.slots }()
	case <-ctx.Done(): // whoever answers sees it too, and says why
	}
	r = r.WithContext(ctx)
	r.Body = io.NopCloser(bytes.NewReader(body))
	s := &statusWriter{ResponseWriter: rw}
	w.protocol.ServeHTTP(s, r)
	if s.status == 0 && context.Cause(ctx) == stdio.ErrWithdrawn {
		// The library writes nothing then, and the client's connection would wait for an answer.
		data, _ := json.Marshal(stdio.InternalError(e.ID, stdio.ErrWithdrawn.Error())) // it can be encoded
		respond(rw, http.StatusOK, data)
	}
}

// health says that the server serves, and to those who know the token what.
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
