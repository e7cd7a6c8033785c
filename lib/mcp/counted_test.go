package mcp

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"cortex/lib/listen"
)

// A client that leaves while its request waits gets no status.
func TestMetricsCountClientsThatLeft(t *testing.T) {
	var w webServer
	left, cancel := context.WithCancel(t.Context())
	cancel()
	request := httptest.NewRequestWithContext(left, "GET", "/", nil)
	w.counted("page", func(http.ResponseWriter, *http.Request) {}).ServeHTTP(httptest.NewRecorder(), request)
	var text listen.Text
	text.Requests("cortex_serve", &w.metrics)
	out := httptest.NewRecorder()
	if text.Write(out); !strings.Contains(out.Body.String(), `cortex_serve_requests_total{path="page",code="499"} 1`) {
		t.Error(out.Body)
	}
}
