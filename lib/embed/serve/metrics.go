package serve

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// buckets are the upper bounds of the histogram of durations, in seconds.
func buckets() []float64 {
	return []float64{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10}
}

// metrics counts what the server does.
type metrics struct {
	mu       sync.Mutex
	requests map[outcome]int
	counts   []int // of durations, by bucket; the last is beyond all
	seconds  float64
	inFlight int
	texts    int
	tokens   int
}

type outcome struct {
	path   string
	status int
}

func (m *metrics) begin() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.inFlight++
}

func (m *metrics) end(path string, status int, took time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	bounds := buckets()
	if m.requests == nil {
		m.requests = map[outcome]int{}
		m.counts = make([]int, len(bounds)+1)
	}
	m.inFlight--
	m.requests[outcome{path, status}]++
	seconds := took.Seconds()
	at, _ := slices.BinarySearch(bounds, seconds)
	m.counts[at]++
	m.seconds += seconds
}

func (m *metrics) embedded(texts, tokens int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.texts += texts
	m.tokens += tokens
}

// serveMetrics writes Prometheus' text format, version 0.0.4.
func (s *server) serveMetrics(w http.ResponseWriter, _ *http.Request) {
	m := &s.metrics
	var b strings.Builder
	head := func(name, kind, help string) {
		fmt.Fprintf(&b, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
	}
	head("cortex_embed_model_info", "gauge", "The model that is served.")
	fmt.Fprintf(&b, "cortex_embed_model_info{model=%s,dimensions=\"%d\"} 1\n", label(s.embedder.Model()), s.embedder.Dimensions())
	m.mu.Lock()
	head("cortex_embed_requests_total", "counter", "Requests that were answered.")
	outcomes := make([]outcome, 0, len(m.requests))
	for o := range m.requests {
		outcomes = append(outcomes, o)
	}
	slices.SortFunc(outcomes, func(a, b outcome) int {
		if c := strings.Compare(a.path, b.path); c != 0 {
			return c
		}
		return a.status - b.status
	})
	for _, o := range outcomes {
		fmt.Fprintf(&b, "cortex_embed_requests_total{path=%s,code=\"%d\"} %d\n", label(o.path), o.status, m.requests[o])
	}
	head("cortex_embed_requests_in_flight", "gauge", "Requests that are being answered.")
	fmt.Fprintf(&b, "cortex_embed_requests_in_flight %d\n", m.inFlight)
	head("cortex_embed_texts_total", "counter", "Texts that were embedded.")
	fmt.Fprintf(&b, "cortex_embed_texts_total %d\n", m.texts)
	head("cortex_embed_tokens_total", "counter", "Tokens of these texts, by estimate.")
	fmt.Fprintf(&b, "cortex_embed_tokens_total %d\n", m.tokens)
	head("cortex_embed_request_seconds", "histogram", "How long requests took.")
	sum := 0
	bounds := buckets()
	for i, n := range m.counts {
		sum += n
		bound := "+Inf"
		if i < len(bounds) {
			bound = strconv.FormatFloat(bounds[i], 'g', -1, 64)
		}
		fmt.Fprintf(&b, "cortex_embed_request_seconds_bucket{le=\"%s\"} %d\n", bound, sum)
	}
	fmt.Fprintf(&b, "cortex_embed_request_seconds_sum %g\ncortex_embed_request_seconds_count %d\n", m.seconds, sum)
	m.mu.Unlock()
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	w.Write([]byte(b.String())) // a client that is gone needs no answer
}

// label quotes the value of a label.
func label(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(text) + `"`
}
