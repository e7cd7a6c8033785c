package listen

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// StatusClientLeft stands in Metrics for the status of a request whose client left before it was answered. nginx counts
// such requests by this number too.
const StatusClientLeft = 499

// Metrics counts requests. The zero value is ready to use.
type Metrics struct {
	mu       sync.Mutex
	requests map[outcome]int
	counts   []int // requests by duration bucket; the last bucket has no bound
	seconds  float64
	inFlight int
}

type outcome struct {
	path   string
	status int
}

// buckets are the upper bounds of the histogram of durations, in seconds.
func buckets() []float64 {
	return []float64{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10}
}

// Begin counts the start of a request.
func (m *Metrics) Begin() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.inFlight++
}

// End counts the end of a request. The number of different paths must be small.
func (m *Metrics) End(path string, status int, took time.Duration) {
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

// Text is a response in Prometheus' text format, version 0.0.4.
type Text struct{ b strings.Builder }

// Head begins a metric.
func (t *Text) Head(name, kind, help string) {
	fmt.Fprintf(&t.b, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}

// Linef adds a line. The format must end with a newline.
func (t *Text) Linef(format string, args ...any) { fmt.Fprintf(&t.b, format, args...) }

// Requests adds the counts of m, with names that begin with prefix.
func (t *Text) Requests(prefix string, m *Metrics) {
	m.mu.Lock()
	defer m.mu.Unlock()
	t.Head(prefix+"_requests_total", "counter", "Requests that were answered.")
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
		t.Linef("%s_requests_total{path=%s,code=\"%d\"} %d\n", prefix, Label(o.path), o.status, m.requests[o])
	}
	t.Head(prefix+"_requests_in_flight", "gauge", "Requests that are being answered.")
	t.Linef("%s_requests_in_flight %d\n", prefix, m.inFlight)
	t.Head(prefix+"_request_seconds", "histogram", "How long requests took.")
	sum, bounds := 0, buckets()
	for i, n := range m.counts {
		sum += n
		bound := "+Inf"
		if i < len(bounds) {
			bound = strconv.FormatFloat(bounds[i], 'g', -1, 64)
		}
		t.Linef("%s_request_seconds_bucket{le=\"%s\"} %d\n", prefix, bound, sum)
	}
	t.Linef("%s_request_seconds_sum %g\n%s_request_seconds_count %d\n", prefix, m.seconds, prefix, sum)
}

// Label quotes the value of a label.
func Label(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(text) + `"`
}

// Write sends the text as the response.
func (t *Text) Write(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	w.Write([]byte(t.b.String())) // an error means that the client is gone
}
