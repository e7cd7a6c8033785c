// Package stdio carries messages of the Model Context Protocol on a pair of streams. Serve reads messages, one a line,
// answers each in its own goroutine, and writes the answers. It bounds what a client can make the server hold in
// memory, cancels calls that a client withdraws, and returns soon after the input ends.
package stdio

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
	"sync/atomic"
	"time"

	protocol "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"golang.org/x/sync/semaphore"

	"cortex/lib/mcp/hangup"
)

// ErrWithdrawn is the cause of a request's context if the client has cancelled the request.
var ErrWithdrawn = errors.New("cancelled by the client")

// ErrLeaving is the cause of a request's context if the process gives up the lead. The request gets no answer: the
// process that forwarded it asks the next leader.
var ErrLeaving = errors.New("this process ends")

// errInputEnded is the cause of a request's context if the request was still running some time after the end of the
// input.
var errInputEnded = errors.New("the input ended before the answer was ready")

// The server ends within a second of the end of its input. Requests then go on for LastAnswers, so that a request piped
// into the server is answered. After that they are cancelled and have lastWords to say so. CloseTimeout is for
// lastWords and for closing everything else.
const (
	LastAnswers  = 700 * time.Millisecond
	lastWords    = 100 * time.Millisecond
	CloseTimeout = 200 * time.Millisecond
)

// Bounds on what a client can make the server hold.
const (
	// MaxMessage is the longest message, in bytes. The longest message that a schema admits has eleven texts of 20,000
	// characters, which take 2.6 MB if each character is written as two escapes. encoding/json bounds the nesting.
	MaxMessage = 4 << 20
	// maxWaiting bounds the messages held until their answers are written: their bytes, plus waitingOverhead for each.
	// Once decoded by the library, a message can take fifty times its length.
	maxWaiting      = 8 << 20
	waitingOverhead = 4 << 10
	// MaxRunning is the number of requests that are in progress or have an answer that is not written yet.
	MaxRunning = 64
	// maxUnread is how long the server waits for a client that reads no answers and has sent as much as the server can
	// hold.
	maxUnread = time.Minute
	// admitStep is the time between two checks for room.
	admitStep = 100 * time.Millisecond
	// blockSize is the size of the read buffer, in bytes.
	blockSize = 64 << 10
)

// errUnread is the cause of a writeError if the output is open but nobody reads it.
var errUnread = errors.New("nobody reads the answers")

// A Stream carries messages, one a line, between a client and a server.
//
// The library's own loop has three faults: it drops requests in progress and a last line without a newline when the
// input ends; it loses a cancellation that arrives before its request has begun; and its session is package state,
// which two servers in one process would share.
type Stream struct {
	// answers answers a message; nil means no answer.
	answers func(ctx context.Context, m *Message) protocol.JSONRPCMessage
	report  func(error)
	// stop ends all requests, with the given cause.
	stop context.CancelCauseFunc

	out io.Writer
	// writing holds a token while a goroutine writes to out. A write may block forever, so goroutines that wait for the
	// token also wait for something else.
	writing chan struct{}
	// writes is when the current write began, in nanoseconds since 1970; 0 if there is none.
	writes atomic.Int64
	// left is closed when nothing more may be written.
	left chan struct{}
	// room is the free part of maxWaiting. slots holds a token for each running request, at most MaxRunning.
	room  *semaphore.Weighted
	slots chan struct{}

	requests sync.WaitGroup
	calls    Calls
}

// streamKey is the context key of the Stream on which a request came.
type streamKey struct{}

// Of returns the stream on which a request came, so that the client can be sent progress; nil if the request came
// another way.
func Of(ctx context.Context) *Stream {
	t, _ := ctx.Value(streamKey{}).(*Stream)
	return t
}

// By returns a function that answers messages with a server of the library.
func By(srv *server.MCPServer) func(context.Context, *Message) protocol.JSONRPCMessage {
	return func(ctx context.Context, m *Message) protocol.JSONRPCMessage { return srv.HandleMessage(ctx, m.Line) }
}

// Serve reads and answers messages until in ends and all requests are answered. After the end of in, requests have the
// time grace; then they are cancelled. Serve returns early, without an error, when ctx ends, and with an error when out
// cannot be written. Reads, writes and requests that block are abandoned then, and write nothing more. leave is the
// time by which the process should have ended.
func Serve(ctx context.Context, answers func(context.Context, *Message) protocol.JSONRPCMessage, in io.Reader, out io.Writer, grace time.Duration, report func(error)) (leave time.Time, err error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	t := &Stream{
		answers: answers, report: report, stop: stop, out: out, writing: make(chan struct{}, 1), left: make(chan struct{}),
		room: semaphore.NewWeighted(maxWaiting), slots: make(chan struct{}, MaxRunning),
	}
	messages := make(chan *Message)
	ended := make(chan error, 1)
	go func() { ended <- t.read(ctx, in, messages) }()
	for open := true; open; {
		select {
		case m := <-messages:
			t.receive(ctx, m)
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
	case <-time.After(grace):
		stop(errInputEnded)
		select {
		case <-idle:
		case <-time.After(lastWords):
		}
	}
	unread := ctx.Err() == nil || context.Cause(ctx) == errInputEnded
	close(t.left)
	select {
	case t.writing <- struct{}{}: // no goroutine writes, and none will
	case <-time.After(CloseTimeout - lastWords): // by then the process should have ended
		if unread && err == nil {
			err = &writeError{errUnread}
		}
	}
	var broken *writeError
	if cause := context.Cause(ctx); errors.As(cause, &broken) {
		err = cause
	}
	return end.Add(grace + CloseTimeout), err
}

// read sends every line that is not blank to messages until r ends. It waits while there is no room.
func (t *Stream) read(ctx context.Context, r io.Reader, messages chan<- *Message) error {
	buffered := bufio.NewReaderSize(r, blockSize)
	for {
		m, err := readMessage(buffered)
		if len(m.Line)+len(m.tail) > 0 {
			if m.weight = int64(len(m.Line)) + waitingOverhead; !t.admit(ctx, r, m.weight) {
				return nil
			}
			select {
			case messages <- m:
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

// readMessage reads a line. Of a line longer than MaxMessage it keeps only both ends.
func readMessage(r *bufio.Reader) (*Message, error) {
	m := &Message{}
	for {
		block, err := r.ReadSlice('\n')
		switch {
		case m.tooLong || len(m.Line)+len(block) > MaxMessage:
			if !m.tooLong {
				m.tooLong, m.Line = true, bytes.Clone(m.Line[:min(len(m.Line), idWithin)])
			}
			m.tail = append(m.tail, block[max(0, len(block)-idWithin):]...)
			m.tail = append(m.tail[:0], m.tail[max(0, len(m.tail)-idWithin):]...)
		default:
			m.Line = append(m.Line, block...)
		}
		if err != bufio.ErrBufferFull {
			m.Line, m.tail = bytes.TrimSpace(m.Line), bytes.TrimSpace(m.tail)
			if m.tooLong {
				m.ID = m.findID()
			}
			return m, err
		}
	}
}

// admit waits for room for a message, and returns false if there will be none. Without a time limit, a client that has
// filled the room and reads no answers would block itself and the server forever, and the server would never see the
// end of the input.
func (t *Stream) admit(ctx context.Context, in io.Reader, weight int64) bool {
	for {
		patient, cancel := context.WithTimeout(ctx, admitStep)
		err := t.room.Acquire(patient, weight)
		cancel()
		if err == nil || ctx.Err() != nil {
			return err == nil
		}
		limit := maxUnread
		if hangup.IsClosed(in) {
			limit = LastAnswers
		}
		if begun := t.writes.Load(); begun != 0 && time.Since(time.Unix(0, begun)) >= limit {
			t.stop(&writeError{errUnread})
			return false
		}
	}
}

// receive starts answering a request. Everything else is handled at once.
func (t *Stream) receive(ctx context.Context, m *Message) {
	if m.tooLong {
		response := protocol.NewJSONRPCError(requestID(m.ID), protocol.INVALID_REQUEST,
			fmt.Sprintf("the message has more than %d bytes", MaxMessage), nil)
		t.requests.Go(func() { t.finish(m, response) })
		return
	}
	e, err := Open(m.Line)
	if err != nil {
		response := protocol.NewJSONRPCError(requestID(nil), protocol.INVALID_REQUEST, err.Error(), nil)
		t.requests.Go(func() { t.finish(m, response) })
		return
	}
	if !e.isRequest() {
		var response protocol.JSONRPCMessage
		if e.Method == string(protocol.MethodNotificationCancelled) {
			t.calls.Withdraw("", e.Params)
		} else {
			response = t.handle(ctx, m)
		}
		t.requests.Go(func() { t.finish(m, response) })
		return
	}
	m.ID, m.Method = e.ID, e.Method
	ctx, over := t.calls.Track(e.WithToken(ctx), "", m.ID)
	t.requests.Go(func() {
		defer over()
		t.answer(ctx, m)
	})
}

// answer answers a request. It writes nothing if the client has withdrawn the request or the process gives up the lead.
func (t *Stream) answer(ctx context.Context, m *Message) {
	select {
	case t.slots <- struct{}{}:
		defer func() { <-t.slots }()
	case <-ctx.Done(): // the handler notices the end of ctx and answers with the reason
	}
	response := t.handle(context.WithValue(ctx, streamKey{}, t), m)
	if cause := context.Cause(ctx); cause == ErrWithdrawn || cause == ErrLeaving {
		response = nil
	}
	t.finish(m, response)
}

// finish writes the response, if there is one, and releases the message's room.
func (t *Stream) finish(m *Message, response protocol.JSONRPCMessage) {
	defer t.room.Release(m.weight)
	if response == nil {
		return
	}
	data, err := Encode(m.ID, response)
	if err != nil {
		t.report(fmt.Errorf("encode response: %w", err))
		data, _ = Encode(m.ID, InternalError(m.ID, "the response cannot be encoded"))
	}
	t.Send(data)
}

// Send writes a message, unless the stream has ended.
func (t *Stream) Send(data []byte) {
	select {
	case t.writing <- struct{}{}:
	case <-t.left:
		return
	}
	defer func() { <-t.writing }()
	select {
	case <-t.left:
		return
	default:
	}
	t.writes.Store(time.Now().UnixNano())
	defer t.writes.Store(0)
	if _, err := t.out.Write(append(data, '\n')); err != nil {
		t.stop(&writeError{err})
	}
}

// Notify writes a notification, unless the stream has ended.
func (t *Stream) Notify(method string, params map[string]any) {
	data, err := json.Marshal(map[string]any{"jsonrpc": protocol.JSONRPC_VERSION, "method": method, "params": params})
	if err != nil {
		t.report(err)
		return
	}
	t.Send(data)
}

func (t *Stream) handle(ctx context.Context, m *Message) (response protocol.JSONRPCMessage) {
	defer func() {
		if p := recover(); p != nil {
			t.report(fmt.Errorf("answer message: panic: %v\n%s", p, debug.Stack()))
			if m.ID != nil {
				response = InternalError(m.ID, fmt.Sprintf("internal error: %v", p))
			}
		}
	}()
	return t.answers(ctx, m)
}

// InternalError returns the response to a request that failed inside the server.
func InternalError(id json.RawMessage, text string) protocol.JSONRPCMessage {
	return protocol.NewJSONRPCError(requestID(id), protocol.INTERNAL_ERROR, text, nil)
}

func requestID(id json.RawMessage) protocol.RequestId {
	if id == nil {
		return protocol.NewRequestId(nil)
	}
	return protocol.NewRequestId(id)
}

// A writeError says that the client does not read any more.
type writeError struct{ err error }

func (e *writeError) Error() string { return "write message: " + e.err.Error() }
func (e *writeError) Unwrap() error { return e.err }
