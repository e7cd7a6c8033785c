package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cortex/lib/chunk"
	"cortex/lib/cli"
	"cortex/lib/embed"
	"cortex/lib/parse"
	"cortex/lib/record"
	"cortex/lib/record/jsonl"
	"cortex/lib/search"
	"cortex/lib/source"
	"cortex/lib/store"
	"cortex/lib/store/update"
)

// repository indexes a few files with the real stages and returns their folder.
func repository(t *testing.T) string {
	t.Helper()
	return repositoryOf(t, map[string]string{
		"lib/reader.go":   "package lib\n\n// ReadRecord reads one record from standard input.\nfunc ReadRecord() error {\n\treturn nil\n}\n",
		"lib/provider.go": "package lib\n\n// Provider gives what is asked for.\ntype Provider struct{ handler int }\n",
		"README.md":       "# Guide\n\nHow the providers work, and error handling.\n",
	})
}

func repositoryOf(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var parsed, chunks, embedded bytes.Buffer
	fail := func(err error) {
		if err != nil {
			t.Helper()
			t.Fatal(err)
		}
	}
	report := func(err error) { t.Error(err) }
	fail(parse.Run(t.Context(), jsonl.NewWriter(&parsed), parse.Options{Source: source.Options{Root: root}, Mode: record.Full, Jobs: 1, Report: report}))
	opts := chunk.DefaultOptions()
	opts.Jobs, opts.Report = 1, report
	fail(chunk.Run(t.Context(), jsonl.NewReader(&parsed, "files"), jsonl.NewWriter(&chunks), opts))
	e, err := embed.Open(t.Context(), embed.Config{})
	fail(err)
	defer e.Close()
	fail(embed.Run(t.Context(), jsonl.NewReader(&chunks, "chunks"), jsonl.NewWriter(&embedded), e, embed.Options{Jobs: 1, Report: report}))
	err = update.Run(t.Context(), jsonl.NewReader(&embedded, "embedded"), update.Options{Dir: filepath.Join(root, store.Dir), Report: report})
	fail(err)
	return root
}

func query(args ...string) (status int, stdout, stderr string) {
	var out, errs bytes.Buffer
	env := &cli.Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Args: args}
	status = cli.Run(context.Background(), command(), env)
	return status, out.String(), errs.String()
}

func TestQuery(t *testing.T) {
	root := repository(t)
	tests := []struct {
		args   []string
		status int
		stdout string // "" for nothing at all
		stderr string
	}{
		{[]string{"exact", "--root", root, "--color", "always", "text:Prov*"}, 0, "provider.go:", ""},
		{[]string{"exact", "--root", root, `"error handling"`}, 0, `"doc-README.md`, ""},
		{[]string{"exact", "--root", root, "text:handler", "AND", "tags:go"}, 0, "<mark>handler</mark>", ""},
		{[]string{"exact", "--root", root, "absent"}, 1, "", "absent: no match\n"},
		{[]string{"exact", "--root", root, "Provdier"}, 1, "", "Provdier: no match; near: provider (1), providers (1)\n"},
		{[]string{"exact", "--root", root, "--quiet", "absent"}, 1, "", ""},
		{[]string{"exact", "--root", root, "--json", "Provdier"}, 1, `{"no_match":{"message":"Provdier: no match; near: provider (1), providers (1)","terms":[{"term":"Provdier","near":[{"term":"provider","count":1}`, "Provdier"},
		{[]string{"exact", "--root", root, "provider", "standard"}, 1, "", "provider and standard: each matches (2 and 1), never both in one place"},
		{[]string{"exact", "--root", root, "--lang", "go", "guide"}, 1, "", "guide: 1 match, all excluded by language \"go\": "},
		{[]string{"exact", "--root", root, "--files-with-matches", "prov*"}, 0, "lib/provider.go\n", ""},
		{[]string{"exact", "--root", root, "--count", "prov*"}, 0, "2\n", ""},
		{[]string{"exact", "--root", root, "--format", "grep", "readrecord"}, 0, "lib/reader.go:3:// ReadRecord reads one record from standard input.\n", ""},
		{[]string{"exact", "--root", root, "--format", "quickfix", "readrecord"}, 0, "lib/reader.go:4:6: func ReadRecord() error {\n", ""},
		{[]string{"exact", "--root", root, "--format", "quickfix", "path:reader.go"}, 0, "lib/reader.go:1:1: package lib\n", ""},
		{[]string{"exact", "--root", root, "--format", "xml", "x"}, 2, "", "--format"},
		{[]string{"exact", "--root", root, "--count", "--files-with-matches", "x"}, 2, "", "give one of them"},
		{[]string{"search", "--root", root, "--format", "grep", "x"}, 2, "", `--format "grep": expected pretty, text or json`},
		{[]string{"exact", "--root", root, "/rea(d|/"}, 2, "", "position 2: regular expression: missing closing )"},
		{[]string{"exact", "--root", root, "providers", "--lang", "markdown", "--path", "*.md"}, 0, "README.md", ""},
		{[]string{"exact", "--root", root, "text:foo AND "}, 2, "", "position 14: expected a term after AND\n  text:foo AND \n               ^\ncortex-query: hint:"},
		{[]string{"exact", "--root", root, "--limit", "-1", "x"}, 2, "", `--limit "-1": expected a whole number of 0 or more`},
		{[]string{"exact", "--root", root, "--color", "blue", "x"}, 2, "", "--color"},
		{[]string{"exact", "--root", root, "--type", "poems", "x"}, 2, "", `--type "poems": expected symbols, definitions`},
		{[]string{"exact", "--root", root}, 2, "", "no query"},
		{[]string{"exact", "--root", root, "-error"}, 2, "", "write -- before an argument that begins with -"},
		{[]string{"exact", "--root", root, "-path:md", "providers"}, 2, "", "-path:md: read as the flag -p; write -- before"},
		{[]string{"exact", "--root", root, "--", "-path:md provider"}, 0, "lib/provider.go", ""},
		{[]string{"search", "--root", root, "how", "are", "records", "read"}, 0, "ReadRecord", ""},
		{[]string{"search", "--root", root, "--mode", "semantic", "providers"}, 0, `"match":"semantic"`, ""},
		{[]string{"search", "--root", root, "--explain", "how", "are", "records", "read"}, 0, `"reasons":[{"signal":"`, ""},
		{[]string{"search", "--root", root, "--explain", "--format", "pretty", "ReadRecord"}, 0, "  declares +", ""},
		{[]string{"search", "--root", root, "--explain", "--mode", "semantic", "--json", "records"}, 0, `"reasons":[{"signal":"meaning","value":`, ""},
		{[]string{"search", "--root", root, "--explain", "--mode", "fusion", "--json", "records"}, 0, `"reasons":[{"signal":"ranks","value":`, ""},
		{[]string{"similar", "--root", root, "lib/reader.go:4"}, 0, "lib/provider.go", ""},
		{[]string{"similar", "--root", root, filepath.Join(root, "lib/reader.go") + ":4"}, 0, "lib/provider.go", ""},
		{[]string{"similar", "--root", root, "--mode", "keyword", "--explain", "README.md:1"}, 0, `"reasons":[{"signal":"words"`, ""},
		{[]string{"similar", "--root", root, "lib/reader.go"}, 2, "", `place "lib/reader.go": expected a file and a line`},
		{[]string{"similar", "--root", root, "lib/reader.go:400"}, 2, "", "the file has 6 lines in the index"},
		{[]string{"similar", "--root", root, "lib/nowhere.go:4"}, 2, "", "no such file in the index"},
		{[]string{"similar", "--root", root, "a.go:1", "b.go:2"}, 2, "", "2 places, expected one"},
		{[]string{"search", "--root", root, "--mode", "guess", "x"}, 2, "", `--mode "guess": expected auto, semantic`},
		{[]string{"search", "--root", root, "--path", "nowhere", "providers"}, 1, "", `no file matches the path "nowhere"`},
		{[]string{"search", "--root", t.TempDir(), "x"}, 2, "", "hint:"},
	}
	for _, tt := range tests {
		status, stdout, stderr := query(tt.args...)
		if status != tt.status {
			t.Errorf("%q: status %d, want %d; %s", tt.args, status, tt.status, stderr)
		}
		if !strings.Contains(stdout, tt.stdout) || tt.stdout == "" && stdout != "" {
			t.Errorf("%q: stdout %q, want %q", tt.args, stdout, tt.stdout)
		}
		if !strings.Contains(stderr, tt.stderr) || tt.stderr == "" && stderr != "" {
			t.Errorf("%q: stderr %q, want %q", tt.args, stderr, tt.stderr)
		}
	}
}

func TestOneHitALine(t *testing.T) {
	root := repository(t)
	_, all, _ := query("exact", "--root", root, "--limit", "0", "text:*")
	lines := strings.Split(strings.TrimSpace(all), "\n")
	if len(lines) < 4 {
		t.Fatalf("got %d lines: %s", len(lines), all)
	}
	for _, line := range lines {
		var hit search.Hit
		if err := json.Unmarshal([]byte(line), &hit); err != nil || hit.Chunk.ID == "" {
			t.Errorf("%v in %s", err, line)
		}
		if strings.Contains(line, `"embedding`) {
			t.Errorf("a hit holds an embedding: %s", line)
		}
	}
	_, second, _ := query("exact", "--root", root, "--limit", "1", "--offset", "1", "text:*")
	if second != lines[1]+"\n" {
		t.Errorf("second page is %q, want %q", second, lines[1])
	}
}

// TestDatabaseFlags tries faults that need no server.
func TestDatabaseFlags(t *testing.T) {
	const url = "postgres://me:secret@127.0.0.1:1/code"
	root := repository(t)
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"exact", "--tree", "api", "x"}, "--tree selects trees of a database, and none is named\ncortex-query: hint: add --database URL, or set CORTEX_DATABASE; in a store, use --path 'NAME:**'"},
		{[]string{"exact", "--root", root, "--database", url, "x"}, "--database along with --root or --store\ncortex-query: hint: give one of them"},
		{[]string{"graph", "--store", root, "--database", url, "callers", "x"}, "--database along with --root or --store"},
		{[]string{"search", "--database", url, "x"}, `connect to database "code": `},
		{[]string{"graph", "--database", url, "callers", "x"}, "hint: start the server, or name another with --database URL or CORTEX_DATABASE"},
		{[]string{"exact", "--database", "mysql://me:secret@host/code", "x"}, "the URL of the database cannot be read"},
	} {
		status, out, errs := query(tt.args...)
		if status != 2 || out != "" || !strings.Contains(errs, tt.want) || strings.Contains(errs, "secret") {
			t.Errorf("%q: status %d, %q, %q", tt.args, status, out, errs)
		}
	}
}
