package cortex_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"cortex/lib/store"
)

// threeVersions are streams of which each makes a whole index, with as many files as its number tells.
func threeVersions(t *testing.T) (versions [3][]byte) {
	t.Helper()
	for v := range versions {
		source := t.TempDir()
		for i := range 40 + v {
			writeFile(t, filepath.Join(source, fmt.Sprintf("f%d.go", i)), fmt.Sprintf("package p\n\n// F%d is of version %d.\nfunc F%d() {}\n\nconst C%d = %d\n", i, v, i, i, v))
			writeFile(t, filepath.Join(source, fmt.Sprintf("d%d.md", i)), fmt.Sprintf("# D%d\n\nversion %d\n", i, v))
		}
		versions[v] = stages(t, source)
	}
	return versions
}

// However often cortex-store is killed in the middle, readers get one whole generation or the other, and the next
// writer goes on from there.
func TestStoreKilledAtRandomTimes(t *testing.T) {
	t.Parallel()
	dir := tree(t, nil)
	versions := threeVersions(t)
	index := filepath.Join(dir, store.Dir)
	// load returns which version the store has, and checks that it is whole.
	load := func() int {
		t.Helper()
		g, err := store.Open(context.Background(), index)
		if err != nil {
			t.Fatal(err)
		}
		defer g.Close()
		m := g.Manifest()
		v := m.Trees[""].Files/2 - 40
		if v < 0 || v >= len(versions) {
			t.Fatalf("%d files", m.Trees[""].Files)
		}
		said := fmt.Sprintf("version %d", v)
		chunks, found := 0, 0
		for i := range m.Shards {
			for e, err := range g.Records(context.Background(), i) {
				if err != nil {
					t.Fatal(err)
				}
				if e.Chunk == nil {
					continue
				}
				chunks++
				if c := e.Chunk; bytes.Contains([]byte(c.Text), []byte("version ")) {
					if found++; !bytes.Contains([]byte(c.Text), []byte(said)) {
						t.Fatalf("chunk %s of %s: %s", c.ID, said, c.Text)
					}
				}
			}
		}
		if found < 2*m.Trees[""].Files/2 || chunks != m.Stats.Chunks {
			t.Fatalf("%d of %d chunks", chunks, m.Stats.Chunks)
		}
		return v
	}
	run(t, dir, versions[0], "cortex-store", "--quiet")
	r := rand.New(rand.NewPCG(1, 7))
	killed, leftovers := 0, 0
	for i := range sequences(t, 20) {
		before := load()
		next := (before + 1 + int(i%2)) % len(versions)
		writer := command(dir, "cortex-store", "--quiet")
		writer.Stdin = bytes.NewReader(versions[next])
		if err := writer.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- writer.Wait() }()
		// Reading is what takes the time until the kill.
		var status error
		alive := true
		for range r.IntN(40) {
			if v := load(); v != before && v != next {
				t.Fatalf("between versions %d and %d: version %d", before, next, v)
			}
			select {
			case status = <-ended:
				alive = false
			default:
			}
			if !alive {
				break
			}
		}
		if alive {
			_ = writer.Process.Kill()
			status = <-ended
		}
		if status != nil {
			if exitStatus(status) != "killed" {
				t.Fatal(status)
			}
			killed++
			if names, _ := filepath.Glob(filepath.Join(index, "shards", ".*")); len(names) > 0 {
				leftovers++
			}
		} else if load() != next {
			t.Fatalf("version %d is not stored", next)
		}
		if err := store.Verify(t.Context(), index, func(err error) { t.Error(err) }); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d killed, %d of them while they wrote", killed, leftovers)
	run(t, dir, versions[1], "cortex-store", "--quiet")
	if load() != 1 {
		t.Error("the last version is not stored")
	}
	names, err := filepath.Glob(filepath.Join(index, "shards", ".*"))
	if err != nil || len(names) > 0 {
		t.Errorf("left over: %q, %v", names, err)
	}
}

// However often cortex-serve is killed while it loads what cortex-store has written, each of its answers is of one
// generation, and what it leaves behind is made good by the next process.
func TestServerKilledAtRandomTimes(t *testing.T) {
	t.Parallel()
	dir := tree(t, nil)
	versions := threeVersions(t)
	count := func(dir string, version int) string {
		t.Helper()
		out, err := command(dir, "cortex-query", "exact", "--quiet", "--count", fmt.Sprintf(`"version %d"`, version)).Output()
		if status := exitStatus(err); status != "0" && status != "1" {
			t.Fatalf("cortex-query: status %s", status)
		}
		return string(out)
	}
	var counts [3]string
	for v := range versions {
		fresh := tree(t, nil)
		run(t, fresh, versions[v], "cortex-store", "--quiet")
		counts[v] = count(fresh, v)
	}
	run(t, dir, versions[0], "cortex-store", "--quiet")
	said := regexp.MustCompile(`version (\d)`)
	r := rand.New(rand.NewPCG(2, 7))
	reloaded := 0
	last := 0
	for range sequences(t, 6) {
		next := (last + 1 + r.IntN(2)) % len(versions)
		server := startServer(t, dir)
		// ask returns of which version the answer is.
		ask := func() int {
			t.Helper()
			answer := server.call(`"tools/call","params":{"name":"cortex_exact","arguments":{"query":"version","limit":100}}`)
			found := said.FindAllStringSubmatch(answer, -1)
			seen := map[string]bool{}
			for _, f := range found {
				seen[f[1]] = true
			}
			if len(seen) != 1 {
				t.Fatalf("an answer of versions %v: %s", seen, answer)
			}
			return int(found[0][1][0] - '0')
		}
		ask()
		writer := command(dir, "cortex-store", "--quiet")
		writer.Stdin = bytes.NewReader(versions[next])
		if err := writer.Start(); err != nil {
			t.Fatal(err)
		}
		// Asking is what takes the time until the kill.
		seen := last
		for n := r.IntN(2000); n > 0; n-- {
			switch v := ask(); {
			case v != last && v != next || seen == next && v == last && last != next:
				t.Fatalf("version %d between %d and %d", v, last, next)
			case v == next && seen != next:
				seen = next
				n = min(n, r.IntN(20))
				reloaded++
			}
		}
		server.kill()
		if err := writer.Wait(); err != nil {
			t.Fatal(err)
		}
		if got := count(dir, next); got != counts[next] {
			t.Fatalf("%s chunks of version %d, want %s", got, next, counts[next])
		}
		if got := count(dir, last); last != next && got != "0\n" {
			t.Fatalf("%s chunks of version %d, want none", got, last)
		}
		if err := store.Verify(t.Context(), filepath.Join(dir, store.Dir), func(err error) { t.Error(err) }); err != nil {
			t.Fatal(err)
		}
		last = next
	}
	t.Logf("%d had loaded the new generation", reloaded)
}

// A server is a cortex-serve that answers one request after the other.
type server struct {
	t   *testing.T
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func startServer(t *testing.T, dir string) *server {
	t.Helper()
	return startServerWith(t, dir, "--no-watch")
}

func startServerWith(t *testing.T, dir string, args ...string) *server {
	t.Helper()
	s := &server{t: t, cmd: command(dir, "cortex-serve", args...)}
	in, err := s.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.cmd.Process.Kill() })
	s.in, s.out = in, bufio.NewReader(out)
	s.call(`"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}`)
	if _, err := io.WriteString(in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n"); err != nil {
		t.Fatal(err)
	}
	return s
}

// call sends a request, of which all that follows "method": is given, and returns the answer.
func (s *server) call(request string) string {
	s.t.Helper()
	answer := s.ask(request)
	if strings.Contains(answer, `"isError":true`) {
		s.t.Fatal(answer)
	}
	return answer
}

// ask is call where the answer may be an error of the tool.
func (s *server) ask(request string) string {
	s.t.Helper()
	if _, err := fmt.Fprintf(s.in, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":%s}\n", request); err != nil {
		s.t.Fatal(err)
	}
	answer, err := s.out.ReadString('\n')
	if err != nil || !strings.Contains(answer, `"result"`) {
		s.t.Fatalf("%s: %v", answer, err)
	}
	return answer
}

func (s *server) kill() {
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait() // it was killed
}
