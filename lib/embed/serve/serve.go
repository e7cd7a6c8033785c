// Package serve is an HTTP server that embeds texts with any embedder. Commands on other machines, other programs and
// the providers' tests use it. serve.go has the routes, server.go the limits, and protocols.go a handler for each
// protocol.
//
//	POST /embed          Cortex's own protocol, which tells questions from passages
//	POST /v1/embeddings  OpenAI's (API reference, "Create embeddings")
//	GET  /v1/models      OpenAI's list of models
//	POST /api/embed      Ollama's (API documentation, "Generate Embeddings")
//	GET  /health         whether the server works, and with which model
//	GET  /metrics        Prometheus' text format
//
// It listens on loopback unless configured otherwise, and refuses requests from web pages; see lib/listen.
package serve

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"cortex/lib/embed"
	"cortex/lib/hint"
	"cortex/lib/listen"
)

// DefaultAddress is the default address of the server.
const DefaultAddress = "127.0.0.1:8121"

// Run serves until ctx ends. Then running requests have a short time to finish.
func Run(ctx context.Context, e embed.Embedder, opts Options) error {
	if err := checkAddress(opts); err != nil {
		return err
	}
	return listen.Run(ctx, Handler(e, opts), listen.Options{
		Address: opts.Address, Request: time.Minute, Advice: "choose another port with --listen 127.0.0.1:PORT", Ready: opts.Ready,
	})
}

// checkAddress refuses addresses that other machines can reach, unless opts.Remote is set.
func checkAddress(opts Options) error {
	if err := listen.CheckAddress(opts.Address); err != nil {
		return hint.Wrap(err, "the default is "+DefaultAddress)
	}
	if opts.Remote || listen.IsLocal(opts.Address) {
		return nil
	}
	return hint.Wrap(fmt.Errorf("listen on %q: other machines could reach it, and it asks nobody for a key", opts.Address),
		"listen on 127.0.0.1, or add --allow-remote")
}

// Handler returns the handler of all routes.
func Handler(e embed.Embedder, opts Options) http.Handler {
	jobs := max(1, opts.Jobs)
	if opts.MaxTokens == 0 {
		opts.MaxTokens = e.Card().MaxTokens
	}
	s := &server{embedder: e, opts: opts, admission: listen.NewAdmission(jobs*(queued+1), maxBody, maxBodies, 0), working: make(chan struct{}, jobs)}
	mux := http.NewServeMux()
	handle := func(pattern string, h func(*http.Request) (any, error), form func(*fault) any) {
		_, path, _ := strings.Cut(pattern, " ")
		mux.Handle(pattern, s.wrap(path, h, form))
	}
	handle("POST /embed", s.embed, plainFault)
	handle("POST /v1/embeddings", s.openai, openaiFault)
	handle("GET /v1/models", s.models, openaiFault)
	handle("POST /api/embed", s.ollama, plainFault)
	handle("GET /health", s.health, plainFault)
	mux.HandleFunc("GET /metrics", s.serveMetrics)
	mux.Handle("/", s.wrap("other", func(r *http.Request) (any, error) {
		return nil, &fault{status: http.StatusNotFound, message: fmt.Sprintf("no %.10s %.60q here; there are POST /embed, /v1/embeddings, /api/embed and GET /health, /metrics, /v1/models", r.Method, r.URL.Path)}
	}, plainFault))
	return listen.Guard(opts.Remote, func(w http.ResponseWriter, status int, message string) {
		s.write(w, status, plainFault(&fault{message: message}))
	}, mux)
}

// serveMetrics writes the metrics in Prometheus' text format.
func (s *server) serveMetrics(w http.ResponseWriter, _ *http.Request) {
	var t listen.Text
	t.Head("cortex_embed_model_info", "gauge", "The model that is served.")
	t.Linef("cortex_embed_model_info{model=%s,dimensions=\"%d\"} 1\n", listen.Label(s.embedder.Model()), s.embedder.Dimensions())
	t.Requests("cortex_embed", &s.metrics.Metrics)
	t.Head("cortex_embed_texts_total", "counter", "Texts that were embedded.")
	t.Linef("cortex_embed_texts_total %d\n", s.metrics.texts.Load())
	t.Head("cortex_embed_tokens_total", "counter", "Tokens of these texts, by estimate.")
	t.Linef("cortex_embed_tokens_total %d\n", s.metrics.tokens.Load())
	t.Write(w)
}
