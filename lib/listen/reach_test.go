package listen

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
)

// TestReach connects to servers of cortex and to others, which may answer anything.
func TestReach(t *testing.T) {
	for name, test := range map[string]struct {
		answer http.HandlerFunc
		well   bool
	}{
		"ours":      {func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, `{"status":"ok"}`) }, true},
		"another":   {func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "hello") }, false},
		"ill":       {func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, `{"status":"down"}`) }, false},
		"not found": {http.NotFound, false},
		"elsewhere": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://192.0.2.1/", http.StatusFound)
		}, false},
		"breaks off": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, false},
		"endless": {func(w http.ResponseWriter, r *http.Request) {
			for {
				if _, err := io.WriteString(w, "          "); err != nil {
					return
				}
			}
		}, false},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/health" {
				t.Errorf("%s: asked for %s", name, r.URL)
			}
			test.answer(w, r)
		}))
		if err := Reach(t.Context(), server.URL+"/mcp?x"); (err == nil) != test.well {
			t.Errorf("%s: %v", name, err)
		}
		server.Close()
	}
	if err := Reach(t.Context(), "http://127.0.0.1:1/mcp"); err == nil {
		t.Error("no error")
	}
}
