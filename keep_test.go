package cortex_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"cortex/lib/derived/derivedtest"
	"cortex/lib/keep"
	"cortex/lib/store"
)

// A keeper is a cortex-serve that keeps the index of a tree.
type keeper struct {
	t   *testing.T
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
	id  int
}

func startKeeper(t *testing.T, dir string, args ...string) *keeper {
	t.Helper()
	k := &keeper{t: t, cmd: command(dir, "cortex-serve", args...)}
	var err error
	if k.in, err = k.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := k.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	k.out = bufio.NewReader(out)
	var said bytes.Buffer
	k.cmd.Stderr, k.cmd.WaitDelay = &said, 10*time.Second
	if err := k.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		k.cmd.Process.Kill()
		k.cmd.Wait()
		if t.Failed() {
			t.Logf("server %d said: %s", k.cmd.Process.Pid, &said)
		}
	})
	return k
}

// A server whose terminal is closed ends like one that is told to end, so that its stages leave nothing half made.
func TestHangupEndsServer(t *testing.T) {
	t.Parallel()
	if signal.Ignored(syscall.SIGHUP) {
		t.Skip("hangups are ignored, as below nohup")
	}
	dir := tree(t, map[string]string{"a.go": "package a\n"})
	k := startKeeper(t, dir, "--no-watch")
	if _, err := io.WriteString(k.in, `{"jsonrpc":"2.0","id":1,"method":"ping"}`+"\n"); err != nil {
		t.Fatal(err)
	}
	if _, err := k.out.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	if err := k.cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	if err := k.cmd.Wait(); err != nil {
		t.Error(err)
	}
}

// ask asks for a symbol and returns the answer, and how often progress was told.
func (k *keeper) ask(symbol string) (text string, progress int) {
	k.t.Helper()
	k.id++
	fmt.Fprintf(k.in, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"cortex_exact","arguments":{"query":"symbol:%s"},"_meta":{"progressToken":"p%d"}}}`+"\n", k.id, symbol, k.id)
	for {
		line, err := k.out.ReadBytes('\n')
		if err != nil {
			k.t.Fatal(err)
		}
		var message struct {
			Method string
			Params struct{ ProgressToken string }
			Result struct{ Content []struct{ Text string } }
		}
		if err := json.Unmarshal(line, &message); err != nil {
			k.t.Fatalf("%v: %s", err, line)
		}
		if message.Method == "" {
			for _, c := range message.Result.Content {
				text += c.Text + "\n"
			}
			return text, progress
		}
		if message.Method != "notifications/progress" || message.Params.ProgressToken != "p"+strconv.Itoa(k.id) {
			k.t.Errorf("got %s", line)
		}
		progress++
	}
}

// until asks until the answer has the word.
func (k *keeper) until(symbol, word string) {
	k.t.Helper()
	for end := time.Now().Add(time.Minute); ; {
		text, _ := k.ask(symbol)
		if strings.Contains(text, word) {
			return
		}
		if time.Now().After(end) {
			k.t.Fatalf("no %s in the answer to %s: %s", word, symbol, text)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// untilFound asks for a symbol until the answer shows a place of the file: a note that the file is newer than the index
// names it too.
func (k *keeper) untilFound(symbol, file string) {
	k.t.Helper()
	k.until(symbol, file+":")
}

// children are the numbers of the processes that a process has started.
func children(t *testing.T, pid int) (found []string) {
	t.Helper()
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range stats {
		data, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended
		}
		fields := strings.Fields(string(data[strings.LastIndexByte(string(data), ')')+1:]))
		if len(fields) > 1 && fields[1] == strconv.Itoa(pid) && fields[0] != "Z" {
			found = append(found, filepath.Base(filepath.Dir(file)))
		}
	}
	return found
}

// TestServeMakesTheIndexAndKeepsIt starts several servers in a tree without an index. One of them makes it and watches;
// when that is killed, its stages end and another watches.
func TestServeMakesTheIndexAndKeepsIt(t *testing.T) {
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip("no /proc")
	}
	dir := t.TempDir()
	if out, err := exec.Command("git", "init", "-q", dir).CombinedOutput(); err != nil {
		t.Skipf("git: %v: %s", err, out)
	}
	writeFile(t, filepath.Join(dir, "a.go"), "package a\n\nfunc First() {}\n")
	writeFile(t, filepath.Join(dir, "sub", "b.go"), "package sub\n\nfunc Second() {}\n")
	var servers []*keeper
	told := 0
	for range 3 {
		servers = append(servers, startKeeper(t, filepath.Join(dir, "sub")))
	}
	for _, s := range servers {
		text, progress := s.ask("First")
		if !strings.Contains(text, "a.go") {
			t.Errorf("first answer: %s", text)
		}
		told += progress
	}
	if told == 0 {
		t.Error("nobody was told of progress")
	}
	if out, err := exec.Command("git", "-C", dir, "status", "--porcelain").Output(); err != nil || strings.Contains(string(out), store.Dir) {
		t.Errorf("%v, git sees the index:\n%s", err, out)
	}
	watcher := func() (at int) {
		for end := time.Now().Add(time.Minute); ; {
			var with []int
			for i, s := range servers {
				if s != nil && len(children(t, s.cmd.Process.Pid)) > 0 {
					with = append(with, i)
				}
			}
			if len(with) > 1 {
				t.Fatalf("%d watch at once", len(with))
			}
			if len(with) == 1 && len(children(t, servers[with[0]].cmd.Process.Pid)) == 4 {
				return with[0]
			}
			if time.Now().After(end) {
				t.Fatal("nobody watches")
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
	for round := range 2 {
		at := watcher()
		stages := children(t, servers[at].cmd.Process.Pid)
		name := fmt.Sprintf("Added%d", round)
		writeFile(t, filepath.Join(dir, "new.go"), "package a\n\nfunc "+name+"() {}\n")
		for _, s := range servers {
			if s != nil {
				s.untilFound(name, "new.go")
			}
		}
		if err := servers[at].cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		servers[at].cmd.Wait()
		servers[at] = nil
		if after := watcher(); after == at {
			t.Fatal("the dead one watches")
		}
		for _, pid := range stages {
			for end := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
				if _, err := os.Stat("/proc/" + pid); err != nil {
					break
				}
				if time.Now().After(end) {
					t.Fatalf("stage %s outlives its server", pid)
				}
			}
		}
	}
	last := watcher()
	if !keep.Held(filepath.Join(dir, store.Dir)) {
		t.Error("nobody holds the lock")
	}
	servers[last].in.Close()
	if err := servers[last].cmd.Wait(); err != nil {
		t.Error(err)
	}
	if keep.Held(filepath.Join(dir, store.Dir)) {
		t.Error("the lock is held by nobody")
	}
}

// TestServeMakesAnOutdatedIndexAnew has an index with the model of an earlier version of Cortex, and one with a model
// of somebody else, which stays.
func TestServeMakesAnOutdatedIndexAnew(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		model string
		anew  bool
	}{{"cortex-code-1", true}, {"somebody-else-1", false}} {
		dir := t.TempDir()
		writeFile(t, filepath.Join(dir, "a.go"), "package a\n\nfunc First() {}\n")
		first := startKeeper(t, dir, "--root", ".")
		first.untilFound("First", "a.go")
		first.in.Close()
		if err := first.cmd.Wait(); err != nil {
			t.Fatal(err)
		}
		manifest := func() string {
			m, err := store.ReadManifest(filepath.Join(dir, store.Dir))
			if err != nil {
				t.Fatal(err)
			}
			return m.Model
		}
		made, file := manifest(), filepath.Join(dir, store.Dir, store.ManifestName)
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.ReplaceAll(string(data), made, c.model)
		writeFile(t, file, regexp.MustCompile(`"embed": "[^"]*"`).ReplaceAllString(text, `"embed": "other"`))
		if got := manifest(); got != c.model {
			t.Fatalf("the index says it has model %q", got)
		}
		second := startKeeper(t, dir, "--root", ".")
		if !c.anew {
			second.untilFound("First", "a.go")
			if got := manifest(); got != c.model {
				t.Errorf("the index with %q has %q", c.model, got)
			}
			continue
		}
		for end := time.Now().Add(time.Minute); manifest() != made; time.Sleep(10 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("the index has %q still", manifest())
			}
		}
		writeFile(t, filepath.Join(dir, "b.go"), "package a\n\nfunc Second() {}\n")
		second.untilFound("Second", "b.go") // and it watches
	}
}

// TestNoOldAnswerInSilence edits a file and asks at once, again and again: the answer has the edit, or says that files
// are newer than the index.
func TestNoOldAnswerInSilence(t *testing.T) {
	edits := 20
	if n, err := strconv.Atoi(os.Getenv("CORTEX_SEQUENCES")); err == nil {
		edits = n
	}
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "a.go"), "package a\n\nfunc First() {}\n")
	s := startKeeper(t, dir, "--root", ".")
	s.untilFound("First", "a.go")
	for i := range edits {
		name := fmt.Sprintf("Edit%d", i)
		file := fmt.Sprintf("edited%d.go", i%3)
		writeFile(t, filepath.Join(dir, file), "package a\n\nfunc "+name+"() {}\n")
		if text, _ := s.ask(name); !strings.Contains(text, file) && !strings.Contains(text, "newer than the index") && !strings.Contains(text, "is being updated") { // the former also where time was up
			t.Errorf("edit %d: %s", i, text)
		}
		if i%4 == 3 { // a run that is over, as well as one under way
			s.untilFound(name, file)
		}
	}
}

// TestWorktreesShareTheIndex serves a second worktree of a repository: its index has the segments and graph of the
// first one, and the same vectors, except for what differs.
func TestWorktreesShareTheIndex(t *testing.T) {
	base := t.TempDir()
	first, second := filepath.Join(base, "first"), filepath.Join(base, "second")
	git := func(args ...string) {
		t.Helper()
		args = append([]string{"-C", first, "-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
	}
	for i := range 400 {
		writeFile(t, filepath.Join(first, fmt.Sprintf("p%d", i%20), fmt.Sprintf("f%d.go", i)), fmt.Sprintf("package p\n\n// Get%d gets it.\nfunc Get%d() {}\n\ntype Set%d struct{ Field int }\n\nconst Most%d = %d\n", i, i, i, i, i))
	}
	if out, err := exec.Command("git", "init", "-q", first).CombinedOutput(); err != nil {
		t.Skipf("git: %v: %s", err, out)
	}
	git("add", ".")
	git("commit", "-qm", "all")
	one := startKeeper(t, first)
	one.untilFound("Get7", "f7.go")
	git("worktree", "add", "-q", second)
	writeFile(t, filepath.Join(second, "p0", "f0.go"), "package p\n\nfunc OnlyHere() {}\n")
	two := startKeeper(t, second)
	if text, _ := two.ask("Get7"); !strings.Contains(text, "f7.go") {
		t.Errorf("first answer: %s", text)
	}
	two.untilFound("OnlyHere", "f0.go")
	if text, _ := two.ask("Get0"); strings.Contains(text, "f0.go") {
		t.Errorf("what the other has is found: %s", text)
	}
	shards := map[string]bool{}
	for _, s := range shardsOf(t, first) {
		shards[s.Digest] = true
	}
	same := 0
	for _, s := range shardsOf(t, second) {
		if shards[s.Digest] {
			same++
		}
	}
	if len(shards) < 2 || same != len(shards)-1 {
		t.Errorf("%d of %d shards are the same", same, len(shards))
	}
	segments, err := filepath.Glob(derivedtest.Path(t, filepath.Join(second, store.Dir), "index", strings.Repeat("?", 32)))
	if err != nil {
		t.Fatal(err)
	}
	linked := 0
	for _, file := range segments {
		own, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		if theirs, err := os.Stat(derivedtest.Path(t, filepath.Join(first, store.Dir), "index", filepath.Base(file))); err == nil && os.SameFile(own, theirs) {
			linked++
		}
	}
	if linked != same {
		t.Errorf("%d of %d segments are shared", linked, len(segments))
	}
}

func shardsOf(t *testing.T, root string) []store.Shard {
	t.Helper()
	m, err := store.ReadManifest(filepath.Join(root, store.Dir))
	if err != nil {
		t.Fatal(err)
	}
	return m.Shards
}

// TestNoCallIsLostWithItsServer kills the one of several servers that answers for all, while all are asked: each call
// is answered, and one server watches.
func TestNoCallIsLostWithItsServer(t *testing.T) {
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip("no /proc")
	}
	kills, servers := 3, 4
	if n, err := strconv.Atoi(os.Getenv("CORTEX_SEQUENCES")); err == nil {
		kills, servers = n, 10
	}
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "a.go"), "package a\n\nfunc First() {}\n")
	all := make([]*keeper, servers)
	for i := range all {
		all[i] = startKeeper(t, dir, "--root", ".")
		all[i].untilFound("First", "a.go")
	}
	watching := func() (at int) {
		at = -1
		for i, s := range all {
			if len(children(t, s.cmd.Process.Pid)) > 0 {
				if at >= 0 {
					t.Fatalf("%d and %d watch at once", at, i)
				}
				at = i
			}
		}
		return at
	}
	longest := time.Duration(0)
	for round := range kills {
		at := watching()
		for end := time.Now().Add(time.Minute); at < 0; at = watching() {
			if time.Now().After(end) {
				t.Fatal("nobody watches")
			}
		}
		name := fmt.Sprintf("Round%d", round)
		writeFile(t, filepath.Join(dir, "new.go"), "package a\n\nfunc "+name+"() {}\n")
		var asking sync.WaitGroup
		for i, s := range all {
			if i != at {
				asking.Go(func() {
					for range 5 {
						if text, _ := s.ask("First"); !strings.Contains(text, "a.go") {
							t.Errorf("round %d, server %d: %s", round, i, text)
						}
					}
				})
			}
		}
		time.Sleep(time.Duration(rand.IntN(20)) * time.Millisecond)
		all[at].cmd.Process.Kill()
		all[at].cmd.Wait()
		killed := time.Now()
		for next := -1; next < 0; next = watching() {
			if time.Since(killed) > time.Minute {
				t.Fatal("nobody takes over")
			}
		}
		longest = max(longest, time.Since(killed))
		asking.Wait()
		all[at] = startKeeper(t, dir, "--root", ".")
		all[at].untilFound(name, "new.go")
	}
	t.Logf("%d kills, taken over within %v", kills, longest)
}

// TestAnswersSayWhyTheIndexIsOld keeps the store from being written: answers say why they are old, and soon after it
// can be written they are not.
func TestAnswersSayWhyTheIndexIsOld(t *testing.T) {
	for name, flags := range map[string][]string{"one": {"--root", "."}, "several": {"--root", ".", "--root", t.TempDir()}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			writeFile(t, filepath.Join(dir, "a.go"), "package a\n\nfunc First() {}\n")
			s := startKeeper(t, dir, flags...)
			s.untilFound("First", "a.go")
			shards := filepath.Join(dir, store.Dir, "shards")
			if err := os.Rename(shards, shards+".away"); err != nil {
				t.Fatal(err)
			}
			writeFile(t, shards, "")
			writeFile(t, filepath.Join(dir, "b.go"), "package a\n\nfunc Second() {}\n")
			s.until("Second", "The index cannot be updated: cortex-")
			if err := os.Remove(shards); err != nil {
				t.Fatal(err)
			}
			if err := os.Rename(shards+".away", shards); err != nil {
				t.Fatal(err)
			}
			s.untilFound("Second", "b.go")
			if text, _ := s.ask("Third"); strings.Contains(text, "cannot be updated") {
				t.Error(text)
			}
		})
	}
}
