package parse

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cortex/lib/hint"
	"cortex/lib/record"
	"cortex/lib/record/jsonl"
	"cortex/lib/source"
)

// writeTree makes a folder of the given files.
func writeTree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// runTree returns the stream that Run writes.
func runTree(t *testing.T, opts Options) []byte {
	t.Helper()
	var out bytes.Buffer
	opts.Report = func(err error) { t.Error(err) }
	if err := Run(t.Context(), jsonl.NewWriter(&out), opts); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// outline tells a stream in short lines.
func outline(t *testing.T, stream []byte) []string {
	t.Helper()
	var lines []string
	r := jsonl.NewReader(bytes.NewReader(stream), "stream")
	for {
		rec, err := r.Read()
		if err == io.EOF {
			return lines
		}
		if err != nil {
			t.Fatal(err)
		}
		switch rec := rec.(type) {
		case *record.Begin:
			lines = append(lines, fmt.Sprintf("begin %s %s %d", rec.Tree, rec.Mode, rec.Files))
			if len(rec.Settings["parse"]) != 12 {
				t.Errorf("settings are %q", rec.Settings)
			}
		case *record.File:
			lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s %s %s", rec.FilePath, rec.Status, rec.Reason)))
		case *record.End:
			lines = append(lines, fmt.Sprintf("end %d %d", rec.Files, rec.Errors))
		}
	}
}

func sampleTree(t *testing.T) string {
	return writeTree(t, map[string]string{
		"a.go":         "package a\n\nfunc A() {}\n",
		"lib/b.py":     "def b(): pass\n",
		"lib/broken.c": "int main(",
		"lib/c.ts":     "export const c = 1;\nlet (\n",
		"lib/x/d.js":   "",
		"bin.dat":      "a\x00b",
		"big.go":       "package big\n" + strings.Repeat("// x\n", 1000),
		"README.md":    "# Title\n",
	})
}

func TestRunFramesTheFilesOfATree(t *testing.T) {
	opts := Options{Source: source.Options{Root: sampleTree(t), MaxSize: 2000}, Tree: "here", Jobs: 2}
	want := []string{
		"begin here full 8",
		"README.md ok",
		"a.go ok",
		"big.go skipped too large: 5012 bytes",
		"bin.dat skipped binary",
		"lib/b.py ok",
		"lib/broken.c partial syntax errors",
		"lib/c.ts partial syntax errors",
		"lib/x/d.js ok",
		"end 8 0",
	}
	if diff := cmp.Diff(want, outline(t, runTree(t, opts))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestRunOverPathsIsIncremental(t *testing.T) {
	root := sampleTree(t)
	opts := Options{Source: source.Options{Root: root}, Paths: []string{"gone.go", "a.go", "a.go"}, Dirs: []string{"lib/x"}, Jobs: 1}
	want := []string{"begin  incremental 3", "a.go ok", "gone.go deleted", "lib/x/d.js ok", "end 3 0"}
	if diff := cmp.Diff(want, outline(t, runTree(t, opts))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	opts.Paths, opts.Dirs, opts.Mode = []string{}, nil, record.Full
	if diff := cmp.Diff([]string{"begin  full 0", "end 0 0"}, outline(t, runTree(t, opts))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestRunIsTheSameWithAnyNumberOfJobs(t *testing.T) {
	if testing.Short() {
		t.Skip("parses all cases twice")
	}
	t.Parallel()
	files := map[string]string{}
	cases, err := filepath.Glob("testdata/*/*.*")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		data, err := os.ReadFile(c)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(filepath.Dir(c))+"/"+filepath.Base(c)] = string(data)
	}
	opts := Options{Source: source.Options{Root: writeTree(t, files)}, Jobs: 1}
	one := runTree(t, opts)
	opts.Jobs = 8
	if eight := runTree(t, opts); !bytes.Equal(one, eight) {
		t.Error("8 workers write something else than one")
	}
}

func TestSettingsTellWhatShapesTheOutput(t *testing.T) {
	base := fingerprint(source.Options{MaxSize: 1})
	for _, other := range []source.Options{{MaxSize: 2}, {MaxSize: 1, Ignore: []string{"a"}}, {MaxSize: 1, Docs: []string{"a"}}} {
		if fingerprint(other) == base {
			t.Errorf("%+v has the fingerprint of another", other)
		}
	}
	if fingerprint(source.Options{MaxSize: 1, Root: "/elsewhere"}) != base {
		t.Error("the root changes the fingerprint")
	}
}

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestRunReportsAWriteThatFails(t *testing.T) {
	root := sampleTree(t)
	err := Run(t.Context(), jsonl.NewWriter(failingWriter{}), Options{Source: source.Options{Root: root}, Jobs: 2})
	if err == nil || err.Error() != "full" {
		t.Errorf("got %v", err)
	}
}

func TestRunRefusesATreeThatNoStoreTakes(t *testing.T) {
	var out bytes.Buffer
	err := Run(t.Context(), jsonl.NewWriter(&out), Options{Source: source.Options{Root: t.TempDir()}, Tree: "a:b"})
	if err == nil || !strings.Contains(err.Error(), `tree "a:b"`) || out.Len() > 0 {
		t.Errorf("error %v, output %q", err, out.String())
	}
}

func TestRunEndsWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out bytes.Buffer
	err := Run(ctx, jsonl.NewWriter(&out), Options{Source: source.Options{Root: sampleTree(t)}, Jobs: 2})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if bytes.Contains(out.Bytes(), []byte(`"end"`)) {
		t.Error("a cancelled run has an end")
	}
}

func TestSelect(t *testing.T) {
	root := sampleTree(t)
	t.Chdir(root)
	tests := []struct {
		root string
		args []string
		want Options
		err  string
	}{
		{"", nil, Options{Source: source.Options{Root: "."}}, ""},
		{"", []string{"lib"}, Options{Source: source.Options{Root: "lib"}, RelativeRoot: "lib"}, ""},
		{"", []string{"lib/x", "a.go"}, Options{Source: source.Options{Root: "."}, Paths: []string{"a.go"}, Dirs: []string{"lib/x"}}, ""},
		{"lib", []string{"lib/x"}, Options{Source: source.Options{Root: "lib"}, Dirs: []string{"x"}, RelativeRoot: "lib"}, ""},
		{"lib", []string{"lib"}, Options{Source: source.Options{Root: "lib"}, Dirs: []string{"."}, RelativeRoot: "lib"}, ""},
		{"lib", []string{"a.go"}, Options{}, `"a.go" is outside of the root "lib"`},
		{"a.go", nil, Options{}, `root "a.go" is not a folder`},
		{"", []string{"missing"}, Options{}, "stat missing: no such file or directory"},
		{"missing", nil, Options{}, "stat missing: no such file or directory"},
		{"", []string{""}, Options{}, "an argument is empty"},
		{"", []string{"lib", ""}, Options{}, "an argument is empty"},
	}
	for _, test := range tests {
		var got Options
		err := got.Select(test.root, test.args)
		if test.err != "" {
			if err == nil || err.Error() != test.err {
				t.Errorf("Select(%q, %q) = %v, want %s", test.root, test.args, err, test.err)
			}
			if test.root == "" && hint.Of(err) == "" {
				t.Errorf("Select(%q, %q): no hint", test.root, test.args)
			}
			continue
		}
		if err != nil {
			t.Errorf("Select(%q, %q): %v", test.root, test.args, err)
		}
		if diff := cmp.Diff(fmt.Sprintf("%+v", test.want), fmt.Sprintf("%+v", got)); diff != "" {
			t.Errorf("Select(%q, %q): -want +got:\n%s", test.root, test.args, diff)
		}
	}
}

func TestSelectPartOfIndexedFolder(t *testing.T) {
	t.Chdir(sampleTree(t))
	if err := os.Mkdir(".cortex", 0o755); err != nil {
		t.Fatal(err)
	}
	for arg, want := range map[string]Options{
		"lib": {Source: source.Options{Root: "."}, Dirs: []string{"lib"}},
		".":   {Source: source.Options{Root: "."}},
		"..":  {Source: source.Options{Root: ".."}, RelativeRoot: ".."},
	} {
		var got Options
		if err := got.Select("", []string{arg}); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(fmt.Sprintf("%+v", want), fmt.Sprintf("%+v", got)); diff != "" {
			t.Errorf("Select of %q: -want +got:\n%s", arg, diff)
		}
	}
}

func TestReadPaths(t *testing.T) {
	tests := []struct {
		text string
		end  byte
		want []string
	}{
		{"", '\n', []string{}},
		{"a\nb c\r\n\nlast", '\n', []string{"a", "b c", "last"}},
		{"a\nb\x00c\x00", 0, []string{"a\nb", "c"}},
	}
	for _, test := range tests {
		got, err := readPaths(strings.NewReader(test.text), test.end)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%q: -want +got:\n%s", test.text, diff)
		}
	}
}

func TestTestPaths(t *testing.T) {
	tests := map[string]bool{
		"a/b_test.go": true, "test_x.py": true, "shop/tests.py": true, "src/tests.rs": true, "src/test.c": false, "latests.py": false, "conftest.py": true, "t/helper/date.c": true, "lib/t/load.t": true, "contrib/t/t1000-add.sh": true, "Formula/t/terraform.rb": false, "a/t.c": false, "a.spec.ts": true, "a.test.jsx": true,
		"src/snapshots/queue__full.snap": true, "src/snapshots/full.snap.new": true, "src/__snapshots__/a.html": true, "src/snapshots/take.rs": false, "snapcraft.yaml": false,
		"__tests__/a.js": true, "tests/a.py": true, "src/HandlerTest.java": true, "x/spec/a_spec.rb": true,
		"contest.py": false, "testing.go": false, "latest.js": false, "a/Test.java": false, "attest/x.go": false,
	}
	for path, want := range tests {
		if got := isTestPath(path); got != want {
			t.Errorf("isTestPath(%q) = %v", path, got)
		}
	}
}

// TestFilesWithLongRecordsAreSkipped has a file whose text takes six times its size in a record.
func TestFilesWithLongRecordsAreSkipped(t *testing.T) {
	if testing.Short() {
		t.Skip("parses large files")
	}
	f := &record.File{FilePath: "a.txt", Language: "text", Size: 1, SHA256: "00", Status: record.StatusOK, Text: strings.Repeat("\x01", jsonl.MaxLine/6)}
	line, stands, err := encode(nil, f)
	want := `{"type":"file","file_path":"a.txt","language":"text","size":1,"status":"skipped","error_count":0,"reason":"too large: the record is longer than 64 MiB"}` + "\n"
	if err != nil || string(line) != want || stands.Status != record.StatusSkipped {
		t.Errorf("got %.300q, %v", line, err)
	}
}

// TestRootBehindALink names the folder around a link, not that around what the link leads to.
func TestRootBehindALink(t *testing.T) {
	dir := t.TempDir()
	for _, folder := range []string{"tree", "outside/in"} {
		if err := os.MkdirAll(filepath.Join(dir, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(filepath.Join(dir, "tree"))
	if err := os.Symlink("../outside/in", "lib"); err != nil {
		t.Fatal(err)
	}
	for _, root := range []string{"", "lib/.."} {
		var o Options
		if err := o.Select(root, []string{"lib/.."}); err != nil || o.Source.Root != "." {
			t.Errorf("root %q: %q, %v", root, o.Source.Root, err)
		}
	}
}
