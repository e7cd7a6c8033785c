package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// A message is one line to the server. id is the identifier of the answer that must come, "" if none must come.
type message struct{ line, id string }

// converse starts cortex-serve, sends it some messages, and checks that all are answered and that the server ends with
// its input.
func (c *hostile) converse(ctx context.Context) error {
	messages := []message{{`{"jsonrpc":"2.0","id":"first","method":"initialize","params":{"protocolVersion":"` + pick(c, "2025-06-18", "2024-11-05", "1") +
		`","capabilities":{},"clientInfo":{"name":"hostile","version":"1"}}}`, `"first"`}, {line: `{"jsonrpc":"2.0","method":"notifications/initialized"}`}}
	for i := range 1 + c.upTo(40) {
		messages = append(messages, c.message(i))
	}
	c.count(len(messages))
	p := c.process(ctx, "cortex-serve", "--no-watch")
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, theirs, err := os.Pipe()
	if err != nil {
		return err
	}
	defer out.Close()
	p.cmd.Stdout = theirs
	err = p.cmd.Start()
	theirs.Close()
	if err != nil {
		return err
	}
	d := &dialogue{c: c, wanted: map[string]bool{}, complete: make(chan struct{})}
	for _, m := range messages {
		if m.id != "" {
			d.wanted[m.id] = true
		}
	}
	sent, read := make(chan struct{}), make(chan error, 1)
	go func() {
		defer close(sent)
		for _, m := range messages {
			if _, err := io.WriteString(in, m.line+"\n"); err != nil {
				return // the server has ended
			}
		}
	}()
	if unread := c.IntN(6) == 0; unread { // the server must end even if the client reads nothing
		read <- nil
		time.AfterFunc(time.Second, func() { in.Close() })
	} else {
		go func() { read <- d.read(out) }()
		// The input ends when all requests are answered. If they are not, wait reports that the server hangs.
		go func() { <-d.complete; <-sent; in.Close() }()
	}
	err = p.wait()
	if wrong := <-read; wrong != nil {
		err = errors.Join(err, fmt.Errorf("%s: %w\n%s", p, wrong, p.complaints()))
		for _, m := range messages {
			err = fmt.Errorf("%w\n  %.400q", err, m.line)
		}
	}
	return err
}

// A dialogue is the state of a conversation: wanted are the identifiers of unanswered requests, and complete is closed
// when there are none.
type dialogue struct {
	c        *hostile
	wanted   map[string]bool
	complete chan struct{}
}

// read reads the server's messages until its end, and returns the first fault.
func (d *dialogue) read(r io.Reader) (wrong error) {
	buffered := bufio.NewReader(r)
	for done := false; ; {
		line, err := buffered.ReadBytes('\n')
		if len(line) > 0 && wrong == nil {
			wrong = d.take(line)
		}
		if !done && (len(d.wanted) == 0 || wrong != nil || err != nil) {
			close(d.complete)
			done = true
		}
		if err != nil && len(d.wanted) > 0 && wrong == nil {
			return fmt.Errorf("no answer to %v", d.wanted)
		}
		if err != nil {
			return wrong
		}
	}
}

// take checks one message.
func (d *dialogue) take(line []byte) error {
	var m struct {
		Version    string `json:"jsonrpc"`
		ID, Result json.RawMessage
		Method     string
		Error      *struct {
			Code    *int
			Message string
		}
	}
	id := ""
	switch {
	case json.Unmarshal(line, &m) != nil || m.Version != "2.0":
		return fmt.Errorf("a message that is not JSON-RPC: %.300q", line)
	case bytes.Contains(line, []byte(d.c.canary)):
		return fmt.Errorf("a message with what is outside of the tree: %.300q", line)
	case m.Method != "":
		return nil
	case (m.Result == nil) == (m.Error == nil) || m.Error != nil && m.Error.Code == nil:
		return fmt.Errorf("an answer without result or error: %.300q", line)
	}
	if id = string(m.ID); strings.HasPrefix(id, `"ours`) && !d.wanted[id] {
		return fmt.Errorf("another answer to the request %s", id)
	}
	delete(d.wanted, id)
	return nil
}

// message returns a random message. A message with an identifier of the form "ours N" must be answered, whatever its
// content.
func (c *hostile) message(number int) message {
	id := fmt.Sprintf(`"ours %d"`, number)
	request := func(method, params any) message {
		line, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": json.RawMessage(id), "method": method, "params": params})
		if err != nil { // the parameters are invalid JSON or nested too deeply
			return message{line: strings.ReplaceAll(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"ping","params":%s}`, id, params), "\n", "")}
		}
		return message{string(line), id}
	}
	ping := fmt.Sprintf(`{"jsonrpc":"2.0","id":"ping %d","method":"ping"}`, number)
	switch c.IntN(14) {
	case 0: // any method
		return request(pick(c, "ping", "tools/list", "resources/list", "resources/read", "prompts/get", "logging/setLevel", "completion/complete", "initialize", "tools/call", "roots/list", "sampling/createMessage", c.word()), json.RawMessage(c.literal()))
	case 1: // an invalid identifier
		return message{line: fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"ping"}`, c.literal())}
	case 2: // text that is no message
		text := pick(c, "", "null", "{}", "[]", "[[]]", "{", `"`, "\x00", "\xff", c.words(), c.literal(), strings.Repeat("[", c.upTo(1<<20)), `{"jsonrpc":"2.0"}{"jsonrpc":"2.0"}`, `{"jsonrpc":"2.0","method":"ping","id":{}}`, `{"id":1}`,
			`{"jsonrpc":"1.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","id":3,"result":{}}`, `{"jsonrpc":"2.0","id":3,"error":{"code":1}}`)
		return message{line: strings.NewReplacer("\n", "", "\r", "").Replace(text)}
	case 3: // a batch
		return message{line: "[" + strings.Repeat(ping+",", c.upTo(2000)) + ping + "]"}
	case 4: // a cancelled request
		return message{line: ping + "\n" + fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s}}`, pick(c, fmt.Sprintf(`"ping %d"`, number), c.literal()))}
	case 5: // too long
		return message{line: strings.Replace(ping, "ping\"}", strings.Repeat("a", 1+c.upTo(20<<20))+"\"}", 1)}
	}
	return request("tools/call", map[string]any{"name": pick(c, "cortex_search", "cortex_exact", "cortex_exact", "cortex_graph", "cortex_"), "arguments": c.arguments()})
}

// arguments returns random arguments for a tool, most of them of a valid type.
func (c *hostile) arguments() map[string]any {
	all := []struct {
		name  string
		value any
	}{
		{"topics", strings.SplitAfterN(c.words(), " ", 12)}, {"like", c.place()}, {"mode", c.fill("MODE")}, {"path", c.pattern()}, {"symbol_name", c.pattern()}, {"symbol_type", "function"}, {"languages", []string{"go", c.word()}},
		{"chunk_types", []string{"documentation", "symbols"}}, {"tags", []string{c.word()}}, {"context", pick(c, "full", "50", "0")}, {"limit", c.IntN(101)}, {"offset", c.upTo(1_000_000)}, {"max_tokens", pick(c, 500, 100_000)}, {"include_stats", true},
		{"to", c.place()}, {"depth", c.IntN(7)}, {"include_context", true}, {"min_confidence", c.Float64()}, {"format", pick(c, "json", "text", "mermaid", "dot")}, {c.word(), c.word()},
	}
	drawn := map[string]any{"query": pick[any](c, c.query(), c.words(), "file", []string{"file", c.word()})}
	if c.IntN(3) == 0 {
		drawn = map[string]any{"operation": c.fill("OPERATION"), "target": c.fill("TARGET")}
	}
	for range c.upTo(5) {
		a := pick(c, all...)
		if drawn[a.name] = a.value; c.IntN(6) == 0 {
			if raw := c.literal(); json.Valid([]byte(raw)) {
				drawn[a.name] = json.RawMessage(raw)
			}
		}
	}
	return drawn
}
