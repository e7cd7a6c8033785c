package cortex_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"cortex/lib/store"
)

// A pipeline is the four stages as processes.
type pipeline struct {
	t      *testing.T
	stages []*exec.Cmd
	errors [4]bytes.Buffer
	// committed has what cortex-store says of every run.
	committed chan string
}

// startWatch starts the pipeline of `cortex-parse --watch`.
func startWatch(t *testing.T, dir string, args ...string) *pipeline {
	t.Helper()
	return startPipeline(t, command(dir, "cortex-parse", append([]string{"--watch"}, args...)...))
}

func startPipeline(t *testing.T, first *exec.Cmd) *pipeline {
	t.Helper()
	p := &pipeline{t: t, committed: make(chan string, 100)}
	dir := first.Dir
	p.stages = []*exec.Cmd{first, command(dir, "cortex-chunk"), command(dir, "cortex-embed"), command(dir, "cortex-store")}
	var ends []io.Closer
	for i, stage := range p.stages[:3] {
		out, in, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		stage.Stdout, p.stages[i+1].Stdin = in, out
		stage.Stderr = &p.errors[i]
		ends = append(ends, out, in)
	}
	said, err := p.stages[3].StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	for _, stage := range p.stages {
		if err := stage.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { stage.Process.Kill() })
	}
	for _, end := range ends {
		end.Close()
	}
	go func() {
		defer close(p.committed)
		for lines := bufio.NewScanner(said); lines.Scan(); {
			p.committed <- lines.Text()
		}
	}()
	return p
}

// next waits for the next run to be committed.
func (p *pipeline) next() string {
	p.t.Helper()
	select {
	case line, ok := <-p.committed:
		if !ok {
			p.t.Fatal("the store has ended")
		}
		return line
	case <-time.After(time.Minute):
		said := ""
		for i, stage := range p.stages {
			_ = stage.Process.Kill()
			if i < 3 {
				_ = stage.Wait()
				said += p.errors[i].String()
			}
		}
		p.t.Fatal("no run is committed\n", said)
	}
	return ""
}

// untilUpToDate waits until the store has the tree as it is, and returns how many runs it took.
func (p *pipeline) untilUpToDate() int {
	p.t.Helper()
	for n := 1; ; n++ {
		p.next()
		parsed := run(p.t, p.stages[0].Dir, nil, "cortex-parse", "--incremental", "--no-stat-cache", ".")
		if bytes.Count(parsed, []byte(`"status":"unchanged"`)) == bytes.Count(parsed, []byte(`{"type":"file"`)) {
			return n
		}
	}
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// sameAsFresh compares the store with one that is made of nothing.
func sameAsFresh(t *testing.T, dir string) {
	t.Helper()
	fresh := filepath.Join(t.TempDir(), store.Dir)
	run(t, dir, stages(t, dir), "cortex-store", "--quiet", "--store", fresh)
	l := &lab{t: t}
	withoutTimes := func(state map[string]string) map[string]string {
		for name, text := range state {
			for _, key := range []string{`,"created_at":"`, `,"updated_at":"`, `"generated_at": "`} {
				parts := strings.Split(text, key)
				for i := range parts[1:] {
					_, parts[i+1], _ = strings.Cut(parts[i+1], `"`)
				}
				text = strings.Join(parts, "")
			}
			state[name] = text
		}
		return state
	}
	if diff := cmp.Diff(withoutTimes(l.state(fresh)), withoutTimes(l.state(filepath.Join(dir, store.Dir)))); diff != "" {
		t.Errorf("fresh -, watched +\n%s", diff)
	}
}

func TestWatch(t *testing.T) {
	dir := tree(t, map[string]string{"a.go": "package a\n\n// A is first.\nfunc A() {}\n", "d/b.md": "# B\n\ntext\n"})
	git := func(args ...string) {
		t.Helper()
		(&lab{t: t, root: dir}).git(args...)
	}
	git("init", "-q", "-b", "main")
	git("add", "-A")
	git("commit", "-q", "-m", "one")
	git("checkout", "-q", "-b", "many")
	for i := range 2000 {
		writeFile(t, filepath.Join(dir, fmt.Sprintf("m%d", i%50), fmt.Sprintf("f%d.txt", i)), fmt.Sprintln("text of", i))
	}
	git("add", "-A")
	git("commit", "-q", "-m", "two")
	git("checkout", "-q", "main")

	p := startWatch(t, dir)
	if got := p.next(); !strings.Contains(got, "2 files read: 2 ok;") {
		t.Error(got)
	}
	for _, step := range []struct {
		name   string
		change func()
	}{
		{"an edit", func() { writeFile(t, filepath.Join(dir, "a.go"), "package a\n\nfunc B() {}\n") }},
		{"a file in new folders", func() { writeFile(t, filepath.Join(dir, "n/m/c.go"), "package m\n") }},
		{"an ignore file", func() { writeFile(t, filepath.Join(dir, ".gitignore"), "n/\n") }},
		{"an editor's exchange", func() {
			writeFile(t, filepath.Join(dir, "d/4913"), "")
			if err := os.Remove(filepath.Join(dir, "d/4913")); err != nil {
				t.Fatal(err)
			}
			if err := os.Rename(filepath.Join(dir, "d/b.md"), filepath.Join(dir, "d/b.md~")); err != nil {
				t.Fatal(err)
			}
			writeFile(t, filepath.Join(dir, "d/b.md"), "# B\n\nother text\n")
			if err := os.Remove(filepath.Join(dir, "d/b.md~")); err != nil {
				t.Fatal(err)
			}
		}},
		{"a renamed folder", func() {
			if err := os.Rename(filepath.Join(dir, "d"), filepath.Join(dir, "e")); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		t.Log(step.name)
		step.change()
		// Two if the machine is so busy that a rest lies between what the change consists of.
		if n := p.untilUpToDate(); n > 2 {
			t.Errorf("%s: %d runs", step.name, n)
		}
	}
	git("checkout", "-q", "-f", "many")
	if n := p.untilUpToDate(); n > 2 {
		t.Errorf("a checkout of 2,000 files took %d runs", n)
	}
	git("add", "-A")
	git("commit", "-q", "-m", "three")
	git("checkout", "-q", "main")
	writeFile(t, filepath.Join(dir, "last.go"), "package last\n")
	if n := p.untilUpToDate(); n > 2 {
		t.Errorf("and back %d runs", n)
	}
	sameAsFresh(t, dir)

	// An interrupt, which a terminal sends to all of them, ends them without a word.
	for _, stage := range p.stages {
		if err := stage.Process.Signal(os.Interrupt); err != nil {
			t.Error(err)
		}
	}
	for range p.committed {
		t.Error("the store has more to say")
	}
	for i, stage := range p.stages {
		err := stage.Wait()
		if got := exitStatus(err); got != "130" {
			t.Errorf("%s: exit status %s", stage.Args[0], got)
		}
		if i < 3 && p.errors[i].Len() > 0 {
			t.Errorf("%s: %s", stage.Args[0], &p.errors[i])
		}
	}
	run(t, dir, nil, "cortex-store", "verify")
}

// Where the system cannot watch so many folders, the watch says so once and looks for itself.
func TestWatchAtTheLimit(t *testing.T) {
	t.Parallel()
	for limit, said := range map[string]string{
		"max_inotify_watches":   "limit on watched folders",
		"max_inotify_instances": "limit on watchers",
	} {
		t.Run(limit, func(t *testing.T) {
			t.Parallel()
			// A user namespace has limits of its own.
			first := exec.Command("unshare", "-Ur", "sh", "-c", `echo 0 > /proc/sys/user/`+limit+` && exec "$@"`, "sh", "true")
			if err := first.Run(); err != nil {
				t.Skip("no user namespaces: ", err)
			}
			dir := tree(t, map[string]string{"a.go": "package a\n", "d/b.go": "package b\n"})
			args := append(first.Args[:len(first.Args)-1:len(first.Args)-1], filepath.Join(bin, "cortex-parse"), "--watch", ".")
			first = exec.Command(args[0], args[1:]...)
			first.Dir = dir
			p := startPipeline(t, first)
			p.next()
			for i := range 2 {
				writeFile(t, filepath.Join(dir, "d/b.go"), fmt.Sprintf("package b%d\n", i))
				p.untilUpToDate()
			}
			for _, stage := range p.stages {
				if err := stage.Process.Signal(os.Interrupt); err != nil {
					t.Error(err)
				}
			}
			for range p.committed {
				t.Error("the store has more to say")
			}
			_ = first.Wait()
			if got := p.errors[0].String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, "cannot watch .: the system's "+said+" is reached") {
				t.Error(got)
			}
		})
	}
}

// When the store ends, the stages before it do, though nothing changes.
func TestWatchEndsWithTheStore(t *testing.T) {
	t.Parallel()
	dir := tree(t, map[string]string{"a.go": "package a\n"})
	p := startWatch(t, dir, "--poll")
	p.next()
	if err := p.stages[3].Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	for i, stage := range p.stages[:3] {
		if err := stage.Wait(); err != nil || p.errors[i].Len() > 0 {
			t.Errorf("%s: %v, %s", stage.Args[0], err, &p.errors[i])
		}
	}
}

// What the store has not taken comes again: here the settings of a stage are others than those that the
// store was made with.
func TestWatchStartsAnewWithOtherSettings(t *testing.T) {
	t.Parallel()
	dir := tree(t, map[string]string{"a.go": "package a\n", "b.go": "package b\n"})
	parsed := run(t, dir, nil, "cortex-parse", ".")
	run(t, dir, run(t, dir, run(t, dir, parsed, "cortex-chunk", "--code-chunk-size", "1000"), "cortex-embed"), "cortex-store", "--quiet")
	writeFile(t, filepath.Join(dir, "b.go"), "package c\n")
	again := func() (out []byte, err error) {
		cmd := command(dir, "cortex-store")
		cmd.Stdin = bytes.NewReader(run(t, dir, run(t, dir, run(t, dir, nil, "cortex-parse", "--incremental"), "cortex-chunk"), "cortex-embed"))
		return cmd.CombinedOutput()
	}
	out, err := again()
	if exitStatus(err) != "2" || !strings.Contains(string(out), "other settings than the index (chunk), which would keep 1 file: the index is unchanged\ncortex-store: hint: index all files again, with the flags of this run: cortex-parse --incremental .") {
		t.Errorf("%v: %s", err, out)
	}
	if out, err = again(); err != nil || !strings.Contains(string(out), "2 files read: 2 ok;") {
		t.Errorf("%v: %s", err, out)
	}
	sameAsFresh(t, dir)
}

// The stages keep the settings with which they began, and the first one says so.
func TestWatchTellsThatSettingsHaveChanged(t *testing.T) {
	t.Parallel()
	dir := tree(t, map[string]string{"a.go": "package a\n"})
	p := startWatch(t, dir, ".")
	p.next()
	writeFile(t, filepath.Join(dir, store.Dir, "config.yml"), "chunking: {overlap: 100}\n")
	writeFile(t, filepath.Join(dir, "b.go"), "package b\n")
	p.next()
	if err := p.stages[0].Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_ = p.stages[0].Wait()
	if said := p.errors[0].String(); strings.Count(said, "the settings have changed; start the pipeline again to apply them") != 1 {
		t.Errorf("said %q", said)
	}
}

// What is written in an editor is found in a running server without a command.
func TestWatchedEditIsServed(t *testing.T) {
	t.Parallel()
	dir := tree(t, map[string]string{"a.go": "package a\n\nfunc A() {}\n"})
	p := startWatch(t, dir)
	p.next()
	server := startServer(t, dir)
	for i := range 3 {
		name := fmt.Sprintf("Brandnew%d", i)
		writeFile(t, filepath.Join(dir, "a.go"), "package a\n\nfunc "+name+"() {}\n")
		start := time.Now()
		for limit := start.Add(time.Minute); ; {
			answer := server.call(`"tools/call","params":{"name":"cortex_exact","arguments":{"query":"symbol:` + name + `"}}`)
			if strings.Contains(answer, "func "+name+"()") {
				break
			}
			if time.Now().After(limit) {
				t.Fatalf("%s is not found: %s", name, answer)
			}
		}
		t.Logf("found after %v", time.Since(start).Round(time.Millisecond))
	}
}

// TestTreeMadeAgainIsServed deletes the folder in which a server was started and makes another one of the same name.
func TestTreeMadeAgainIsServed(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "tree")
	makeTree := func(name string) {
		t.Helper()
		if err := os.Mkdir(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		writeFile(t, filepath.Join(dir, "a.go"), "package a\n\nfunc "+name+"() {}\n")
	}
	makeTree("Before")
	server := startServerWith(t, dir)
	find := func(name string) {
		t.Helper()
		for limit := time.Now().Add(2 * time.Minute); ; time.Sleep(20 * time.Millisecond) {
			answer := server.ask(`"tools/call","params":{"name":"cortex_exact","arguments":{"query":"symbol:` + name + `"}}`)
			if strings.Contains(answer, "func "+name+"()") {
				return
			}
			if time.Now().After(limit) {
				t.Fatalf("%s is not found: %s", name, answer)
			}
		}
	}
	find("Before")
	err := os.RemoveAll(dir)
	for i := 0; err != nil && i < 100; i++ { // a stage may be writing
		err = os.RemoveAll(dir)
	}
	if err != nil {
		t.Fatal(err)
	}
	makeTree("After")
	find("After")
}

// TestWatchOfATreeThatMoves renames folders, puts links in their places, out of the tree too, and writes files bit by
// bit, while the tree is read.
func TestWatchOfATreeThatMoves(t *testing.T) {
	t.Parallel()
	outside := tree(t, map[string]string{"x/secret.go": "package x\n\nfunc OutsideSecret() {}\n", "secret.go": "package x\n\nfunc OutsideSecret() {}\n"})
	root := tree(t, map[string]string{"a/f.go": "package a\n", "b/c/f.go": "package c\n"})
	p := startWatch(t, root)
	p.next()
	seed := time.Now().UnixNano()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(uint64(seed), 0))
	at := func(folders ...string) string { return filepath.Join(root, folders[r.IntN(len(folders))]) }
	isLink := func(path string) bool {
		info, err := os.Lstat(path)
		return err == nil && info.Mode()&os.ModeSymlink != 0
	}
	// Whatever is refused, such as a folder that is moved into itself, counts as a step.
	for range 80 {
		folder := at("a", "b", "b/c")
		switch r.IntN(5) {
		case 0:
			_ = os.Rename(folder, at("a", "b", "b/c", "d"))
		case 1:
			if isLink(folder) {
				_ = os.Remove(folder)
			} else if os.Rename(folder, filepath.Join(root, fmt.Sprintf("kept%d", r.IntN(3)))) == nil {
				_ = os.Symlink([]string{outside, filepath.Join(outside, "x"), "..", "."}[r.IntN(4)], folder)
			}
		default:
			if isLink(folder) || isLink(filepath.Dir(folder)) || os.MkdirAll(folder, 0o777) != nil {
				break
			}
			f, err := os.Create(filepath.Join(folder, fmt.Sprintf("f%d.go", r.IntN(4))))
			if err != nil {
				break
			}
			for i := range r.IntN(2000) {
				fmt.Fprintf(f, "func F%d() {}\n", i)
			}
			f.Close()
		}
		time.Sleep(time.Duration(r.IntN(40)) * time.Millisecond)
	}
	// A link is skipped, which untilUpToDate takes for a change.
	_ = filepath.WalkDir(root, func(path string, _ fs.DirEntry, _ error) error {
		if isLink(path) {
			return os.Remove(path)
		}
		return nil
	})
	writeFile(t, filepath.Join(root, "last.go"), "package last\n")
	p.untilUpToDate()
	if kept := run(t, root, nil, "cortex-store", "cat"); bytes.Contains(kept, []byte("OutsideSecret")) {
		t.Error("what is outside of the tree is in the store")
	}
	sameAsFresh(t, root)
}
