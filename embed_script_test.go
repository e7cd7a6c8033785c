package cortex_test

import (
	"bufio"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	"github.com/rogpeppe/go-internal/testscript"
)

// servers are the embedding servers of scripts, which run at once.
type servers struct {
	mu      sync.Mutex
	running map[*testscript.TestScript]*exec.Cmd
}

// start is `embedserver [FLAG...]`: it starts cortex-embed serve on a port of its own and sets $SERVER to its URL. The
// server is stopped at the end of the script, or by `stopserver`.
func (s *servers) start(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("usage: embedserver [FLAG...]")
	}
	s.end(ts)
	cmd := exec.Command(filepath.Join(bin, "cortex-embed"), append([]string{"serve", "--listen", "127.0.0.1:0"}, args...)...)
	cmd.Dir = ts.MkAbs(".")
	cmd.Env = []string{"HOME=" + ts.Getenv("HOME"), "GORACE=" + ts.Getenv("GORACE")}
	stderr, err := cmd.StderrPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	s.mu.Lock()
	s.running[ts] = cmd
	s.mu.Unlock()
	ts.Defer(func() { s.end(ts) })
	lines := bufio.NewReader(stderr)
	line, err := lines.ReadString('\n')
	ts.Check(err)
	_, url, ok := strings.Cut(strings.TrimSpace(line), " on ")
	if !ok {
		ts.Fatalf("cortex-embed serve: %s", line)
	}
	ts.Setenv("SERVER", url)
}

// stop is `stopserver`.
func (s *servers) stop(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 0 {
		ts.Fatalf("usage: stopserver")
	}
	s.end(ts)
}

func (s *servers) end(ts *testscript.TestScript) {
	s.mu.Lock()
	cmd := s.running[ts]
	delete(s.running, ts)
	s.mu.Unlock()
	if cmd == nil {
		return
	}
	ts.Check(cmd.Process.Signal(syscall.SIGTERM))
	if status := exitStatus(cmd.Wait()); status != "0" {
		ts.Fatalf("cortex-embed serve: exit status %s", status)
	}
}

// hasNamespaces reports whether commands can be run where there is no network.
func hasNamespaces() bool { return exec.Command("unshare", "-rn", "true").Run() == nil }
