package mcp_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	client "github.com/modelcontextprotocol/go-sdk/mcp"

	"cortex/lib/record"
	"cortex/lib/record/jsonl"
	"cortex/lib/store"
	"cortex/lib/store/update"
)

// caller returns a file in which the given number of functions call one, as cortex-embed would pass it on, with one
// chunk.
func caller(callers int) (*record.File, *record.Chunk) {
	text := "package p\n\nfunc Target() {\n}\n"
	f := &record.File{FilePath: "p/p.go", Language: "go", Package: "p", Status: record.StatusOK, SHA256: strings.Repeat("0", 64)}
	f.Symbols = append(f.Symbols, record.Symbol{Kind: record.Function, Name: "Target", QualifiedName: "Target", Signature: "func Target()", StartLine: 3, EndLine: 4})
	for n := range callers {
		name, line := fmt.Sprintf("Caller%d", n), 5+3*n
		f.Symbols = append(f.Symbols, record.Symbol{Kind: record.Function, Name: name, QualifiedName: name, StartLine: line, EndLine: line + 2})
		f.References = append(f.References, record.Reference{Relation: record.Calls, Name: "Target", Symbol: name, Lines: []int{line + 1}})
		text += fmt.Sprintf("func %s() {\n\tTarget() // generation%d\n}\n", name, callers)
	}
	c := code("p/p.go", "all", text)
	c.Metadata.EndLine = 4 + 3*callers
	return f, c
}

// putGraph stores a tree with the file of caller.
func putGraph(t *testing.T, root string, callers int) {
	t.Helper()
	f, c := caller(callers)
	var stream bytes.Buffer
	w := jsonl.NewWriter(&stream)
	for _, r := range []record.Record{&record.Begin{Schema: record.Schema, Mode: record.Full, Files: 1, Settings: map[string]string{}}, f, c, &record.End{Files: 1}} {
		if err := w.Write(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	err := update.Run(t.Context(), jsonl.NewReader(&stream, "test"), update.Options{
		Dir:    filepath.Join(root, store.Dir),
		Report: func(err error) { t.Errorf("store: %v", err) },
	})
	if err != nil {
		t.Fatal(err)
	}
}

type graphAnswer struct {
	Target     struct{ Symbol string }
	Candidates []struct{ Symbol string }
	Results    []struct {
		Symbol   string
		Lines    []int
		By       string
		Context  []struct{ Text string }
		Distance int
	}
	TotalFound int `json:"total_found"`
	Truncated  bool
	Note       string
}

func askGraph(t *testing.T, session *client.ClientSession, args object) graphAnswer {
	t.Helper()
	args["format"] = "json"
	text, failed := call(t, session, "cortex_graph", args)
	if failed {
		t.Fatalf("%v: %s", args, text)
	}
	var a graphAnswer
	if err := json.Unmarshal([]byte(text), &a); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return a
}

// TestEmptyIndexIsToldOf asks every tool about an index without files.
func TestEmptyIndexIsToldOf(t *testing.T) {
	root := t.TempDir()
	index(t, root)
	session := connect(t, options(t, root), "2025-06-18")
	for tool, args := range map[string]object{
		"cortex_search": {"query": "hello"}, "cortex_exact": {"query": "hello"}, "cortex_graph": {"operation": "callers", "target": "hello"},
	} {
		if text, failed := call(t, session, tool, args); failed || !strings.Contains(text, "the index is empty") {
			t.Errorf("%s: %s", tool, text)
		}
	}
	if a := askGraph(t, session, object{"operation": "callers", "target": "hello"}); !strings.Contains(a.Note, "the index is empty") {
		t.Errorf("in JSON: %+v", a)
	}
}

func TestGraphOverTheProtocol(t *testing.T) {
	root := t.TempDir()
	putGraph(t, root, 3)
	session := connect(t, options(t, root), "2025-06-18")
	a := askGraph(t, session, object{"operation": "callers", "target": "Target", "include_context": true})
	if a.Target.Symbol != "Target" || len(a.Results) != 3 || a.TotalFound != 3 || a.Results[0].Symbol != "Caller0" || !slices.Equal(a.Results[0].Lines, []int{6}) || a.Results[0].By != "scope" {
		t.Errorf("callers: %+v", a)
	} else if c := a.Results[0].Context; len(c) != 1 || !strings.Contains(c[0].Text, "\tTarget() // generation3\n") {
		t.Errorf("context: %+v", c)
	}
	if a := askGraph(t, session, object{"operation": "CALLEES", "target": "p/p.go:6", "depth": "2"}); len(a.Results) != 1 || a.Results[0].Symbol != "Target" {
		t.Errorf("callees of a place: %+v", a)
	}
	if a := askGraph(t, session, object{"operation": "callers", "target": "Target", "limit": 2}); len(a.Results) != 2 || a.TotalFound != 3 || !a.Truncated || !strings.Contains(a.Note, "2 of 3") {
		t.Errorf("limit: %+v", a)
	}
	if a := askGraph(t, session, object{"operation": "path", "target": "Caller1", "to": "Target"}); len(a.Results) != 1 {
		t.Errorf("path: %+v", a)
	}
	for format, want := range map[string]string{"text": "callers of Target (function, p/p.go:3)\np/p.go\n  6 Caller0: Target() // generation3\n", "": "\n  6 Caller0: Target() // generation3\n", "mermaid": "flowchart LR\n", "dot": "digraph"} {
		if text, failed := call(t, session, "cortex_graph", object{"operation": "callers", "target": "Target", "format": format}); failed || !strings.Contains(text, want) {
			t.Errorf("%s: %s", format, text)
		}
	}
	if text, failed := call(t, session, "cortex_graph", object{"operation": "callers", "target": "p/p.go:9999"}); !failed || !strings.Contains(text, `place "p/p.go:9999": the file has `) {
		t.Errorf("a line behind the end: %s", text)
	}
	if text, failed := call(t, session, "cortex_graph", object{"operation": "callers", "target": "Caller0"}); failed || text != "callers of Caller0 (function, p/p.go:5)\nno callers\ncalls by reflection, and calls in generated or skipped files, are not followed; search for the name" {
		t.Errorf("no callers: %s", text)
	}
	if text, failed := call(t, session, "cortex_graph", object{"operation": "callers", "target": "Target", "path": filepath.Join(root, "p")}); failed || !strings.Contains(text, "Caller0") {
		t.Errorf("%v %s", failed, text)
	}
	for _, target := range []string{"p/p.go:5", "p/p.go#Caller0", "p/p.go:Caller0"} {
		if text, failed := call(t, session, "cortex_graph", object{"operation": "callees", "target": filepath.Join(root, target)}); failed || !strings.HasPrefix(text, "callees of Caller0 (function, p/p.go:5)") {
			t.Errorf("%s: %v %s", target, failed, text)
		}
		if text, failed := call(t, session, "cortex_graph", object{"operation": "callees", "target": filepath.Join(filepath.Dir(root), "other", target)}); !failed || !strings.Contains(text, "target: ") || !strings.Contains(text, " is outside of the indexed folder ") {
			t.Errorf("%s: %v %s", target, failed, text)
		}
	}
	if text, failed := call(t, session, "cortex_graph", object{"operation": "callers", "target": "Target", "path": filepath.Dir(root)}); !failed || !strings.Contains(text, "path: ") || !strings.Contains(text, " is outside of the indexed folder ") {
		t.Errorf("%v %s", failed, text)
	}
	if text, failed := call(t, session, "cortex_graph", object{"operation": "callers", "target": "Targt", "format": "dot"}); failed || !strings.Contains(text, "near:") {
		t.Errorf("a drawing of nothing: %s", text)
	}
	for _, test := range []struct {
		args object
		want string
	}{
		{object{}, "operation: missing; give one of: callers, callees"},
		{object{"operation": "caller", "target": "x"}, `or path, got "caller"; did you mean "callers"?`},
		{object{"operation": "callers"}, "target: missing or blank"},
		{object{"operation": "path", "target": "x"}, "to: missing; say where the path ends"},
		{object{"operation": "callers", "target": "x", "to": "y"}, "to: only path has one"},
		{object{"operation": "callers", "target": "x", "min_confidence": 2}, "min_confidence: expected a number from 0 to 1"},
		{object{"operation": "callers", "target": "x", "path": "[a"}, `path: path "[a" is not a valid glob`},
		{object{"operation": "callers", "target": "x", "query": "y"}, "query: unknown argument"},
	} {
		if text, failed := call(t, session, "cortex_graph", test.args); !failed || !strings.Contains(text, test.want) {
			t.Errorf("%v: %s", test.args, text)
		}
	}
}

func TestGraphKeepsToItsSize(t *testing.T) {
	if testing.Short() {
		t.Skip("asks for large answers")
	}
	root := t.TempDir()
	putGraph(t, root, 400)
	session := connect(t, options(t, root), "2025-06-18")
	for _, format := range []string{"json", "text"} {
		for _, tokens := range []int{500, 2000, 10_000} {
			text, failed := call(t, session, "cortex_graph", object{"operation": "impact", "target": "Target", "limit": 400, "include_context": true, "max_tokens": tokens, "format": format})
			if failed || len(text) > 4*tokens || len(text) < 2*tokens || !strings.Contains(text, "to stay within max_tokens") {
				t.Errorf("%s in %d tokens: %d bytes, %.300s", format, tokens, len(text), text)
			}
		}
	}
}

// TestGraphOfOneGeneration writes the store repeatedly: each answer has the callers of one generation, and lines of the
// same generation.
func TestGraphOfOneGeneration(t *testing.T) {
	if testing.Short() {
		t.Skip("makes many graphs")
	}
	root := t.TempDir()
	putGraph(t, root, 1)
	session := connect(t, options(t, root), "2025-06-18")
	const generations = 8
	var writing sync.WaitGroup
	writing.Go(func() {
		for n := 2; n <= generations; n++ {
			putGraph(t, root, n)
		}
	})
	seen := 0
	for seen < generations {
		a := askGraph(t, session, object{"operation": "callers", "target": "Target", "include_context": true})
		if len(a.Results) != a.TotalFound || a.TotalFound < seen {
			t.Fatalf("%d callers after %d", a.TotalFound, seen)
		}
		seen = a.TotalFound
		for _, r := range a.Results {
			if want := fmt.Sprintf("// generation%d\n", seen); len(r.Context) != 1 || !strings.Contains(r.Context[0].Text, want) {
				t.Fatalf("of %d callers, one with %+v", seen, r.Context)
			}
		}
	}
	writing.Wait()
}

func TestStoreWithoutGraph(t *testing.T) {
	root := t.TempDir()
	_, c := caller(1)
	// Chunks without file records have no references.
	var stream bytes.Buffer
	w := jsonl.NewWriter(&stream)
	if err := w.Write(c); err != nil {
		t.Fatal(err)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := update.Run(t.Context(), jsonl.NewReader(&stream, "test"), update.Options{Dir: filepath.Join(root, store.Dir)}); err != nil {
		t.Fatal(err)
	}
	session := connect(t, options(t, root), "2025-06-18")
	if text, failed := call(t, session, "cortex_graph", object{"operation": "callers", "target": "Target"}); !failed || !strings.Contains(text, "the index has no graph\nhint: index again: cortex-parse --incremental") {
		t.Errorf("got %s", text)
	}
	if ids := found(t, session, "cortex_exact", object{"query": "Caller0"}); len(ids) != 1 {
		t.Errorf("exact search found %q", ids)
	}
}
