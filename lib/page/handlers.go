package page

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"strconv"
)

// Handlers returns the handlers of all pages by their patterns for http.ServeMux.
func (s *Server) Handlers() iter.Seq2[string, http.Handler] {
	return func(yield func(string, http.Handler) bool) {
		for _, route := range []struct {
			pattern string
			answer  func(context.Context, *loans, url.Values) (*view, error)
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

func (s *Server) handler(answer func(context.Context, *loans, url.Values) (*view, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case s.slots <- struct{}{}:
			defer func() { <-s.slots }()
		case <-r.Context().Done():
			return
		}
		l := &loans{indexes: s.opts.Indexes}
		defer l.giveBack()
		v, err := answer(r.Context(), l, r.URL.Query())
		if r.Context().Err() != nil {
			return // the person has typed on
		}
		if err != nil {
			v = s.failure(r, err)
		}
		if v.Status == 0 {
			v.Status = http.StatusOK
		}
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
		w.Write(b.Bytes()) // an error means that the client is gone
	})
}

// failure returns the page for an error.
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

// partHeader is the header of requests for only the part of a page that changes while a person types.
const partHeader = "X-Cortex-Part"

// policy allows the resources in static/ and no others.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

func secure(h http.Header) {
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
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
		io.WriteString(w, file[2]) // an error means that the client is gone
		return
	}
	http.NotFound(w, r)
}
