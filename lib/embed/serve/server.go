package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"time"

	"cortex/lib/embed"
	"cortex/lib/embed/provider"
	"cortex/lib/listen"
)

// Options configures the server.
type Options struct {
	// Address is HOST:PORT; port 0 stands for any free port.
	Address string
	// Remote allows an Address that other machines can reach.
	Remote bool
	// Jobs is the number of requests that are worked on at once.
	Jobs int
	// MaxTokens is the estimated number of tokens above which a text is refused; 0 stands for the model's limit.
	MaxTokens int
	// Ready is called with the URL when the server accepts requests, Report with internal errors. Both may be nil.
	Ready  func(url string)
	Report func(error)
}

// A server has the state that handlers share.
type server struct {
	embedder embed.Embedder
	opts     Options
	metrics  metrics
	// admission bounds the requests with a body and the size of their bodies; working has an element for each request
	// in work.
	admission *listen.Admission
	working   chan struct{}
}

// A fault is an error with the HTTP status and message for the client.
type fault struct {
	status  int
	message string
}

func (f *fault) Error() string { return f.message }

func bad(format string, args ...any) error {
	return &fault{http.StatusBadRequest, fmt.Sprintf(format, args...)}
}

// wrap returns a handler that writes the result of h as JSON; form makes the body of an error.
func (s *server) wrap(path string, h func(*http.Request) (any, error), form func(*fault) any) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		begun := time.Now()
		s.metrics.Begin()
		status := http.StatusOK
		defer func() { s.metrics.End(path, status, time.Since(begun)) }()
		defer func() {
			if p := recover(); p != nil {
				s.report(fmt.Errorf("%s %s: panic: %v\n%s", r.Method, path, p, debug.Stack()))
				status = http.StatusInternalServerError
				s.write(w, status, form(&fault{status, "internal error"}))
			}
		}()
		answer, err := s.admit(w, r, h)
		if err != nil {
			f := s.faultOf(r.Context(), err)
			status = f.status
			if status == http.StatusServiceUnavailable {
				w.Header().Set("Retry-After", "1")
			}
			answer = form(f)
		}
		s.write(w, status, answer)
	})
}

// admit calls h unless too many requests or bodies are in memory.
func (s *server) admit(w http.ResponseWriter, r *http.Request, h func(*http.Request) (any, error)) (any, error) {
	leave := s.admission.Enter(w, r)
	if leave == nil {
		return nil, &fault{http.StatusServiceUnavailable, "too many requests at once"}
	}
	defer leave()
	return h(r)
}

// faultOf converts an error into a fault.
func (s *server) faultOf(ctx context.Context, err error) *fault {
	var f *fault
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &f):
		return f
	case errors.As(err, &large):
		return &fault{http.StatusRequestEntityTooLarge, fmt.Sprintf("the request is larger than %d bytes", maxBody)}
	case ctx.Err() != nil:
		return &fault{http.StatusServiceUnavailable, "the request was given up, or the server stops"}
	}
	s.report(err)
	if provider.IsUnreachable(err) {
		return &fault{http.StatusBadGateway, "the embedding provider behind this server does not answer"}
	}
	return &fault{http.StatusInternalServerError, "embed: " + err.Error()}
}

func (s *server) report(err error) {
	if s.opts.Report != nil {
		s.opts.Report(err)
	}
}

func (s *server) write(w http.ResponseWriter, status int, answer any) {
	data, err := json.Marshal(answer)
	if err != nil {
		status, data = http.StatusInternalServerError, []byte(`{"error":"encode answer"}`)
		s.report(fmt.Errorf("encode answer: %w", err))
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	w.Write(append(data, '\n')) // the error is ignored: the client is gone
}

// vectors embeds the texts of a request; it waits until fewer than Jobs requests are in work.
func (s *server) vectors(ctx context.Context, mode embed.Mode, texts []string) (vectors [][]float32, tokens int, err error) {
	if len(texts) == 0 {
		return nil, 0, bad("no texts")
	}
	for i, text := range texts {
		n := embed.EstimateTokens(text)
		if len(text) > maxText || s.opts.MaxTokens > 0 && n > s.opts.MaxTokens {
			return nil, 0, bad("text %d is too long: about %d tokens, at most %d bytes and %s", i, n, maxText, tokenBound(s.opts.MaxTokens))
		}
		tokens += n
	}
	select {
	case s.working <- struct{}{}:
		defer func() { <-s.working }()
	case <-ctx.Done():
		return nil, 0, ctx.Err()
	}
	vectors, err = s.embedder.Embed(ctx, mode, texts)
	if err != nil {
		return nil, 0, err
	}
	if len(vectors) != len(texts) {
		return nil, 0, fmt.Errorf("%d vectors for %d texts", len(vectors), len(texts))
	}
	s.metrics.embedded(len(texts), tokens)
	return vectors, tokens, nil
}

func tokenBound(n int) string {
	if n == 0 {
		return "any number of tokens are allowed"
	}
	return fmt.Sprintf("%d tokens are allowed", n)
}

// Limits of a request.
const (
	maxBody  = 16 << 20
	maxTexts = 2048
	maxText  = 1 << 20
	// maxBodies is the greatest size in bytes of the bodies of all requests together. Decoded, they take some three
	// times as much memory.
	maxBodies = 18 * maxBody
	// queued is the number of requests that may wait for each one in work.
	queued = 16
)
