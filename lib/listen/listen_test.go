package listen

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func TestIsLocal(t *testing.T) {
	for address, want := range map[string]bool{
		"127.0.0.1": true, "127.0.0.1:80": true, "127.1.2.3:80": true, "localhost": true, "LOCALHOST:80": true, "[::1]": true, "[::1]:80": true, "::1": true,
		"": false, ":80": false, "0.0.0.0:80": false, "[::]:80": false, "localhost.evil.example": false, "127.0.0.1.evil.example:80": false, "evil.example": false,
		"2130706433": false, "0x7f.1": false, "127.1": false, "[::ffff:127.0.0.1]:80": true,
	} {
		if IsLocal(address) != want {
			t.Errorf("%q: %v", address, !want)
		}
	}
}

// waiting is a connection whose client does not read.
type waiting struct {
	*httptest.ResponseRecorder
	deadlines []time.Time
}

func (w *waiting) SetWriteDeadline(until time.Time) error {
	w.deadlines = append(w.deadlines, until)
	return nil
}

// TestClientsMustRead: every write gets a deadline, even through other writers.
func TestClientsMustRead(t *testing.T) {
	w := &waiting{ResponseRecorder: httptest.NewRecorder()}
	patient(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusOK)
		for range 3 {
			io.WriteString(w, "x")
			w.(http.Flusher).Flush()
		}
	})).ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
	if len(w.deadlines) != 8 || w.Body.String() != "xxx" || !w.Flushed {
		t.Errorf("%d times, %q", len(w.deadlines), w.Body)
	}
	for _, until := range w.deadlines {
		if left := time.Until(until); left <= 0 || left > unread {
			t.Errorf("until %v", left)
		}
	}
}

// TestConnectionsAreBounded opens one connection more than allowed. It is accepted when another ends, and none is
// accepted after the listener was closed.
func TestConnectionsAreBounded(t *testing.T) {
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := &limited{Listener: inner, open: make(chan struct{}, 1), closed: make(chan struct{})}
	accepted := make(chan net.Conn)
	ended := make(chan error, 1)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				ended <- err
				return
			}
			accepted <- c
		}
	}()
	for range 3 {
		c, err := net.Dial("tcp", inner.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
	}
	for range 2 {
		c := <-accepted
		if len(l.open) != 1 {
			t.Errorf("%d are open", len(l.open))
		}
		c.Close()
		c.Close() // counts once
	}
	<-accepted
	l.Close()
	l.Close()
	if err := <-ended; err == nil {
		t.Error("no error")
	}
}

// TestAdmission fills the room for bodies, and admits small bodies in addition.
func TestAdmission(t *testing.T) {
	a := NewAdmission(4, 100, 150, 10)
	enter := func(length int64, body string) (func(), *http.Request) {
		r := httptest.NewRequest("POST", "/", strings.NewReader(body))
		r.ContentLength = length
		return a.Enter(httptest.NewRecorder(), r), r
	}
	first, _ := enter(-1, "") // may be 100
	if first == nil {
		t.Fatal("refused")
	}
	if second, _ := enter(60, ""); second != nil {
		t.Error("60 of 50 admitted")
	}
	second, _ := enter(50, "")
	small, r := enter(10, strings.Repeat("x", 200))
	if second == nil || small == nil {
		t.Fatal("refused")
	}
	if data, err := io.ReadAll(r.Body); err == nil || len(data) > 100 {
		t.Errorf("%d bytes, %v", len(data), err)
	}
	if last, _ := enter(1, ""); last == nil {
		t.Error("refused")
	}
	if fifth, _ := enter(1, ""); fifth != nil {
		t.Error("a fifth admitted")
	}
	first()
	if again, _ := enter(100, ""); again == nil {
		t.Error("no room after another has left")
	}
}

// TestRunEndsWithCalls: requests still running after the grace period are cancelled.
func TestRunEndsWithCalls(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for the end of the grace")
	}
	ctx, stop := context.WithCancel(t.Context())
	url, done, cancelled := make(chan string, 1), make(chan error, 1), make(chan struct{})
	h := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		stop()
		<-r.Context().Done()
		close(cancelled)
	})
	go func() {
		done <- Run(ctx, h, Options{Address: "127.0.0.1:0", Request: time.Minute, Ready: func(at string) { url <- at }})
	}()
	if answer, err := http.Get(<-url); err == nil {
		answer.Body.Close()
	}
	<-cancelled
	if err := <-done; err != nil {
		t.Error(err)
	}
}
