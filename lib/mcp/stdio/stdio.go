// Package stdio carries the messages of the Model Context Protocol on a pair of streams: Serve reads them, one a line, has each answered in a goroutine of
// its own, and writes the answers. It bounds what a client can make the server keep, cancels what a client withdraws, and ends in time when the input ends.
package stdio

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	protocol "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"golang.org/x/sync/semaphore"

	"cortex/lib/mcp/hangup"
)

// ErrWithdrawn is why the context of a request ends that its client has cancelled.
var ErrWithdrawn = errors.New("cancelled by the client")

// ErrLeaving is why the context of a request ends whose process leaves others to lead. It is not answered: whoever passed it on asks the next one.
var ErrLeaving = errors.New("this process ends")

// errInputEnded is why the context of a request ends that was still running some time after the end of the input.
var errInputEnded = errors.New("the input ended before the answer was ready")

// The server ends within a second of the end of its input. Calls go on for LastAnswers, so that a request that is piped into the
// server is answered; then they are cancelled and have lastWords to say so. The rest of CloseTimeout is for what else has to be closed.
const (
	LastAnswers  = 700 * time.Millisecond
	lastWords    = 100 * time.Millisecond
	CloseTimeout = 200 * time.Millisecond
)

// Bounds on what a client can make the server keep.
const (
	// MaxMessage is the length of a message in bytes. The longest that a schema admits has eleven texts of 20,000 characters, which are
	// 2.6 MB if each character is written as two escapes. Nesting is bounded by encoding/json.
	MaxMessage = 4 << 20
	// maxWaiting bounds the messages that are kept until their answers are written: their bytes, and waitingOverhead for each. Read by
	// the library, a message can take fifty times its length.
	maxWaiting      = 8 << 20
	waitingOverhead = 4 << 10
	// MaxRunning is how many of them are answered at the same time, or have an answer that is not written yet.
	MaxRunning = 64
	// maxUnread is how long the server waits for a client that reads no answer and has sent so much that no more can be kept.
	maxUnread = time.Minute
	// admitStep is how long the server waits for room before it looks again.
	admitStep = 100 * time.Millisecond
	// blockSize is how much is read at once.
	blockSize = 64 << 10
)

// errUnread is the cause of a writeError where the output is open and nobody reads it.
var errUnread = errors.New("nobody reads the answers")

// A Stream carries messages, one a line, between a client and a server.
//
// The library's own loop drops what is still being answered when the input ends, and a
// last line without an end; it loses a cancellation that arrives before its request has
// begun; and its session is state of the package, so that two servers in one process would share it.
type Stream struct {
	// answers answers a message; nil is no answer.
	answers func(ctx context.Context, m *Message) protocol.JSONRPCMessage
	report  func(error)
	// stop ends all requests, with the reason.
	stop context.CancelCauseFunc

	out io.Writer
	// writing holds a token while somebody writes to out, which may block for good; so nobody waits for it alone.
	writing chan struct{}
	// writes is when the write began that goes on, in nanoseconds since 1970; 0 if none does.
	writes atomic.Int64
	// left is closed when nothing more is to be written.
	left chan struct{}
	// room is what is left of maxWaiting; slots holds a token for each request that is answered, of MaxRunning.
	room  *semaphore.Weighted
	slots chan struct{}

	requests sync.WaitGroup
	calls    Calls
}

// A Message is a line of the input.
type Message struct {
	Line []byte
	// tooLong tells that Line is only the beginning of it, and tail the end.
	tooLong bool
	tail    []byte
	// ID is its identifier as it was written, nil if there is none, and Method what is asked.
	ID     json.RawMessage
	Method string
	// weight is what it takes of the room.
	weight int64
}

// idWithin is how many bytes of the beginning and of the end of a message that is too long are searched for its identifier: clients write
// it either before the parameters or behind them.
const idWithin = 512

// The identifier of a message that is too long is its first member, or its last, but for members with short texts. What is before the brace at
// the end of a message is no member of anything else.
const (
	idMember    = `"id"\s*:\s*("[^"\\]{1,100}"|-?[0-9]{1,18})\s*`
	shortMember = `"[a-z]{1,20}"\s*:\s*"[^"\\]{0,100}"\s*`
)

// findID looks for the identifier of a message that is too long, so that whoever asked does not wait for an answer.
func (m *Message) findID() json.RawMessage {
	for text, pattern := range map[string]string{
		string(m.Line): `^\{\s*(?:` + shortMember + `,\s*)*` + idMember + `,`,
		string(m.tail): `[,{]\s*` + idMember + `(?:,\s*` + shortMember + `)*\}$`,
	} {
		if found := regexp.MustCompile(pattern).FindStringSubmatch(text); found != nil {
			return json.RawMessage(found[1])
		}
	}
	return nil
}

// streamKey is that of the Stream in the context of a request.
type streamKey struct{}

// Of returns the stream on which a request came, whose client may be told of progress; nil if it came in another way.
func Of(ctx context.Context) *Stream {
	t, _ := ctx.Value(streamKey{}).(*Stream)
	return t
}

// An Envelope is what must be known of a message to pass it on.
type Envelope struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

// By lets a server of the library answer.
func By(srv *server.MCPServer) func(context.Context, *Message) protocol.JSONRPCMessage {
	return func(ctx context.Context, m *Message) protocol.JSONRPCMessage { return srv.HandleMessage(ctx, m.Line) }
}

// Serve reads messages until in ends, and returns when all requests are answered, or cancelled since they took too long. It ends early,
// at once, without an error when ctx does, and with one when out cannot be written. A read that blocks
// and requests that go on are left behind then, but write no more; so is a write that blocks. Requests go on
// for grace after the end of in, and leave is when the process should have ended.
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
	case t.writing <- struct{}{}: // nobody writes, and nobody will
	case <-time.After(CloseTimeout - lastWords): // before all is over
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

// read sends every line that is not blank until r ends, and waits while there is no room for more.
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

// readMessage reads a line and keeps no more than MaxMessage of it.
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

// admit waits for room for a message of in; false if there will be none. Where a client has sent as much as fits and reads no answer, both
// would wait for each other for good, and nobody would see the end of the input.
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

// receive starts answering a request and deals with everything else at once.
func (t *Stream) receive(ctx context.Context, m *Message) {
	if m.tooLong {
		response := protocol.NewJSONRPCError(requestID(m.ID), protocol.INVALID_REQUEST,
			fmt.Sprintf("the message has more than %d bytes", MaxMessage), nil)
		t.requests.Go(func() { t.finish(m, response) })
		return
	}
	var e Envelope
	if json.Unmarshal(m.Line, &e) != nil || len(e.ID) == 0 || string(e.ID) == "null" {
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
	ctx, over := t.calls.Track(ctx, "", m.ID)
	t.requests.Go(func() {
		defer over()
		t.answer(ctx, m)
	})
}

// answer lets the server answer the message, unless its client no longer wants that.
func (t *Stream) answer(ctx context.Context, m *Message) {
	select {
	case t.slots <- struct{}{}:
		defer func() { <-t.slots }()
	case <-ctx.Done(): // whoever answers sees it too, and says why
	}
	response := t.handle(context.WithValue(ctx, streamKey{}, t), m)
	if cause := context.Cause(ctx); cause == ErrWithdrawn || cause == ErrLeaving {
		response = nil
	}
	t.finish(m, response)
}

// finish writes the response, if there is one, and forgets the message.
func (t *Stream) finish(m *Message, response protocol.JSONRPCMessage) {
	defer t.room.Release(m.weight)
	if response == nil {
		return
	}
	data, err := json.Marshal(response)
	if err != nil {
		t.report(fmt.Errorf("encode response: %w", err))
		data, _ = json.Marshal(InternalError(m.ID, "the response cannot be encoded"))
	}
	t.Send(data)
}

// Send writes a message, unless nothing more is to be written.
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

// Notify writes a notification, unless nothing more is to be written.
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

// InternalError answers the request of that identifier that the server is at fault.
func InternalError(id json.RawMessage, text string) protocol.JSONRPCMessage {
	return protocol.NewJSONRPCError(requestID(id), protocol.INTERNAL_ERROR, text, nil)
}

func requestID(id json.RawMessage) protocol.RequestId {
	if id == nil {
		return protocol.NewRequestId(nil)
	}
	return protocol.NewRequestId(id)
}

// A writeError means that the client no longer listens.
type writeError struct{ err error }

func (e *writeError) Error() string { return "write message: " + e.err.Error() }
func (e *writeError) Unwrap() error { return e.err }
