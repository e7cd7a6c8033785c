package serve

import (
	"net/http"
	"sync/atomic"

	"cortex/lib/listen"
)

// metrics counts what the server does.
type metrics struct {
	listen.Metrics
	texts, tokens atomic.Int64
}

func (m *metrics) embedded(texts, tokens int) {
	m.texts.Add(int64(texts))
	m.tokens.Add(int64(tokens))
}

// serveMetrics answers in Prometheus' text format.
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
