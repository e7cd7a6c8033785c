package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"cortex/lib/cli"
)

// run calls the command in a folder with two files and returns its status and output.
func run(t *testing.T, stdin string, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for _, name := range []string{"a.go", "b c.py"} {
		if err := os.WriteFile(name, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var out, errs bytes.Buffer
	env := &cli.Env{Stdin: strings.NewReader(stdin), Stdout: &out, Stderr: &errs, Args: args}
	status = cli.Run(t.Context(), command(), env)
	return status, out.String(), errs.String()
}

func TestCommand(t *testing.T) {
	tests := []struct {
		args   string
		stdin  string
		status int
		stdout string // a part
		stderr string // a part
	}{
		{"", "", 0, `"mode":"full","files":2`, ""},
		{".", "", 0, `"files":2`, ""},
		{"a.go --tree x", "", 0, `"tree":"x","mode":"incremental","files":1`, ""},
		{"--files-from -", "a.go\nb c.py\ngone\n", 0, `"mode":"incremental","files":3`, ""},
		{"--files-from - -0 --full", "a.go\x00", 0, `"mode":"full","files":1`, ""},
		{"--files-from missing", "", 2, "", "missing: no such file"},
		{"--files-from - a.go", "", 2, "", "--files-from and paths in arguments exclude each other"},
		{"--full", "", 2, "", "--null and --full need --files-from"},
		{"missing", "", 2, "", "missing: no such file or directory\ncortex-parse: hint: "},
		{"--max-size 12x", "", 2, "", "expected a number of bytes"},
		{"--max-size 2K", "", 0, `"files":2`, ""},
		{"--ignore **/*.py", "", 0, `"files":1`, ""},
		{"--fail-on partial", "", 0, `"files":2`, ""},
		{"--fail-on nothing", "", 2, "", "expected partial or error"},
		{"--languages", "", 0, "\ngo            full", ""},
		{"--nonsense", "", 2, "", "unknown flag"},
		{"--incremental", "", 0, `"mode":"full","files":2`, ""},
		{"--incremental a.go", "", 0, `"mode":"incremental","files":1`, ""},
		{"--incremental --no-stat-cache --store elsewhere", "", 0, `"mode":"full","files":2`, ""},
		{"--store elsewhere", "", 2, "", "--store, --database and --no-stat-cache need --incremental or --watch"},
		{"--incremental --store elsewhere --database postgres://u:s3cr3t@127.0.0.1:1/x", "", 2, "", "--store and --database exclude each other"},
		{"--watch --database postgres://u:s3cr3t@127.0.0.1:1/x", "", 2, "", "--watch compares with a store and not with a database"},
		{"--incremental --database postgres://u:s3cr3t@127.0.0.1:1/x", "", 2, "", "connect to database \"x\": connection refused\ncortex-parse: hint: start the server"},
		{"--poll", "", 2, "", "--poll needs --watch"},
		{"--watch a.go", "", 2, "", "--watch indexes a whole tree, so it takes no list of paths"},
		{"--watch --fail-on error", "", 2, "", "--watch does not end"},
	}
	for _, test := range tests {
		t.Run(test.args, func(t *testing.T) {
			status, stdout, stderr := run(t, test.stdin, strings.Fields(test.args)...)
			if status != test.status {
				t.Errorf("status %d, want %d: %s", status, test.status, stderr)
			}
			if !strings.Contains(stdout, test.stdout) || test.stdout == "" && stdout != "" {
				t.Errorf("stdout %q, want %q in it", stdout, test.stdout)
			}
			if !strings.Contains(stderr, test.stderr) || test.stderr == "" && stderr != "" {
				t.Errorf("stderr %q, want %q in it", stderr, test.stderr)
			}
		})
	}
}

func TestHelpFitsAScreen(t *testing.T) {
	status, stdout, _ := run(t, "", "--help")
	if lines := strings.Count(stdout, "\n"); status != 0 || lines > 36 {
		t.Errorf("status %d, %d lines", status, lines)
	}
	if !strings.Contains(stdout, "(default 1M)") {
		t.Error("the default size is not told")
	}
}
