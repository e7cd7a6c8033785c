package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"sync"
	"time"

	protocol "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// errWithdrawn is why the context of a request ends that its client has cancelled.
var errWithdrawn = errors.New("cancelled by the client")

// errInputEnded is why the context of a request ends that was still running some time after the end of the input.
var errInputEnded = errors.New("the input ended before the answer was ready")

// The server ends within a second of the end of its input. Calls go on for lastAnswers, so that a request that is piped into the
// server is answered; then they are cancelled and have until lastWords to say so.
const (
	lastAnswers = 700 * time.Millisecond
	lastWords   = 800 * time.Millisecond
	farewell    = 900 * time.Millisecond
)

// A stdio carries messages, one a line, between a client and a server.
//
// The library's own loop drops what is still being answered when the input ends, and a
// last line without an end; it loses a cancellation that arrives before its request has
// begun; and its session is state of the package, so that two servers in one process would share it.
type stdio struct {
	server *server.MCPServer
	report func(error)
	// stop ends all requests, with the reason.
	stop context.CancelCauseFunc

	requests sync.WaitGroup
	mu       sync.Mutex
	out      io.Writer
	// running has what cancels each request, by its identifier as it was written.
	running map[string]*request
}

// A request is one that is being answered.
type request struct{ cancel context.CancelCauseFunc }

// envelope is what the loop must know of a message.
type envelope struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

// serve reads messages until in ends, and returns when all requests are answered, or cancelled since they took too long. It ends early,
// at once, without an error when ctx does, and with one when out cannot be written. A read that blocks
// and requests that go on are left behind then, but write no more. leave is when the process should have ended.
func serve(ctx context.Context, srv *server.MCPServer, in io.Reader, out io.Writer, report func(error)) (leave time.Time, err error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	t := &stdio{server: srv, report: report, stop: stop, out: out, running: map[string]*request{}}
	lines := make(chan []byte)
	ended := make(chan error, 1)
	go func() { ended <- readLines(ctx, in, lines) }()
	for open := true; open; {
		select {
		case line := <-lines:
			t.receive(ctx, line)
		case err = <-ended:
			open = false
		case <-ctx.Done():
			open = false
		}
	}
	end := time.Now()
	idle := make(chan struct{})
	go func() {
		t.requests.Wait()
		close(idle)
	}()
	select {
	case <-idle:
	case <-ctx.Done():
	case <-time.After(lastAnswers):
		stop(errInputEnded)
		select {
		case <-idle:
		case <-time.After(lastWords - lastAnswers):
		}
	}
	t.mu.Lock()
	t.out = io.Discard
	t.mu.Unlock()
	var broken *writeError
	if cause := context.Cause(ctx); errors.As(cause, &broken) {
		err = cause
	}
	return end.Add(farewell), err
}

// readLines sends every line that is not blank, of any length, until r ends.
func readLines(ctx context.Context, r io.Reader, lines chan<- []byte) error {
	buffered := bufio.NewReader(r)
	for {
		line, err := buffered.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 {
			select {
			case lines <- line:
			case <-ctx.Done():
				return nil
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read messages: %w", err)
		}
	}
}

// receive starts answering a request and deals with everything else at once.
func (t *stdio) receive(ctx context.Context, line []byte) {
	var e envelope
	if json.Unmarshal(line, &e) != nil || len(e.ID) == 0 || string(e.ID) == "null" {
		if e.Method == string(protocol.MethodNotificationCancelled) {
			t.withdraw(e.Params)
			return
		}
		t.answer(ctx, nil, line)
		return
	}
	ctx, cancel := context.WithCancelCause(ctx)
	id, r := string(e.ID), &request{cancel}
	t.mu.Lock()
	t.running[id] = r
	t.mu.Unlock()
	t.requests.Go(func() {
		defer cancel(nil)
		t.answer(ctx, e.ID, line)
		t.mu.Lock()
		if t.running[id] == r {
			delete(t.running, id)
		}
		t.mu.Unlock()
	})
}

// withdraw cancels the request that the parameters of a notification name.
func (t *stdio) withdraw(params json.RawMessage) {
	var p struct {
		RequestID json.RawMessage `json:"requestId"`
	}
	if json.Unmarshal(params, &p) != nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if r := t.running[string(p.RequestID)]; r != nil {
		r.cancel(errWithdrawn)
	}
}

// answer lets the server answer the message, unless its client no longer wants that.
func (t *stdio) answer(ctx context.Context, id json.RawMessage, line []byte) {
	response := t.handle(ctx, id, line)
	if response == nil || context.Cause(ctx) == errWithdrawn {
		return
	}
	data, err := json.Marshal(response)
	if err != nil {
		t.report(fmt.Errorf("encode response: %w", err))
		data, _ = json.Marshal(internalError(id, "the response cannot be encoded"))
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, err := t.out.Write(append(data, '\n')); err != nil {
		t.stop(&writeError{err})
	}
}

func (t *stdio) handle(ctx context.Context, id json.RawMessage, line []byte) (response protocol.JSONRPCMessage) {
	defer func() {
		if p := recover(); p != nil {
			t.report(fmt.Errorf("answer message: panic: %v\n%s", p, debug.Stack()))
			if id != nil {
				response = internalError(id, fmt.Sprintf("internal error: %v", p))
			}
		}
	}()
	return t.server.HandleMessage(ctx, line)
}

func internalError(id json.RawMessage, text string) protocol.JSONRPCMessage {
	return protocol.NewJSONRPCError(protocol.NewRequestId(id), protocol.INTERNAL_ERROR, text, nil)
}

// A writeError means that the client no longer listens.
type writeError struct{ err error }

func (e *writeError) Error() string { return "write message: " + e.err.Error() }
func (e *writeError) Unwrap() error { return e.err }
