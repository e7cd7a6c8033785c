package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cortex/lib/cli"
)

func run(t *testing.T, stdin string, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	t.Chdir(t.TempDir())
	var out, errs bytes.Buffer
	env := &cli.Env{Stdin: strings.NewReader(stdin), Stdout: &out, Stderr: &errs, Args: args}
	status = cli.Run(context.Background(), command(), env)
	return out.String(), errs.String(), status
}

const file = `{"type":"file","file_path":"a.go","language":"go","size":9,"status":"ok","error_count":0,"text":"package a"}` + "\n"

func TestCommand(t *testing.T) {
	for _, test := range []struct {
		name, stdin    string
		args           []string
		stdout, stderr string // parts of what is written
		status         int
	}{
		{"a file", file, nil, `"id":"code-impl-a.go"`, "", 0},
		{"nothing", "", nil, "", "stdin: no records", 2},
		{"a bad line", "x\n" + file, nil, `"id":"code-impl-a.go"`, "stdin:1: not a record", 2},
		{"a missing file", "", []string{"missing.jsonl"}, "", "missing.jsonl", 2},
		{"an unknown tier", file, []string{"--strategies", "bodies"}, "", "bodies", 2},
		{"tiers", file, []string{"--strategies", "data"}, `"type":"file"`, "", 0},
		{"help", "", []string{"--help"}, "cortex-parse . | cortex-chunk", "", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			stdout, stderr, status := run(t, test.stdin, test.args...)
			if status != test.status || !strings.Contains(stdout, test.stdout) || !strings.Contains(stderr, test.stderr) {
				t.Errorf("status %d, want %d\nstdout: %s\nstderr: %s", status, test.status, stdout, stderr)
			}
			if (stderr == "") != (test.stderr == "") {
				t.Errorf("stderr: %s", stderr)
			}
		})
	}
}

// TestInputs reads several files and standard input as one stream.
func TestInputs(t *testing.T) {
	name := filepath.Join(t.TempDir(), "b.jsonl")
	if err := os.WriteFile(name, []byte(strings.ReplaceAll(file, "a.go", "b.go")), 0o666); err != nil {
		t.Fatal(err)
	}
	stdout, stderr, status := run(t, file, name, "-")
	if status != 0 || strings.Index(stdout, `"id":"code-impl-b.go"`) > strings.Index(stdout, `"id":"code-impl-a.go"`) || !strings.Contains(stdout, "b.go") {
		t.Errorf("status %d\nstdout: %s\nstderr: %s", status, stdout, stderr)
	}
}
