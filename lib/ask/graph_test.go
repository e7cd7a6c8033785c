package ask

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"cortex/lib/derived/derivedtest"
	"cortex/lib/graph/table"
	"cortex/lib/record"
	"cortex/lib/request"
	"cortex/lib/store"
)

// related stores a file in which the given number of functions call one, and returns the folder.
func related(t *testing.T, root string, callers int) string {
	t.Helper()
	f := &record.File{FilePath: "a.go", Language: "go", Package: "a", Status: record.StatusOK, SHA256: fmt.Sprintf("%064d", callers)}
	text := ""
	symbol := func(name string) {
		f.Symbols = append(f.Symbols, record.Symbol{Kind: record.Function, Name: name, QualifiedName: name, StartLine: 1 + len(f.Symbols), EndLine: 1 + len(f.Symbols)})
		text += "func " + name + "()\n"
	}
	symbol("Target")
	for n := range callers {
		symbol(fmt.Sprintf("F%d", n))
		f.References = append(f.References, record.Reference{Relation: record.Calls, Name: "Target", Symbol: fmt.Sprintf("F%d", n), Lines: []int{n + 2}})
	}
	c := &record.Chunk{ID: "code-impl-a.go", ChunkType: record.Implementations, Title: "a.go", Text: text, Tags: []string{"go"},
		Metadata: record.Metadata{Source: "code", FilePath: "a.go", Language: "go", StartLine: 1, EndLine: callers + 1, ByteEnd: len(text)}}
	return storeOf(t, root, &record.Begin{Schema: record.Schema, Mode: record.Full, Files: 1, Settings: map[string]string{}}, f, c, &record.End{Files: 1})
}

func graphOptions(root string, words ...string) *GraphOptions {
	asked := request.Graph{Request: table.Request{MinConfidence: table.DefaultMinConfidence}, Answer: request.Answer{Color: request.ColorAuto, Format: "quickfix"}}
	return &GraphOptions{Graph: asked, Asker: Asker{Root: root, Words: words,
		Getenv: func(string) string { return "" }, Warn: func(string, ...any) {}}}
}

// TestKeptGraph queries repeatedly: the graph is that of the current generation, whatever happened to the saved tables.
func TestKeptGraph(t *testing.T) {
	root := related(t, t.TempDir(), 2)
	made := false
	ask := func(wantMade bool, callers int) {
		t.Helper()
		o := graphOptions(root, "callers", "Target")
		made = false
		o.Making.Progress = func(int, int) { made = true }
		if err := o.Check(); err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		found, err := RunGraph(t.Context(), &out, o)
		if err != nil || found != callers || strings.Count(out.String(), "calls F") != callers {
			t.Errorf("%d found, %v: %s", found, err, out.String())
		}
		if made != wantMade {
			t.Errorf("made: %v", made)
		}
	}
	ask(true, 2)
	ask(false, 2)
	related(t, root, 3)
	ask(true, 3)
	ask(false, 3)
	kept, err := filepath.Glob(derivedtest.Path(t, filepath.Join(root, store.Dir), "graph", "tables", "*"))
	if err != nil || len(kept) != 1 {
		t.Fatalf("kept %q, %v", kept, err)
	}
	for _, damage := range []func([]byte) []byte{
		func([]byte) []byte { return []byte("CORTEXGR and more") },
		func(data []byte) []byte { return append(data[:200:200], bytes.Repeat([]byte{0xff}, len(data)-200)...) },
	} {
		for _, path := range kept {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, damage(data), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		ask(true, 3)
		ask(false, 3)
	}
}

func TestLinesAroundEdges(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir) // paths are relative to it
	o := graphOptions(related(t, dir, 12), "callers", "Target")
	o.Format, o.Request.Context = "pretty", 1
	var out strings.Builder
	if _, err := RunGraph(t.Context(), &out, o); err != nil || !strings.Contains(out.String(), "a.go:3  F1  calls · scope 1.00\n      2  func F0()\n      3  func F1()\n      4  func F2()\n") {
		t.Errorf("%v: %s", err, out.String())
	}
	o.MaxTokens = 100
	warned := ""
	o.Warn = func(format string, args ...any) { warned += fmt.Sprintf(format, args...) }
	out.Reset()
	if _, err := RunGraph(t.Context(), &out, o); err != nil || out.Len() > 400 || !strings.Contains(warned, "to stay within --max-tokens") {
		t.Errorf("%v: %d bytes, %q", err, out.Len(), warned)
	}
}

// TestGraphPathWithoutFiles uses paths that match no file of the graph.
func TestGraphPathWithoutFiles(t *testing.T) {
	root := related(t, t.TempDir(), 3)
	for path, want := range map[string]string{
		"nowhere/**": `no callers of Target (function, a.go:1) but 3 in files that --path leaves out|no file matches the path "nowhere/**"`,
		"sub/a.go":   `no callers of Target (function, a.go:1) but 3 in files that --path leaves out|no file matches the path "sub/a.go"; near: a.go`,
		"a.go":       "",
	} {
		o := graphOptions(root, "callers", "Target")
		o.Path = path
		var said []string
		o.Warn = func(format string, args ...any) { said = append(said, fmt.Sprintf(format, args...)) }
		if _, err := RunGraph(t.Context(), &bytes.Buffer{}, o); err != nil {
			t.Fatal(err)
		}
		if got := regexp.MustCompile(`\S*/a\.go:`).ReplaceAllString(strings.Join(said, "|"), "a.go:"); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}
