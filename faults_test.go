package cortex_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// command is one of the built commands with its working folder.
func command(dir, name string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(bin, name), args...)
	cmd.Dir = dir
	return cmd
}

// run feeds stdin to the command, demands success and returns its output.
func run(t *testing.T, dir string, stdin []byte, name string, args ...string) []byte {
	t.Helper()
	cmd := command(dir, name, args...)
	cmd.Stdin = bytes.NewReader(stdin)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s", name, args, err, stderr.Bytes())
	}
	return out
}

// tree writes files into a new folder.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// stages runs the pipeline up to cortex-embed.
func stages(t *testing.T, dir string, args ...string) []byte {
	t.Helper()
	out := run(t, dir, nil, "cortex-parse", append(args, ".")...)
	for _, stage := range []string{"cortex-chunk", "cortex-embed"} {
		out = run(t, dir, out, stage, args...)
	}
	return out
}

func TestTwoStoresAtOnce(t *testing.T) {
	t.Parallel()
	dir := tree(t, map[string]string{"a.go": "package a\n\nfunc A() {}\n"})
	records := stages(t, dir)
	begin, rest, _ := bytes.Cut(records, []byte("\n"))
	// start starts a store that has read the first record and waits for the rest.
	writer := "another process" // the first store, as the system names it
	start := func() (stdin io.WriteCloser, ended chan error) {
		first := command(dir, "cortex-store", "--quiet")
		stdin, err := first.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := first.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := stdin.Write(append(bytes.Clone(begin), '\n')); err != nil {
			t.Fatal(err)
		}
		if runtime.GOOS == "linux" {
			writer = fmt.Sprintf("cortex-store, process %d", first.Process.Pid)
		}
		ended = make(chan error, 1)
		go func() { ended <- first.Wait() }()
		return stdin, ended
	}
	stdin, ended := start()
	// Until the first one has read its first record, a second one may succeed, and the
	// first one be refused.
	var stderr bytes.Buffer
	for attempt := 0; ; attempt++ {
		stderr.Reset()
		second := command(dir, "cortex-store", "--quiet")
		second.Stdin, second.Stderr = bytes.NewReader(records), &stderr
		if err := second.Run(); err != nil {
			if got := exitStatus(err); got != "2" {
				t.Errorf("the second store ends with status %s", got)
			}
			break
		}
		if attempt == 200 {
			t.Fatal("the second store is never refused")
		}
		select {
		case <-ended:
			stdin, ended = start()
		default:
		}
	}
	if text := stderr.String(); !strings.Contains(text, " is being written by "+writer+"\n") || strings.Count(text, "\n") > 2 {
		t.Errorf("the second store says %q", text)
	}
	if _, err := stdin.Write(rest); err != nil {
		t.Fatal(err)
	}
	if err := stdin.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Errorf("the first store: %v", err)
	}
	run(t, dir, nil, "cortex-store", "verify")
}

// TestOutputDoesNotDependOnWorkers compares every stage byte for byte.
func TestOutputDoesNotDependOnWorkers(t *testing.T) {
	t.Parallel()
	source := t.TempDir()
	// All languages, and files of all sizes.
	for _, folder := range []string{"cmd", "lib/chunk", "lib/parse/testdata", "testdata/script"} {
		if err := os.CopyFS(filepath.Join(source, folder), os.DirFS(folder)); err != nil {
			t.Fatal(err)
		}
	}
	var want [3][]byte
	for i, jobs := range []string{"1", "2", "8"} {
		parsed := run(t, source, nil, "cortex-parse", "--jobs", jobs, ".")
		chunked := run(t, source, parsed, "cortex-chunk", "--jobs", jobs)
		embedded := run(t, source, chunked, "cortex-embed", "--jobs", jobs)
		got := [3][]byte{parsed, chunked, embedded}
		if i == 0 {
			want = got
		}
		for stage := range got {
			if !bytes.Equal(got[stage], want[stage]) {
				t.Errorf("%s --jobs %s differs from --jobs 1", commands[stage], jobs)
			}
		}
	}
}

// TestReadOnlyStore needs a user for whom permissions count.
func TestReadOnlyStore(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write everywhere")
	}
	dir := tree(t, map[string]string{"a.go": "package a\n\nfunc A() {}\n"})
	run(t, dir, stages(t, dir), "cortex-store", "--quiet")
	chunks := filepath.Join(dir, ".cortex", "chunks")
	if err := os.WriteFile(filepath.Join(dir, "b.go"), []byte("package a\n\nfunc B() {}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{chunks, filepath.Join(dir, ".cortex")} {
		if err := os.Chmod(folder, 0o555); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.Chmod(folder, 0o755) })
	}
	cmd := command(dir, "cortex-store", "--quiet")
	cmd.Stdin = bytes.NewReader(stages(t, dir))
	out, err := cmd.CombinedOutput()
	if exitStatus(err) != "2" || !strings.Contains(string(out), "permission denied") {
		t.Errorf("status %s: %s", exitStatus(err), out)
	}
	run(t, dir, nil, "cortex-store", "verify")
}

// TestClosedPipe ends a stage whose reader has gone without a word.
func TestClosedPipe(t *testing.T) {
	source, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	cmd := command(source, "cortex-parse", ".")
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(stdout, make([]byte, 10)); err != nil {
		t.Fatal(err)
	}
	stdout.Close()
	if err := cmd.Wait(); err != nil || stderr.Len() > 0 {
		t.Errorf("%v: %s", err, stderr.Bytes())
	}
}
