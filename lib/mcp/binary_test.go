package mcp_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	client "github.com/modelcontextprotocol/go-sdk/mcp"
)

// buildServer builds cortex-serve.
func buildServer(t *testing.T) string {
	t.Helper()
	const root = "../.."
	// The go command caches a test's success by the files that the test reads. Files that the compiler reads are not
	// among them, so read them here.
	for _, tree := range []string{"cmd/cortex-serve", "lib", "go.mod"} {
		err := filepath.WalkDir(filepath.Join(root, tree), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || !entry.Type().IsRegular() {
				return err
			}
			_, err = os.ReadFile(path)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	binary := filepath.Join(t.TempDir(), "cortex-serve")
	if out, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", binary, root+"/cmd/cortex-serve").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return binary
}

func TestBinary(t *testing.T) {
	if os.Getenv("CORTEX_ALL_TESTS") == "" {
		t.Skip("linking a command takes seconds: CORTEX_ALL_TESTS=1 does")
	}
	binary := buildServer(t)
	root := t.TempDir()
	index(t, root, library()...)
	below := filepath.Join(root, "some", "folder")
	if err := os.MkdirAll(below, 0o777); err != nil {
		t.Fatal(err)
	}

	t.Run("client", func(t *testing.T) {
		for _, place := range []struct {
			dir  string
			args []string
		}{
			{t.TempDir(), []string{"--root", root}},
			{root, nil},
			{below, nil},
		} {
			cmd := exec.Command(binary, place.args...)
			cmd.Dir = place.dir
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			session := handshake(t, &client.CommandTransport{Command: cmd, TerminateDuration: patience}, "")
			list, err := session.ListTools(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			checkTools(t, list.Tools)
			if ids := found(t, session, "cortex_exact", object{"query": "deleteBefore"}); !slices.Equal(ids, []string{"code-impl-session/expiry.go#RemoveExpired"}) {
				t.Errorf("cortex_exact found %q", ids)
			}
			if ids := found(t, session, "cortex_search", object{"query": "how long to wait after a failed attempt"}); !slices.Contains(ids, "code-impl-net/retry.go#Backoff") {
				t.Errorf("cortex_search found %q", ids)
			}
			if text, failed := call(t, session, "cortex_search", object{"query": "x", "limits": 1}); !failed || !strings.Contains(text, `did you mean "limit"?`) {
				t.Errorf("got %s", text)
			}
			if err := session.Close(); err != nil {
				t.Errorf("close: %v", err)
			}
			if stderr.Len() > 0 {
				t.Errorf("standard error: %s", stderr.String())
			}
		}
	})

	// talk sends messages, closes the input when each has its answer, and returns the answers, sorted.
	talk := func(t *testing.T, dir string, args, messages []string) (answers []string, stderr string) {
		t.Helper()
		cmd := exec.Command(binary, args...)
		cmd.Dir = dir
		var said bytes.Buffer
		cmd.Stderr = &said
		stdin, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		stdout, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(patience, func() { cmd.Process.Kill() })
		defer timer.Stop()
		io.WriteString(stdin, strings.Join(messages, "\n")+"\n")
		lines := bufio.NewScanner(stdout)
		lines.Buffer(nil, 1<<20)
		for len(answers) < len(messages) && lines.Scan() {
			answers = append(answers, lines.Text())
		}
		stdin.Close()
		for lines.Scan() {
			answers = append(answers, lines.Text())
		}
		if err := cmd.Wait(); err != nil {
			t.Errorf("%v, %s", err, said.String())
		}
		slices.Sort(answers)
		return answers, said.String()
	}

	t.Run("input ends", func(t *testing.T) {
		answers, stderr := talk(t, "", []string{"--root", root}, []string{"oops",
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"cortex_exact","arguments":{"query":"deleteBefore"}}}`})
		if len(answers) != 2 || !strings.Contains(answers[0], `"id":1,`) || !strings.Contains(answers[0], "RemoveExpired") || !strings.Contains(answers[1], "-32700") {
			t.Errorf("got %q", answers)
		}
		if stderr != "" {
			t.Errorf("standard error: %s", stderr)
		}
	})

	t.Run("missing store", func(t *testing.T) {
		answers, stderr := talk(t, t.TempDir(), nil, []string{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"cortex_exact","arguments":{"query":"x"}}}`})
		for _, part := range []string{`"isError":true`, "no index in ", "cortex-parse . | cortex-chunk | cortex-embed | cortex-store"} {
			if len(answers) != 1 || !strings.Contains(answers[0], part) {
				t.Errorf("no %s in %q", part, answers)
			}
		}
		if !strings.Contains(stderr, "cortex-serve: load index: no index in ") {
			t.Errorf("standard error: %s", stderr)
		}
	})

	t.Run("SIGTERM", func(t *testing.T) {
		cmd := exec.Command(binary, "--root", root)
		stdin, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		defer stdin.Close()
		stdout, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(stdin, `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
		if line, err := bufio.NewReader(stdout).ReadString('\n'); err != nil || !strings.Contains(line, `"id":1`) {
			t.Errorf("%q, %v", line, err)
		}
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(patience, func() { cmd.Process.Kill() })
		defer timer.Stop()
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	})

	t.Run("client is gone", func(t *testing.T) {
		cmd := exec.Command(binary, "--root", root)
		stdin, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		defer stdin.Close()
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		var stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = w, &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		w.Close()
		r.Close()
		io.WriteString(stdin, `{"jsonrpc":"2.0","id":1,"method":"ping"}`+"\n")
		timer := time.AfterFunc(patience, func() { cmd.Process.Kill() })
		defer timer.Stop()
		if err := cmd.Wait(); err != nil || stderr.Len() > 0 {
			t.Errorf("%v, %s", err, stderr.String())
		}
	})

	// A process holds the output open, but no process reads it.
	t.Run("output is unread", func(t *testing.T) {
		for _, requests := range []int{50, 3000} {
			cmd := exec.Command(binary, "--root", root)
			stdin, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			defer w.Close()
			var stderr bytes.Buffer
			cmd.Stdout, cmd.Stderr = w, &stderr
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			// 3,000 messages are more than the server holds, but less than the server and the pipe hold together.
			io.WriteString(stdin, strings.Repeat(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`+"\n", requests))
			stdin.Close()
			timer := time.AfterFunc(patience, func() { cmd.Process.Kill() })
			err = cmd.Wait()
			timer.Stop()
			if cmd.ProcessState.ExitCode() != 2 || !strings.Contains(stderr.String(), "write message: nobody reads the answers") {
				t.Errorf("%d requests: %v, %s", requests, err, stderr.String())
			}
		}
	})

	t.Run("usage", func(t *testing.T) {
		out, err := exec.Command(binary, "--help").Output()
		if err != nil {
			t.Error(err)
		}
		help := string(out)
		if !strings.Contains(help, "--root") || !strings.Contains(help, "cortex-serve setup ") || strings.Count(help, "\n") > 32 {
			t.Errorf("help:\n%s", help)
		}
		cmd := exec.Command(binary, "folder")
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		if err := cmd.Run(); cmd.ProcessState.ExitCode() != 2 || !strings.Contains(stderr.String(), `unexpected argument "folder"`) {
			t.Errorf("%v: %s", err, stderr.String())
		}
	})
}
