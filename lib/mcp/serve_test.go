package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	client "github.com/modelcontextprotocol/go-sdk/mcp"

	"cortex/lib/embed"
	"cortex/lib/graph/table"
	"cortex/lib/mcp"
	"cortex/lib/record"
	"cortex/lib/record/jsonl"
	"cortex/lib/search/render/brief"
	"cortex/lib/store"
	"cortex/lib/store/update"
)

// patience is how long a test waits for an event.
const patience = 30 * time.Second

func code(path, name, text string) *record.Chunk {
	return &record.Chunk{
		ID: "code-impl-" + path + "#" + name, ChunkType: record.Implementations, Title: name, Text: text,
		Tags: []string{"code", "go", "implementations"},
		Metadata: record.Metadata{Source: record.SourceCode, FilePath: path, Language: "go", Package: "p",
			StartLine: 1, EndLine: 1 + strings.Count(text, "\n"), ByteEnd: len(text), SymbolName: name, SymbolType: record.Function},
	}
}

// library returns the chunks of the store that most tests serve.
func library() []*record.Chunk {
	return []*record.Chunk{
		code("session/expiry.go", "RemoveExpired", "// RemoveExpired deletes sessions that have expired.\nfunc RemoveExpired(now time.Time) { sessions.deleteBefore(now) }\n"),
		code("net/retry.go", "Backoff", "// Backoff waits longer after every failed attempt.\nfunc Backoff(attempt int) time.Duration { return base << attempt }\n"),
		code("net/retry_test.go", "TestBackoff", "func TestBackoff(t *testing.T) { Backoff(3) }\n"),
		{
			ID: "doc-guide.md#install", ChunkType: record.Documentation, Title: "Install", Text: "> Guide › Install\nUnpack the archive & run <setup>.\n",
			Tags:     []string{"doc", "markdown", "documentation"},
			Metadata: record.Metadata{Source: record.SourceDoc, FilePath: "guide.md", Language: "markdown", StartLine: 3, EndLine: 4},
		},
	}
}

// index embeds the chunks and makes them the only content of the store in root.
func index(t *testing.T, root string, chunks ...*record.Chunk) {
	t.Helper()
	ctx := t.Context()
	embedder, err := embed.Open(ctx, embed.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer embedder.Close()
	for _, c := range chunks {
		vectors, err := embedder.Embed(ctx, embed.Passage, []string{embed.Text(c)})
		if err != nil {
			t.Fatal(err)
		}
		c.Embedding, c.EmbeddingModel = vectors[0], embedder.Model()
	}
	put(t, root, chunks...)
}

// put stores the chunks unchanged.
func put(t *testing.T, root string, chunks ...*record.Chunk) {
	t.Helper()
	byFile := map[string][]*record.Chunk{}
	for _, c := range chunks {
		byFile[c.Metadata.FilePath] = append(byFile[c.Metadata.FilePath], c)
	}
	var stream bytes.Buffer
	w := jsonl.NewWriter(&stream)
	write := func(r record.Record) {
		if err := w.Write(r); err != nil {
			t.Fatal(err)
		}
	}
	write(&record.Begin{Schema: record.Schema, Mode: record.Full, Files: len(byFile), Settings: map[string]string{}})
	for path, own := range byFile {
		write(&record.File{FilePath: path, Language: own[0].Metadata.Language, Status: record.StatusOK, SHA256: strings.Repeat("0", 64)})
		for _, c := range own {
			write(c)
		}
	}
	write(&record.End{Files: len(byFile)})
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

// options returns options to serve root. Warnings go to the test's log.
func options(t *testing.T, root string) mcp.Options {
	return mcp.Options{
		Repositories: []mcp.Repository{{Root: func() string { return root }}},
		Embedding:    func(string) (embed.Config, error) { return embed.Config{}, nil },
		Version:      "1.2.3",
		Report:       func(err error) { t.Errorf("reported: %v", err) },
		Warn:         t.Logf,
	}
}

// connect serves in this process and returns a client. The server must end without an error when the test ends.
func connect(t *testing.T, opts mcp.Options, version string) *client.ClientSession {
	t.Helper()
	serverIn, clientOut := io.Pipe()
	clientIn, serverOut := io.Pipe()
	done := make(chan error, 1)
	go func() {
		err := mcp.Serve(context.Background(), serverIn, serverOut, opts)
		serverOut.Close()
		done <- err
	}()
	transport := &client.IOTransport{Reader: clientIn, Writer: clientOut}
	session := handshake(t, transport, version)
	t.Cleanup(func() {
		session.Close()
		clientOut.Close()
		// A call that was cancelled late may be answered after the client has left.
		if err := <-done; err != nil && !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("serve: %v", err)
		}
	})
	return session
}

func handshake(t *testing.T, transport client.Transport, version string) *client.ClientSession {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	c := client.NewClient(&client.Implementation{Name: "test", Version: "0"}, nil)
	session, err := c.Connect(ctx, transport, &client.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	return session
}

type object = map[string]any

// call calls a tool and returns its text and whether that is an error.
func call(t *testing.T, session *client.ClientSession, tool string, args any) (string, bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	// Tests read the fields of JSON answers; other tests check text answers.
	if given, ok := args.(object); ok && tool != "cortex_graph" && given["format"] == nil {
		given = maps.Clone(given)
		given["format"] = "json"
		args = given
	}
	result, err := session.CallTool(ctx, &client.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		t.Fatalf("%s %v: %v", tool, args, err)
	}
	if len(result.Content) != 1 {
		t.Fatalf("%s %v: %d pieces of content", tool, args, len(result.Content))
	}
	return result.Content[0].(*client.TextContent).Text, result.IsError
}

// found calls a tool that must succeed and returns the identifiers of its results.
func found(t *testing.T, session *client.ClientSession, tool string, args object) []string {
	t.Helper()
	text, failed := call(t, session, tool, args)
	if failed {
		t.Fatalf("%s %v: %s", tool, args, text)
	}
	var answer struct {
		Results []struct{ Chunk struct{ ID string } }
	}
	if err := json.Unmarshal([]byte(text), &answer); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	ids := []string{}
	for _, r := range answer.Results {
		ids = append(ids, r.Chunk.ID)
	}
	return ids
}

func TestEveryProtocolVersionIsSpoken(t *testing.T) {
	root := t.TempDir()
	index(t, root, library()...)
	for _, version := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"} {
		t.Run(version, func(t *testing.T) {
			session := connect(t, options(t, root), version)
			hello := session.InitializeResult()
			if hello.ProtocolVersion != version || hello.ServerInfo.Name != "cortex" || hello.ServerInfo.Version != "1.2.3" {
				t.Errorf("got %+v, %+v", hello, hello.ServerInfo)
			}
			for _, word := range []string{"cortex_search", "cortex_exact", "cortex_graph"} {
				if !strings.Contains(hello.Instructions, word) {
					t.Errorf("instructions do not name %s", word)
				}
			}
			tools, err := session.ListTools(t.Context(), nil)
			if err != nil || len(tools.Tools) != 3 {
				t.Fatalf("%+v, %v", tools, err)
			}
			if ids := found(t, session, "cortex_exact", object{"query": "deleteBefore"}); !slices.Equal(ids, []string{"code-impl-session/expiry.go#RemoveExpired"}) {
				t.Errorf("cortex_exact found %q", ids)
			}
			if ids := found(t, session, "cortex_search", object{"query": "where are expired sessions removed"}); len(ids) == 0 || ids[0] != "code-impl-session/expiry.go#RemoveExpired" {
				t.Errorf("cortex_search found %q", ids)
			}
		})
	}
}

func TestToolsAreDeclaredForEveryClient(t *testing.T) {
	session := connect(t, options(t, t.TempDir()), "2025-06-18")
	list, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	checkTools(t, list.Tools)
}

// checkTools checks properties of the tools that clients rely on.
func checkTools(t *testing.T, tools []*client.Tool) {
	t.Helper()
	var names []string
	for _, tool := range tools {
		names = append(names, tool.Name)
		a := tool.Annotations
		if a == nil || !a.ReadOnlyHint || !a.IdempotentHint || a.DestructiveHint == nil || *a.DestructiveHint || a.OpenWorldHint == nil || *a.OpenWorldHint {
			t.Errorf("%s: annotations %+v", tool.Name, a)
		}
		if tool.Title == "" || tool.Description == "" || tool.OutputSchema != nil {
			t.Errorf("%s: title %q, description %q, output schema %v", tool.Name, tool.Title, tool.Description, tool.OutputSchema)
		}
		schema, ok := tool.InputSchema.(map[string]any)
		if !ok {
			t.Fatalf("%s: input schema %T", tool.Name, tool.InputSchema)
		}
		if schema["type"] != "object" || len(schema["properties"].(map[string]any)) < 8 {
			t.Errorf("%s: the schema is empty: %v", tool.Name, schema)
		}
		checkPlain(t, tool.Name, schema)
	}
	if !slices.Equal(names, []string{"cortex_exact", "cortex_graph", "cortex_search"}) {
		t.Errorf("tools %q", names)
	}
}

// checkPlain refuses schema features that some clients cannot read: unions of types and references.
func checkPlain(t *testing.T, at string, schema map[string]any) {
	t.Helper()
	for key, value := range schema {
		switch key {
		case "anyOf", "oneOf", "allOf", "not", "if", "$ref", "$defs", "const", "patternProperties":
			t.Errorf("%s: %s", at, key)
		case "type":
			if _, ok := value.(string); !ok {
				t.Errorf("%s: a choice of types: %v", at, value)
			}
		case "properties":
			for name, p := range value.(map[string]any) {
				checkPlain(t, at+"."+name, p.(map[string]any))
			}
		case "items":
			checkPlain(t, at+"[]", value.(map[string]any))
		}
	}
}

func TestAnswersAreAsDesigned(t *testing.T) {
	root := t.TempDir()
	index(t, root, library()...)
	session := connect(t, options(t, root), "")
	for _, tool := range []string{"cortex_search", "cortex_exact"} {
		text, failed := call(t, session, tool, object{"query": "archive", "limit": "1"})
		if failed {
			t.Fatal(text)
		}
		if strings.Contains(text, "embedding") || !strings.Contains(text, "archive & run <setup>") {
			t.Errorf("%s: %s", tool, text)
		}
		dec := json.NewDecoder(strings.NewReader(text))
		dec.DisallowUnknownFields()
		var answer struct {
			Query   string `json:"query"`
			Results []struct {
				Chunk struct {
					ID        string          `json:"id"`
					ChunkType string          `json:"chunk_type"`
					Title     string          `json:"title"`
					Text      string          `json:"text"`
					Tags      []string        `json:"tags"`
					Metadata  record.Metadata `json:"metadata"`
				} `json:"chunk"`
				Score      float64           `json:"score"`
				Match      string            `json:"match"`
				Highlights []json.RawMessage `json:"highlights"`
			} `json:"results"`
			TotalFound    int            `json:"total_found"`
			TotalReturned int            `json:"total_returned"`
			Metadata      map[string]any `json:"metadata"`
		}
		if err := dec.Decode(&answer); err != nil {
			t.Fatalf("%s: %v in %s", tool, err, text)
		}
		if answer.Query != "archive" || len(answer.Results) != 1 || answer.TotalReturned != 1 || answer.Metadata["took_ms"] == nil || answer.Metadata["source"] == nil {
			t.Fatalf("%s: %s", tool, text)
		}
		r := answer.Results[0]
		if r.Chunk.ID != "doc-guide.md#install" || r.Chunk.Metadata.StartLine != 3 || r.Score <= 0 || r.Score > 1 || len(r.Highlights) == 0 {
			t.Errorf("%s: %s", tool, text)
		}
	}
}

func TestFiltersNarrow(t *testing.T) {
	root := t.TempDir()
	index(t, root, library()...)
	session := connect(t, options(t, root), "")
	for _, test := range []struct {
		args object
		want []string
	}{
		{object{"query": "backoff", "path": "*_test.go"}, []string{"code-impl-net/retry_test.go#TestBackoff"}},
		{object{"query": "backoff", "symbol_name": "Back*"}, []string{"code-impl-net/retry.go#Backoff"}},
		{object{"query": "backoff", "languages": "markdown"}, []string{}},
		{object{"query": "archive", "chunk_types": []string{"documentation"}}, []string{"doc-guide.md#install"}},
		{object{"query": "archive", "tags": []string{"doc", "go"}}, []string{}},
	} {
		if ids := found(t, session, "cortex_exact", test.args); !slices.Equal(ids, test.want) {
			t.Errorf("%v: found %q, want %q", test.args, ids, test.want)
		}
	}
	ids := found(t, session, "cortex_search", object{"query": "expired sessions", "topics": []string{"unpack the archive"}, "limit": 2})
	slices.Sort(ids)
	if !slices.Equal(ids, []string{"code-impl-session/expiry.go#RemoveExpired", "doc-guide.md#install"}) {
		t.Errorf("two topics found %q", ids)
	}
}

func TestFaultsAreToolErrorsThatSayTheCure(t *testing.T) {
	root := t.TempDir()
	index(t, root, library()...)
	session := connect(t, options(t, root), "")
	for _, test := range []struct {
		tool string
		args any
		want []string
	}{
		{"cortex_search", object{}, []string{"cortex_search: query: missing or blank; say what to find"}},
		{"cortex_exact", object{"limit": 3}, []string{"cortex_exact: query: missing or blank; give the words to find"}},
		{"cortex_exact", object{"query": "x", "topics": []string{"y"}}, []string{"topics: unknown argument; leave it out"}},
		{"cortex_exact", object{"query": object{"x": 1}}, []string{"query: expected a string"}},
		{"cortex_exact", object{"query": "x", "max_result": 3}, []string{"max_result: unknown argument", "known arguments: query, limit"}},
		{"cortex_search", object{"query": "x", "limit": 1000}, []string{"limit: expected a whole number from 1 to 100, got 1000"}},
		{"cortex_exact", object{"query": "a AND"}, []string{"cortex_exact: position 6:", "\n  a AND\n       ^"}},
		{"cortex_exact", object{"query": "(a"}, []string{"position", "\n  (a\n"}},
	} {
		text, failed := call(t, session, test.tool, test.args)
		if !failed {
			t.Errorf("%s %v: accepted: %s", test.tool, test.args, text)
		}
		for _, part := range test.want {
			if !strings.Contains(text, part) {
				t.Errorf("%s %v: no %q in %q", test.tool, test.args, part, text)
			}
		}
	}
	if _, err := session.CallTool(t.Context(), &client.CallToolParams{Name: "cortex_grep"}); err == nil || !strings.Contains(err.Error(), "cortex_grep") {
		t.Errorf("unknown tool: %v", err)
	}
}

// Examples in the server's descriptions must work.
func TestExamplesAreUnderstood(t *testing.T) {
	root := t.TempDir()
	index(t, root, library()...)
	session := connect(t, options(t, root), "2025-11-25")
	list, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range list.Tools {
		for _, example := range regexp.MustCompile(`\{"[^{}]*\}`).FindAllString(tool.Description, -1) {
			var args object
			if err := json.Unmarshal([]byte(example), &args); err != nil {
				t.Errorf("%s: %v", example, err)
			} else if text, failed := call(t, session, tool.Name, args); failed && tool.Name != "cortex_graph" {
				t.Errorf("%s: %s", example, text)
			}
		}
	}
	shown := session.InitializeResult().Instructions
	for query, tool := range map[string]string{
		`where are expired sessions removed`: "cortex_search",
		`RWMutex`:                            "cortex_exact",
		`"connection refused"`:               "cortex_exact",
		`symbol:Parse* NOT path:test`:        "cortex_exact",
	} {
		if !strings.Contains(shown, query) {
			t.Errorf("%q does not show %s", shown, query)
		}
		found(t, session, tool, object{"query": query})
	}
	if ids := found(t, session, "cortex_exact", object{"query": "symbol:*Backoff NOT path:*test*"}); !slices.Equal(ids, []string{"code-impl-net/retry.go#Backoff"}) {
		t.Errorf("found %q", ids)
	}
}

// gate holds every load until the test opens it.
type gate struct{ begun, open chan struct{} }

func newGate() gate { return gate{begun: make(chan struct{}, 100), open: make(chan struct{})} }

func (g gate) wait(string) (embed.Config, error) {
	g.begun <- struct{}{}
	<-g.open
	return embed.Config{}, nil
}

func TestEarlyCallWaitsForTheIndex(t *testing.T) {
	root := t.TempDir()
	index(t, root, library()...)
	g := newGate()
	opts := options(t, root)
	opts.Embedding = g.wait
	session := connect(t, opts, "")
	<-g.begun // loading has begun before any call, and the handshake is over before it ends
	if _, err := session.ListTools(t.Context(), nil); err != nil {
		t.Fatal(err)
	}

	ctx, cancel := context.WithCancel(t.Context())
	withdrawn := make(chan error, 1)
	go func() {
		_, err := session.CallTool(ctx, &client.CallToolParams{Name: "cortex_exact", Arguments: object{"query": "Backoff"}})
		withdrawn <- err
	}()
	answered := make(chan string, 1)
	go func() {
		result, err := session.CallTool(t.Context(), &client.CallToolParams{Name: "cortex_exact", Arguments: object{"query": "deleteBefore"}})
		if err != nil {
			answered <- err.Error()
			return
		}
		answered <- result.Content[0].(*client.TextContent).Text
	}()
	// Arguments are checked before the index is ready.
	if text, failed := call(t, session, "cortex_exact", object{"query": "x", "limit": 0}); !failed {
		t.Error(text)
	}
	cancel()
	if err := <-withdrawn; err == nil {
		t.Error("a cancelled call was answered")
	}
	// Messages are read in order, so the server now knows of the cancellation.
	if err := session.Ping(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	select {
	case text := <-answered:
		t.Fatalf("answered before the index was loaded: %s", text)
	default:
	}
	close(g.open)
	if text := <-answered; !strings.Contains(text, "RemoveExpired") {
		t.Errorf("got %s", text)
	}
}

func TestMissingStoreIsToldAndTriedAgain(t *testing.T) {
	root := t.TempDir()
	session := connect(t, options(t, root), "")
	for range 2 {
		text, failed := call(t, session, "cortex_search", object{"query": "x"})
		if !failed || !strings.Contains(text, "no index in "+filepath.Join(root, ".cortex")) ||
			!strings.Contains(text, "cortex-parse . | cortex-chunk | cortex-embed | cortex-store") {
			t.Fatalf("got %v, %s", failed, text)
		}
	}
	index(t, root, library()...)
	if ids := found(t, session, "cortex_exact", object{"query": "deleteBefore"}); len(ids) != 1 {
		t.Errorf("found %q", ids)
	}
}

func TestDamagedStoreIsToldAndTriedAgain(t *testing.T) {
	root := t.TempDir()
	index(t, root, library()...)
	manifest := filepath.Join(root, ".cortex", "generator-output.json")
	whole, err := os.ReadFile(manifest)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(manifest, whole[:len(whole)/2], 0o666); err != nil {
		t.Fatal(err)
	}
	session := connect(t, options(t, root), "")
	for range 2 {
		text, failed := call(t, session, "cortex_exact", object{"query": "x"})
		if !failed || !strings.Contains(text, "damaged manifest") || !strings.Contains(text, "hint: ") {
			t.Fatalf("got %v, %s", failed, text)
		}
	}
	if err := os.WriteFile(manifest, whole, 0o666); err != nil {
		t.Fatal(err)
	}
	if ids := found(t, session, "cortex_exact", object{"query": "deleteBefore"}); len(ids) != 1 {
		t.Errorf("found %q", ids)
	}
}

func TestBrokenSettingsAreToldAndTriedAgain(t *testing.T) {
	root := t.TempDir()
	index(t, root, library()...)
	opts := options(t, root)
	var broken atomic.Bool
	broken.Store(true)
	opts.Embedding = func(got string) (embed.Config, error) {
		if broken.Load() {
			return embed.Config{}, fmt.Errorf("broken in %s", got)
		}
		return embed.Config{}, nil
	}
	session := connect(t, opts, "")
	if text, failed := call(t, session, "cortex_search", object{"query": "x"}); !failed || !strings.Contains(text, "broken in "+root) {
		t.Errorf("got %v, %s", failed, text)
	}
	broken.Store(false)
	found(t, session, "cortex_search", object{"query": "x"})
}

func TestUnknownModelLeavesSearchByWords(t *testing.T) {
	root := t.TempDir()
	chunks := library()
	for _, c := range chunks {
		c.Embedding, c.EmbeddingModel = record.Embedding{1, 0}, "of-the-future-2"
	}
	put(t, root, chunks...)
	opts := options(t, root)
	opts.Warn = func(format string, args ...any) {
		if text := fmt.Sprintf(format, args...); !strings.Contains(text, "of-the-future-2") {
			t.Errorf("warned %s", text)
		}
	}
	session := connect(t, opts, "")
	// A client learns of the missing model only if it names a mode that needs the model.
	for _, format := range []string{"text", "json"} {
		text, failed := call(t, session, "cortex_search", object{"query": "expired sessions", "format": format})
		if failed || !strings.Contains(text, "session/expiry.go") || !strings.Contains(text, "searching by words only: ") || !strings.Contains(text, "of-the-future-2") || !strings.Contains(text, "make the index again with") {
			t.Errorf("%s: got %v, %s", format, failed, text)
		}
	}
	if text, failed := call(t, session, "cortex_search", object{"query": "RemoveExpired", "mode": "auto"}); failed || !strings.Contains(text, "session/expiry.go") {
		t.Errorf("a name: got %v, %s", failed, text)
	}
	for _, mode := range []string{"semantic", "hybrid"} {
		text, failed := call(t, session, "cortex_search", object{"query": "expired sessions", "mode": mode})
		if !failed || !strings.Contains(text, "of-the-future-2") || !strings.Contains(text, "hint: ") {
			t.Errorf("%s: got %v, %s", mode, failed, text)
		}
	}
	for tool, args := range map[string]object{
		"cortex_search": {"query": "expired sessions", "mode": "keyword"},
		"cortex_exact":  {"query": "deleteBefore"},
	} {
		if ids := found(t, session, tool, args); len(ids) != 1 {
			t.Errorf("%s found %q", tool, ids)
		}
	}
}

func TestStoreWithoutEmbeddingsIsSearchedByWords(t *testing.T) {
	root := t.TempDir()
	put(t, root, library()...)
	session := connect(t, options(t, root), "")
	if ids := found(t, session, "cortex_search", object{"query": "expired sessions"}); len(ids) != 1 {
		t.Errorf("found %q", ids)
	}
}

func TestNewGenerationIsServed(t *testing.T) {
	t.Parallel() // it waits
	root := t.TempDir()
	index(t, root, library()...)
	g := newGate()
	loads := 0
	opts := options(t, root)
	opts.Embedding = func(root string) (embed.Config, error) {
		loads++
		if loads > 1 {
			return g.wait(root)
		}
		return embed.Config{}, nil
	}
	session := connect(t, opts, "")
	query := object{"query": "Backoff", "path": "net/retry.go"}
	if ids := found(t, session, "cortex_exact", query); len(ids) != 1 {
		t.Fatalf("found %q", ids)
	}
	index(t, root, code("new/file.go", "Brandnew", "func Brandnew() {}\n"))
	<-g.begun // nobody had to ask
	if ids := found(t, session, "cortex_exact", query); len(ids) != 1 {
		t.Errorf("the old generation does not answer while the new one is loaded: %q", ids)
	}
	close(g.open)
	deadline := time.Now().Add(patience)
	for len(found(t, session, "cortex_exact", object{"query": "Brandnew"})) == 0 {
		if time.Now().After(deadline) {
			t.Fatal("the new generation is not served")
		}
	}
	if ids := found(t, session, "cortex_exact", query); len(ids) != 0 {
		t.Errorf("the old generation is still served: %q", ids)
	}
}

func TestDeletedStoreGoesOnAnswering(t *testing.T) {
	t.Parallel() // it waits
	root := t.TempDir()
	index(t, root, library()...)
	session := connect(t, options(t, root), "")
	found(t, session, "cortex_exact", object{"query": "Backoff"})
	// The server may still be writing its cache.
	await(t, "the store is deleted", func() bool { return os.RemoveAll(filepath.Join(root, ".cortex")) == nil })
	if ids := found(t, session, "cortex_exact", object{"query": "deleteBefore"}); len(ids) != 1 {
		t.Errorf("found %q", ids)
	}
	index(t, root, code("new/file.go", "Brandnew", "func Brandnew() {}\n"))
	await(t, "the new store is served", func() bool { return len(found(t, session, "cortex_exact", object{"query": "Brandnew"})) > 0 })
}

// The document contains the server's instructions, and they are short.
func TestInstructions(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "docs", "assistants.md"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(data), mcp.Instructions()) {
		t.Error("docs/assistants.md lacks lib/mcp/assistants.md")
	}
	if n := brief.Tokens(mcp.Instructions()); n > 350 {
		t.Errorf("%d tokens", n)
	}
	for _, operation := range table.Operations {
		if name := string(operation.Operation); name != "type_usages" && name != "references" && !strings.Contains(mcp.Instructions(), "`"+name+"`") {
			t.Errorf("%s is not named", name)
		}
	}
}
