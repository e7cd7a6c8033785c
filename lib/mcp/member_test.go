package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cortex/lib/embed"
	"cortex/lib/mcp/stdio"
	"cortex/lib/share"
	"cortex/lib/store"
)

// meeting returns a group in a folder whose path is short enough for a socket.
func meeting(t *testing.T) *share.Group {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "member")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	group, err := share.At(func(name string) string {
		if name == "XDG_RUNTIME_DIR" {
			return dir
		}
		return ""
	}, "test")
	if err != nil {
		t.Fatal(err)
	}
	return group
}

// A shared is one of several servers of the same store. keeping is closed when the server is told to keep the index.
type shared struct {
	t       *testing.T
	in      *io.PipeWriter
	out     *bufio.Reader
	done    chan error
	keeping chan struct{}
	stop    context.CancelFunc
}

func startShared(t *testing.T, root string, group *share.Group) *shared {
	t.Helper()
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	ctx, stop := context.WithCancel(t.Context())
	s := &shared{t, toServer, bufio.NewReader(fromServer), make(chan error, 1), make(chan struct{}), stop}
	opts := Options{
		Repositories: []Repository{{Root: func() string { return root }}},
		Embedding:    func(string) (embed.Config, error) { return embed.Config{}, nil },
		Version:      "1", Report: func(err error) { t.Errorf("reported: %v", err) }, Warn: t.Logf, Share: group,
		Keep: func(ctx context.Context) { close(s.keeping); <-ctx.Done() },
	}
	go func() {
		s.done <- Serve(ctx, in, out, opts)
		out.Close()
	}()
	t.Cleanup(func() { toServer.Close(); stop() })
	return s
}

// keeps reports whether the server keeps the index itself.
func (s *shared) keeps() bool {
	select {
	case <-s.keeping:
		return true
	default:
		return false
	}
}

// eventually waits until done reports true: a server that leads begins to keep the index while it answers.
func eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !done(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not within a minute", what)
		}
	}
}

func (s *shared) send(format string, args ...any) { fmt.Fprintf(s.in, format+"\n", args...) }

func (s *shared) receive() string {
	s.t.Helper()
	line, err := s.out.ReadString('\n')
	if err != nil {
		s.t.Fatal(err)
	}
	return line
}

const countedCall = `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"cortex_exact","arguments":{"query":"version1","format":"json"}}}`

func (s *shared) ask(id int) {
	s.t.Helper()
	s.send(countedCall, id)
	if got := s.receive(); !strings.Contains(got, fmt.Sprintf(`"id":%d,`, id)) || strings.Contains(got, "isError") || !strings.Contains(got, "total_found") {
		s.t.Errorf("got %s", got)
	}
}

// TestOneOfSeveralServersOpensTheIndex forwards calls to the leader, stops the leader, and checks that another server
// takes over.
func TestOneOfSeveralServersOpensTheIndex(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, store.Dir), some(3, 1))
	group := meeting(t)
	first := startShared(t, root, group)
	first.ask(1)
	var others []*shared
	for range 3 {
		others = append(others, startShared(t, root, group))
	}
	for i, s := range others {
		s.ask(1)
		s.ask(9007199254740993)
		s.send(strings.Replace(countedCall, "%d", `"<%d>"`, 1), i)
		if got := s.receive(); !strings.Contains(got, fmt.Sprintf(`"id":"<%d>",`, i)) {
			t.Errorf("%d: %s", i, got)
		}
		s.send(`{"jsonrpc":"2.0","id":"x","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
		if got := s.receive(); !strings.Contains(got, `"instructions"`) {
			t.Errorf("%d: %s", i, got)
		}
		if s.keeps() {
			t.Errorf("server %d keeps the index too", i)
		}
	}
	eventually(t, "the first keeps the index", first.keeps)
	first.in.Close()
	if err := <-first.done; err != nil {
		t.Error(err)
	}
	for _, s := range others {
		s.ask(2)
		s.ask(3)
	}
	keeping := func() (count int) {
		for _, s := range others {
			if s.keeps() {
				count++
			}
		}
		return count
	}
	eventually(t, "one of the others keeps the index", func() bool { return keeping() > 0 })
	if n := keeping(); n != 1 {
		t.Errorf("%d of the others keep the index", n)
	}
}

// TestCallIsAskedAgain has leaders that end before answering, after part of an answer, and after another process has
// ended the call.
func TestCallIsAskedAgain(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, store.Dir), some(3, 1))
	for name, end := range map[string]func(conn *share.Conn, lead *share.Lead){
		"at once":      func(conn *share.Conn, lead *share.Lead) {},
		"in an answer": func(conn *share.Conn, lead *share.Lead) { io.WriteString(conn, `{"jsonrpc":"2.0","id":7,"resu`) },
		"lead first":   func(conn *share.Conn, lead *share.Lead) { lead.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			group := meeting(t)
			lead, err := group.Lead()
			if err != nil {
				t.Fatal(err)
			}
			s := startShared(t, root, group)
			conn, err := lead.Accept()
			if err != nil {
				t.Fatal(err)
			}
			io.WriteString(conn, hello)
			s.send(countedCall, 7)
			line, err := bufio.NewReader(conn).ReadString('\n')
			if err != nil || !json.Valid([]byte(line)) || !strings.Contains(line, `"id":7`) {
				t.Fatalf("%v, %s", err, line)
			}
			end(conn, lead)
			conn.Close()
			lead.Close()
			if got := s.receive(); !strings.Contains(got, `"id":7,`) || !strings.Contains(got, "total_found") {
				t.Errorf("got %s", got)
			}
		})
	}
}

// TestWithdrawnCallIsPassedOn checks that the leader learns of a cancelled call, and that its progress is forwarded.
func TestWithdrawnCallIsPassedOn(t *testing.T) {
	group := meeting(t)
	lead, err := group.Lead()
	if err != nil {
		t.Fatal(err)
	}
	defer lead.Close()
	s := startShared(t, t.TempDir(), group)
	conn, err := lead.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	io.WriteString(conn, hello)
	in := bufio.NewReader(conn)
	s.send(countedCall, 1)
	if line, err := in.ReadString('\n'); err != nil || !strings.Contains(line, "tools/call") {
		t.Fatalf("%v, %s", err, line)
	}
	io.WriteString(conn, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":5}}`+"\n")
	if got := s.receive(); !strings.Contains(got, `"progress":5`) {
		t.Errorf("got %s", got)
	}
	s.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
	if line, err := in.ReadString('\n'); err != nil || !strings.Contains(line, `"notifications/cancelled","params":{"requestId":1}`) {
		t.Errorf("%v, %s", err, line)
	}
}

// TestSilentLeader gives up a leader that is connected but does not answer.
func TestSilentLeader(t *testing.T) {
	t.Parallel() // it waits
	group := meeting(t)
	lead, err := group.Lead()
	if err != nil {
		t.Fatal(err)
	}
	defer lead.Close()
	pinged := make(chan bool, 1)
	go func() {
		conn, err := lead.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		io.WriteString(conn, hello)
		data, _ := io.ReadAll(conn)
		pinged <- strings.Contains(string(data), `"ping"`)
	}()
	conn, err := group.Join()
	if err != nil {
		t.Fatal(err)
	}
	in, err := greeted(conn)
	if err != nil {
		t.Fatal(err)
	}
	l := newLeader(conn, in)
	l.patience = 200 * time.Millisecond
	if _, err := l.call(t.Context(), &stdio.Message{Line: []byte(`{}`), ID: json.RawMessage("1")}); !errors.Is(err, errSilent) {
		t.Errorf("got %v", err)
	}
	conn.Close()
	if !<-pinged {
		t.Error("it was not asked whether it lives")
	}
}

// TestMemberServesItselfWhereItIsTurnedAway has a leader that closes every connection.
func TestMemberServesItselfWhereItIsTurnedAway(t *testing.T) {
	if testing.Short() {
		t.Skip("waits")
	}
	root := t.TempDir()
	write(t, filepath.Join(root, store.Dir), some(3, 1))
	group := meeting(t)
	lead, err := group.Lead()
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		for {
			conn, err := lead.Accept()
			if err != nil {
				return
			}
			conn.Close()
		}
	}()
	defer lead.Close()
	s := startShared(t, root, group)
	s.ask(1)
	eventually(t, "the server keeps the index", s.keeps)
}
