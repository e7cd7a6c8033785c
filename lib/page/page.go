// Package page shows what is indexed to people, as pages in a browser: search, files, relations and the state of the index.
//
// A request comes in as a URL, which says all of its state, and a page goes out that works without its script. What is searched is what lib/mcp lends
// (Library); index.go asks it. Begin with search.go.
//
// Everything that comes from a repository is text in these pages: html/template escapes it, code.go and document.go escape what they write themselves,
// and the Content-Security-Policy allows no script, style or image but those in static/.
package page

import (
	"bytes"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"html/template"
	"io"
	"iter"
	"net/http"
	"net/url"
	"runtime"
	"strconv"
)

//go:embed templates/*.html
var content embed.FS

var (
	//go:embed static/page.css
	styleSheet string
	//go:embed static/page.js
	script string
	//go:embed static/icon.svg
	icon string
)

// statics are the files that pages load: their names, types and contents.
func statics() [][3]string {
	return [][3]string{
		{"page.css", "text/css; charset=utf-8", styleSheet}, {"page.js", "text/javascript; charset=utf-8", script}, {"icon.svg", "image/svg+xml", icon},
	}
}

// Options are what pages need. All fields are required.
type Options struct {
	Library Library
	Version string
	// Report takes errors that are ours.
	Report func(error)
}

// A Server makes pages.
type Server struct {
	opts      Options
	templates *template.Template
	colours   colours
	// turns has a token for each page that is being made. Others wait, and most of them for nothing: as a person types on, they are given up.
	turns chan struct{}
}

// New returns a server of pages of what the library has.
func New(opts Options) *Server {
	functions := template.FuncMap{"static": versioned, "number": grouped, "add": func(a, b int) int { return a + b }}
	return &Server{opts: opts, templates: template.Must(template.New("").Funcs(functions).ParseFS(content, "templates/*.html")), turns: make(chan struct{}, max(2, runtime.GOMAXPROCS(0)))}
}

// Handlers are the pages by the pattern of their paths, as http.ServeMux takes it.
func (s *Server) Handlers() iter.Seq2[string, http.Handler] {
	return func(yield func(string, http.Handler) bool) {
		for _, route := range []struct {
			pattern string
			answer  func(context.Context, url.Values) (*view, error)
		}{
			{"/{$}", s.search}, {"/file", s.file}, {"/relations", s.relations}, {"/status", s.status},
		} {
			if !yield(route.pattern, s.handler(route.answer)) {
				return
			}
		}
		yield("/static/{name}", http.HandlerFunc(serveStatic))
	}
}

// A view is a page: what the template shows, in the frame that all have in common.
type view struct {
	Template string
	Title    string
	// Status is the HTTP status, 0 for 200.
	Status int
	// State is what is searched, for the form at the head of each page.
	State   state
	Kinds   []choice
	Version string
	// Here is the page of the menu, "" for none of them.
	Here string
	// StatusURL is that of the state of the index.
	StatusURL string
	Body      any
}

// fault is a request that cannot be answered, and why.
type fault struct {
	status  int
	message string
}

func (f *fault) Error() string { return f.message }

func badRequest(format string, args ...any) error {
	return &fault{http.StatusBadRequest, fmt.Sprintf(format, args...)}
}

func notFound(format string, args ...any) error {
	return &fault{http.StatusNotFound, fmt.Sprintf(format, args...)}
}

// partHeader asks for the part of a page that changes as a person types.
const partHeader = "X-Cortex-Part"

// policy allows what stands in static/ and nothing else.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

func secure(h http.Header) {
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
}

func (s *Server) handler(answer func(context.Context, url.Values) (*view, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case s.turns <- struct{}{}:
			defer func() { <-s.turns }()
		case <-r.Context().Done():
			return
		}
		v, err := answer(r.Context(), r.URL.Query())
		if r.Context().Err() != nil {
			return // the person has typed on
		}
		if err != nil {
			v = s.failure(r, err)
		}
		if v.Status == 0 {
			v.Status = http.StatusOK
		}
		v.Version, v.StatusURL = s.opts.Version, "/status"
		if v.Kinds == nil {
			v.Kinds = v.State.kinds("")
		}
		name := "page"
		if r.Header.Get(partHeader) != "" {
			name = "part"
		}
		var b bytes.Buffer
		if err := s.templates.ExecuteTemplate(&b, name, v); err != nil {
			s.opts.Report(fmt.Errorf("page %s: %w", r.URL.Path, err))
			http.Error(w, "internal error", http.StatusInternalServerError)
			return
		}
		secure(w.Header())
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Vary", partHeader)
		w.Header().Set("Content-Length", strconv.Itoa(b.Len()))
		w.WriteHeader(v.Status)
		w.Write(b.Bytes()) // a client that is gone needs no answer
	})
}

// failure is the page that says what went wrong.
func (s *Server) failure(r *http.Request, err error) *view {
	st, _ := readState(r.URL.Query())
	v := &view{Template: "message", Title: "Not possible", Status: http.StatusInternalServerError, State: st}
	var f *fault
	switch {
	case errors.As(err, &f):
		v.Status = f.status
		if v.Status == http.StatusNotFound {
			v.Title = "Not found"
		}
	case errors.Is(err, context.DeadlineExceeded):
		v.Status = http.StatusServiceUnavailable
	}
	v.Body = explained(err)
	return v
}

// versioned is the URL of a file that pages load. It has the beginning of its digest, so that a browser keeps each version as long as it likes.
func versioned(name string) (string, error) {
	for _, file := range statics() {
		if file[0] == name {
			sum := sha256.Sum256([]byte(file[2]))
			return "/static/" + name + "?v=" + hex.EncodeToString(sum[:4]), nil
		}
	}
	return "", fmt.Errorf("no file %q", name)
}

func serveStatic(w http.ResponseWriter, r *http.Request) {
	secure(w.Header())
	for _, file := range statics() {
		if file[0] != r.PathValue("name") {
			continue
		}
		w.Header().Set("Content-Type", file[1])
		w.Header().Set("Cache-Control", "private, max-age=31536000, immutable")
		w.Header().Set("Content-Length", strconv.Itoa(len(file[2])))
		io.WriteString(w, file[2]) // a client that is gone needs no answer
		return
	}
	http.NotFound(w, r)
}

// grouped is a number with its thousands apart.
func grouped(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
