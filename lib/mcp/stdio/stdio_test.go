package stdio

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	protocol "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// message is what the server writes.
type message struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  json.RawMessage `json:"result"`
	Error   *struct {
		Code    int
		Message string
	}
}

// hand returns a server with a single tool, which calls f.
func hand(f server.ToolHandlerFunc) *server.MCPServer {
	srv := server.NewMCPServer("test", "0")
	srv.AddTool(protocol.Tool{Name: "f", RawInputSchema: json.RawMessage(`{"type":"object"}`)}, f)
	return srv
}

func echo(_ context.Context, r protocol.CallToolRequest) (*protocol.CallToolResult, error) {
	return protocol.NewToolResultText(string(r.Params.RawArguments)), nil
}

func noReport(t *testing.T) func(error) {
	return func(err error) { t.Errorf("reported: %v", err) }
}

// run serves the whole input and returns the messages by their identifier.
func run(t *testing.T, srv *server.MCPServer, report func(error), input string) map[string]message {
	t.Helper()
	var out bytes.Buffer
	// On a busy machine, answers take longer.
	synctest.Test(t, func(t *testing.T) {
		if _, err := Serve(t.Context(), By(srv), strings.NewReader(input), &out, time.Minute, report); err != nil {
			t.Fatal(err)
		}
	})
	return messages(t, &out)
}

func messages(t *testing.T, r io.Reader) map[string]message {
	t.Helper()
	all := map[string]message{}
	dec := json.NewDecoder(r)
	for {
		var m message
		err := dec.Decode(&m)
		if err == io.EOF {
			return all
		}
		if err != nil || m.JSONRPC != "2.0" {
			t.Fatalf("%v: %+v", err, m)
		}
		if _, twice := all[string(m.ID)]; twice {
			t.Errorf("two answers for %s", m.ID)
		}
		all[string(m.ID)] = m
	}
}

func TestInputIsAnsweredToItsEnd(t *testing.T) {
	long := strings.Repeat("long ", 1<<19)
	got := run(t, hand(echo), noReport(t), strings.Join([]string{
		`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"0"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		``,
		`   ` + "\r",
		`{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"f","arguments":{"x":"` + long + `"}}}` + "\r",
		`{"jsonrpc":"2.0","id":"b","method":"tools/call","params":{"name":"g"}}`,
		`{"jsonrpc":"2.0","id":2,"method":"no/such"}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":[1]}`,
		`{"jsonrpc":"2.0","method":"notifications/unheard-of","params":{}}`,
		`{"jsonrpc":"2.0","id":3,"method":"ping"}`, // the last line has no end
	}, "\n"))
	if !strings.Contains(string(got["0"].Result), `"protocolVersion":"2025-06-18"`) {
		t.Errorf("initialize: %s", got["0"].Result)
	}
	if n := len(got[`"a"`].Result); n < len(long) {
		t.Errorf("long call: %d bytes", n)
	}
	if e := got[`"b"`].Error; e == nil || e.Code != -32602 {
		t.Errorf("unknown tool: %+v", e)
	}
	if e := got["2"].Error; e == nil || e.Code != -32601 {
		t.Errorf("unknown method: %+v", e)
	}
	if string(got["3"].Result) != "{}" {
		t.Errorf("ping: %s", got["3"].Result)
	}
	if len(got) != 5 {
		t.Errorf("%d answers, want 5", len(got))
	}
}

func TestBrokenInputIsAParseError(t *testing.T) {
	for _, line := range []string{
		`{"jsonrpc":"2.0","id":1,`,
		`not JSON`,
		"\x00\xff",
		`{"jsonrpc":"2.0","id":1,"method":7}`,
		strings.Repeat("[", 1<<20),
		`{"a":` + strings.Repeat(`{"a":`, 1<<18),
	} {
		got := run(t, hand(echo), noReport(t), line+"\n"+`{"jsonrpc":"2.0","id":9,"method":"ping"}`+"\n")
		if e := got["null"].Error; e == nil || e.Code != -32700 {
			t.Errorf("%.40q: %+v", line, e)
		}
		if string(got["9"].Result) != "{}" {
			t.Errorf("%.40q: the server did not go on: %+v", line, got)
		}
	}
}

// TestIdentifiersComeBackAsWritten has identifiers that the library would write in another way: it reads numbers as
// float64, and escapes characters of HTML.
func TestIdentifiersComeBackAsWritten(t *testing.T) {
	var input strings.Builder
	ids := []string{`9007199254740993`, `-9007199254740993`, `1e3`, `1.0`, `"a\u00e9 <&>"`, `123456789012345678901234567890`}
	for _, id := range ids {
		fmt.Fprintf(&input, `{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"f","arguments":{"x":"given"}}}`+"\n", id)
	}
	got := run(t, hand(echo), noReport(t), input.String())
	for _, id := range ids {
		if !strings.Contains(string(got[id].Result), "given") {
			t.Errorf("%s: no answer", id)
		}
	}
	for _, id := range ids {
		got := run(t, hand(echo), noReport(t), `{"jsonrpc":"2.0","id":`+id+`,"method":"no/such"}`)
		if e := got[id].Error; e == nil || e.Code != -32601 {
			t.Errorf("%s: %+v", id, got)
		}
	}
}

// TestProgressTokensComeBackAsWritten has tokens that the library would write in another way.
func TestProgressTokensComeBackAsWritten(t *testing.T) {
	srv := hand(func(ctx context.Context, _ protocol.CallToolRequest) (*protocol.CallToolResult, error) {
		Of(ctx).Notify("notifications/progress", map[string]any{"progressToken": Token(ctx)})
		return protocol.NewToolResultText(""), nil
	})
	for _, token := range []string{`9007199254740993`, `1.0`, `"a"`, `""`} {
		var out bytes.Buffer
		input := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"f","_meta":{"progressToken":` + token + `}}}`)
		if _, err := Serve(t.Context(), By(srv), input, &out, time.Minute, noReport(t)); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), `"params":{"progressToken":`+token+`}`) {
			t.Errorf("%s: %s", token, &out)
		}
	}
	for _, params := range []string{``, `[]`, `{"_meta":7}`, `{"_meta":{}}`, `{"_meta":{"progressToken":null}}`, `{"_meta":{"progressToken":{"a":1}}}`} {
		e := Envelope{Params: json.RawMessage(params)}
		if token := Token(e.WithToken(t.Context())); token != nil {
			t.Errorf("%s: %s", params, token)
		}
	}
}

func TestMessagesThatAreNoRequests(t *testing.T) {
	for line, want := range map[string]string{
		`{"jsonrpc":"2.0","id":{},"method":"ping"}`:            "id: expected a string or a number",
		`{"jsonrpc":"2.0","id":[1],"method":"ping"}`:           "id: expected a string or a number",
		`{"jsonrpc":"2.0","id":true,"method":"ping"}`:          "id: expected a string or a number",
		`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`:           "batches are not supported; send each message by itself",
		` [{"jsonrpc":"2.0","method":"notifications/x"}, 7 ] `: "batches are not supported; send each message by itself",
		`[]`: "batches are not supported; send each message by itself",
	} {
		got := run(t, hand(echo), noReport(t), line)
		if e := got["null"].Error; len(got) != 1 || e == nil || e.Code != -32600 || e.Message != want {
			t.Errorf("%s: %+v %+v", line, got, e)
		}
	}
}

// A message beyond the bound is refused with its identifier, wherever the identifier stands, and the next message is
// answered.
func TestTooLongMessageIsRefused(t *testing.T) {
	long := strings.Repeat("long ", MaxMessage/5)
	for line, id := range map[string]string{
		`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"f","arguments":{"x":"` + long + `"}}}`:                   `7`,
		`{"method":"tools/call","params":{"name":"f","arguments":{"id":1,"x":"` + long + `","id":2}},"jsonrpc":"2.0","id":"a-1"}`: `"a-1"`,
		`{ "id" : "b", "params":{"name":"f","arguments":{"x":"` + long + `"}}}` + "\r":                                            `"b"`,
		`{"id":8,"params":{"arguments":{"x":"` + long + `"}},"id":9.5,"id":10}`:                                                   `10`,
		`{"params":{"arguments":{"x":"` + long + `"},"id":3}}`:                                                                    `null`,
		`{"jsonrpc":"2.0","id":{"x":1},"params":"` + long + `"}`:                                                                  `null`,
		long + long + long: `null`,
	} {
		got := run(t, hand(echo), noReport(t), line+"\n"+`{"jsonrpc":"2.0","id":9,"method":"ping"}`)
		if e := got[id].Error; e == nil || e.Code != -32600 || !strings.Contains(e.Message, "4194304 bytes") {
			t.Errorf("%.80q: got %+v", line, got)
		}
		if string(got["9"].Result) != "{}" || len(got) != 2 {
			t.Errorf("%.80q: the server did not go on: %+v", line, got)
		}
	}
}

// A line without an end takes no memory beyond the bound.
func TestEndlessMessageIsNotKept(t *testing.T) {
	const size = 256 << 20
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var out bytes.Buffer
	if _, err := Serve(t.Context(), By(hand(echo)), io.LimitReader(endless{}, size), &out, time.Minute, noReport(t)); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > size/4 {
		t.Errorf("a line of %d bytes took %d", size, used)
	}
	if e := messages(t, &out)["null"].Error; e == nil || e.Code != -32600 {
		t.Errorf("got %+v", e)
	}
}

// endless is a text without a line end.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'a'
	}
	return len(p), nil
}

// Requests beyond the bounds wait, however many there are.
func TestManyMessagesWait(t *testing.T) {
	if testing.Short() {
		t.Skip("sends many messages")
	}
	var most, now atomic.Int32
	srv := hand(func(ctx context.Context, r protocol.CallToolRequest) (*protocol.CallToolResult, error) {
		if n := now.Add(1); n > most.Load() {
			most.Store(n)
		}
		defer now.Add(-1)
		return echo(ctx, r)
	})
	const calls = 3 * maxWaiting / waitingOverhead
	var in strings.Builder
	for i := range calls {
		fmt.Fprintf(&in, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"f","arguments":{"i":%d}}}`+"\n", i, i)
	}
	if got := run(t, srv, noReport(t), in.String()); len(got) != calls || most.Load() > MaxRunning {
		t.Errorf("%d answers for %d calls, %d at once", len(got), calls, most.Load())
	}
}

func TestPanicIsAnErrorOfItsRequest(t *testing.T) {
	var reports atomic.Int32
	srv := hand(func(context.Context, protocol.CallToolRequest) (*protocol.CallToolResult, error) { panic("boom") })
	got := run(t, srv, func(err error) {
		if !strings.Contains(err.Error(), "boom") || !strings.Contains(err.Error(), "stdio_test.go") {
			t.Errorf("no place in the report: %v", err)
		}
		reports.Add(1)
	}, `{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"f"}}`+"\n"+`{"jsonrpc":"2.0","id":9,"method":"ping"}`)
	if e := got[`"x"`].Error; e == nil || e.Code != -32603 || reports.Load() != 1 {
		t.Errorf("%+v, %d reports", e, reports.Load())
	}
	if string(got["9"].Result) != "{}" {
		t.Errorf("the server did not go on: %+v", got)
	}
}

// Every call waits until all have begun, so the test hangs if calls run one after another.
func TestCallsRunAtTheSameTime(t *testing.T) {
	const calls = 50
	var begun atomic.Int32
	all := make(chan struct{})
	srv := hand(func(ctx context.Context, r protocol.CallToolRequest) (*protocol.CallToolResult, error) {
		if begun.Add(1) == calls {
			close(all)
		}
		<-all
		return echo(ctx, r)
	})
	var input strings.Builder
	for i := range calls {
		fmt.Fprintf(&input, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"f","arguments":{"i":%d}}}`+"\n", i, i)
	}
	got := run(t, srv, noReport(t), input.String())
	for i := range calls {
		id := fmt.Sprint(i)
		if !strings.Contains(string(got[id].Result), fmt.Sprintf(`{\"i\":%d}`, i)) {
			t.Errorf("call %d: %+v", i, got[id])
		}
	}
}

// The cancellation is read immediately after its request, before the request has progressed.
func TestCancelledRequestIsNotAnswered(t *testing.T) {
	for _, id := range []string{`1`, `"one"`} {
		srv := hand(func(ctx context.Context, _ protocol.CallToolRequest) (*protocol.CallToolResult, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		})
		got := run(t, srv, noReport(t), `{"jsonrpc":"2.0","id":`+id+`,"method":"tools/call","params":{"name":"f"}}
{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":`+id+`,"reason":"changed my mind"}}
{"jsonrpc":"2.0","id":9,"method":"ping"}
`)
		if _, answered := got[id]; answered || len(got) != 1 {
			t.Errorf("got %+v", got)
		}
	}
}

func TestContextEndsServing(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	in, feed := io.Pipe() // never ends
	defer in.Close()
	begun := make(chan struct{})
	srv := hand(func(ctx context.Context, _ protocol.CallToolRequest) (*protocol.CallToolResult, error) {
		close(begun)
		<-ctx.Done()
		return nil, ctx.Err()
	})
	done := make(chan error)
	go func() { _, err := Serve(ctx, By(srv), in, io.Discard, time.Minute, noReport(t)); done <- err }()
	fmt.Fprintln(feed, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"f"}}`)
	<-begun
	cancel()
	if err := <-done; err != nil {
		t.Errorf("got %v", err)
	}
}

func TestClosedOutputEndsServing(t *testing.T) {
	in, feed := io.Pipe()
	out, sink := io.Pipe()
	out.CloseWithError(errors.New("gone"))
	done := make(chan error)
	go func() { _, err := Serve(t.Context(), By(hand(echo)), in, sink, time.Minute, noReport(t)); done <- err }()
	fmt.Fprintln(feed, `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	if err := <-done; err == nil || err.Error() != "write message: gone" {
		t.Errorf("got %v", err)
	}
}

// The server ends soon after its input, whatever its calls do. A call that heeds its context is answered with the
// reason; a call that does not is abandoned.
func TestCallsDoNotOutliveTheInput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		defer close(release)
		srv := server.NewMCPServer("test", "0")
		for name, work := range map[string]func(context.Context){
			"heeds":   func(ctx context.Context) { <-ctx.Done() },
			"ignores": func(context.Context) { <-release },
		} {
			srv.AddTool(protocol.Tool{Name: name, RawInputSchema: json.RawMessage(`{"type":"object"}`)},
				func(ctx context.Context, _ protocol.CallToolRequest) (*protocol.CallToolResult, error) {
					work(ctx)
					return nil, context.Cause(ctx)
				})
		}
		var out bytes.Buffer
		start := time.Now()
		leave, err := Serve(t.Context(), By(srv), strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ignores"}}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"heeds"}}
`), &out, LastAnswers, noReport(t))
		if err != nil || time.Since(start) > time.Second || leave.Sub(start) > time.Second {
			t.Errorf("after %v, to leave after %v: %v", time.Since(start), leave.Sub(start), err)
		}
		got := messages(t, &out)
		if e := got["2"].Error; len(got) != 1 || e == nil || !strings.Contains(e.Message, "the input ended") {
			t.Errorf("got %+v, error %+v", got, e)
		}
	})
}

// A client that does not read the output cannot keep the server from ending with its input.
func TestUnreadOutputEndsWithTheInput(t *testing.T) {
	for name, line := range map[string]string{
		"request":  `{"jsonrpc":"2.0","id":1,"method":"ping"}`,
		"no JSON":  `{`,
		"too long": strings.Repeat("a", MaxMessage+1),
	} {
		synctest.Test(t, func(t *testing.T) {
			out, sink := io.Pipe() // nobody reads
			defer out.Close()
			input := strings.Repeat(line+"\n"+`{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n", 3)
			start := time.Now()
			_, err := Serve(t.Context(), By(hand(echo)), strings.NewReader(input), sink, LastAnswers, noReport(t))
			if took := time.Since(start); took > time.Second || err == nil || err.Error() != "write message: nobody reads the answers" {
				t.Errorf("%s: after %v: %v", name, took, err)
			}
		})
	}
}

// Neither can a client that also keeps sending: once the server can hold no more, it ends after a while, not before.
func TestUnreadOutputEndsWithTooMuchInput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out, sink := io.Pipe()
		defer out.Close()
		in, feed := io.Pipe()
		defer in.Close()
		start := time.Now()
		go func() {
			for {
				if _, err := fmt.Fprintln(feed, `{"jsonrpc":"2.0","id":1,"method":"ping"}`); err != nil {
					return
				}
			}
		}()
		_, err := Serve(t.Context(), By(hand(echo)), in, sink, LastAnswers, noReport(t))
		if took := time.Since(start); took < maxUnread || took > 2*maxUnread || err == nil || err.Error() != "write message: nobody reads the answers" {
			t.Errorf("after %v: %v", took, err)
		}
	})
}

func TestReadErrorEndsServing(t *testing.T) {
	in, feed := io.Pipe()
	var out bytes.Buffer
	done := make(chan error)
	go func() { _, err := Serve(t.Context(), By(hand(echo)), in, &out, time.Minute, noReport(t)); done <- err }()
	w := bufio.NewWriter(feed)
	fmt.Fprintln(w, `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	w.Flush()
	feed.CloseWithError(errors.New("broken"))
	if err := <-done; err == nil || err.Error() != "read messages: broken" {
		t.Errorf("got %v", err)
	}
	if got := messages(t, &out); string(got["1"].Result) != "{}" {
		t.Errorf("what came before is not answered: %+v", got)
	}
}
