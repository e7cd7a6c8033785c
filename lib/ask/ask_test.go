package ask

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cortex/lib/embed"
	"cortex/lib/hint"
	"cortex/lib/record"
	"cortex/lib/record/jsonl"
	"cortex/lib/request"
	"cortex/lib/search"
	"cortex/lib/search/answer"
	"cortex/lib/search/render"
	"cortex/lib/store"
	"cortex/lib/store/update"
)

// index stores a few chunks, embedded by the given provider or, with "", not at all, and
// returns the folder.
func index(t *testing.T, provider string) string {
	t.Helper()
	var records []record.Record
	for _, name := range []string{"Provider", "Reader", "Writer"} {
		c := &record.Chunk{ID: "code-impl-a.go#" + name, ChunkType: record.Implementations, Title: name, Text: "func " + name + "() shared", Tags: []string{"go"},
			Metadata: record.Metadata{Source: "code", FilePath: "a.go", Language: "go", StartLine: 1, EndLine: 1, SymbolName: name, SymbolType: record.Function}}
		if provider != "" {
			e, err := embed.Open(t.Context(), embed.Config{Provider: provider})
			if err != nil {
				t.Fatal(err)
			}
			vectors, err := e.Embed(t.Context(), embed.Passage, []string{embed.Text(c)})
			if err != nil {
				t.Fatal(err)
			}
			c.Embedding, c.EmbeddingModel = vectors[0], e.Model()
			e.Close()
		}
		records = append(records, c)
	}
	return storeOf(t, t.TempDir(), records...)
}

// storeOf stores the records in the folder, which it returns.
func storeOf(t *testing.T, root string, records ...record.Record) string {
	t.Helper()
	var stream bytes.Buffer
	w := jsonl.NewWriter(&stream)
	for _, r := range records {
		if err := w.Write(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	err := update.Run(t.Context(), jsonl.NewReader(&stream, "chunks"), update.Options{Dir: filepath.Join(root, store.Dir), Report: func(err error) { t.Error(err) }})
	if err != nil {
		t.Fatal(err)
	}
	return root
}

func options(root string, words ...string) Options {
	return Options{Asker: Asker{Root: root, Words: words, Getenv: func(string) string { return "" }, Warn: func(string, ...any) {}},
		Hits:      request.Hits{Request: search.Request{Limit: 10}, Answer: request.Answer{Color: request.ColorAuto}},
		Embedding: func(string) (embed.Config, error) { return embed.Config{}, nil }}
}

// Programs that read JSON are warned if the usual limit leaves out hits, and only then.
func TestHitsBeyondTheUsualLimitAreTold(t *testing.T) {
	root := index(t, "builtin")
	for name, tt := range map[string]struct {
		change func(*Options)
		want   string
	}{
		"fewer":           {func(o *Options) { o.Limit = 2 }, "2 of 3 hits; --limit 0 writes all"},
		"all":             {func(o *Options) { o.Limit = 3 }, ""},
		"the last ones":   {func(o *Options) { o.Limit, o.Offset = 2, 1 }, ""},
		"their own limit": {func(o *Options) { o.Limit, o.OwnLimit = 2, true }, ""},
		"on a terminal":   {func(o *Options) { o.Limit, o.Terminal = 2, true }, ""},
	} {
		o, warned := options(root, "shared"), ""
		o.Exact, o.Warn = true, func(format string, args ...any) { warned += fmt.Sprintf(format, args...) }
		tt.change(&o)
		if _, err := Run(t.Context(), io.Discard, o); err != nil || warned != tt.want {
			t.Errorf("%s: %v, told %q, want %q", name, err, warned, tt.want)
		}
	}
}

func TestRun(t *testing.T) {
	root := index(t, "builtin")
	t.Chdir(root)
	tests := []struct {
		name   string
		change func(*Options)
		found  int
		want   string // in the output
	}{
		{"exact", func(o *Options) { o.Exact = true }, 3, `"match":"keyword"`},
		{"all hits", func(o *Options) { o.Exact, o.Limit = true, 0 }, 3, "#Writer"},
		{"offset", func(o *Options) { o.Exact, o.Offset, o.Limit = true, 2, 1 }, 3, "#Writer"},
		{"nothing", func(o *Options) { o.Exact, o.Words = true, []string{"absent"} }, 0, ""},
		{"several words", func(o *Options) { o.Words = []string{"the", "shared", "reader"} }, 3, `"match":"both"`},
		{"semantic", func(o *Options) { o.Mode = "semantic" }, 3, `"match":"semantic"`},
		{"filter", func(o *Options) { o.Exact, o.Filter.SymbolName = true, "Reader" }, 1, "#Reader"},
		{"terminal", func(o *Options) { o.Exact, o.Terminal = true, true }, 3, "\x1b[1;35m"},
		{"dumb terminal", func(o *Options) {
			o.Exact, o.Terminal, o.Getenv = true, true, func(name string) string { return map[string]string{"TERM": "dumb"}[name] }
		}, 3, "function · line 1 ·"},
		{"text", func(o *Options) { o.Words, o.Format = []string{"the", "shared", "reader"}, request.FormatText }, 3, "a.go:1  Reader\n"},
		{"exact text", func(o *Options) { o.Exact, o.Format = true, request.FormatText }, 3, "\n:1  Reader\n"},
		{"topics in text", func(o *Options) {
			o.Words, o.Format, o.Mode = []string{"the reader", "the writer"}, request.FormatText, "keyword"
		}, 2, "# the writer\na.go:1"},
		{"JSON on a terminal", func(o *Options) { o.Exact, o.Terminal, o.JSON = true, true, true }, 3, `{"chunk":{"id":`},
	}
	for _, tt := range tests {
		o := options(root, "shared")
		tt.change(&o)
		var out bytes.Buffer
		found, err := Run(t.Context(), &out, o)
		if err != nil || found != tt.found || !strings.Contains(out.String(), tt.want) || tt.want == "" && out.Len() > 0 {
			t.Errorf("%s: %d hits, %v, %q, want %d and %q", tt.name, found, err, out.String(), tt.found, tt.want)
		}
	}
}

func TestRunFails(t *testing.T) {
	var out bytes.Buffer
	o := options(t.TempDir(), "x")
	if _, err := Run(t.Context(), &out, o); !errors.Is(err, fs.ErrNotExist) || hint.Of(err) == "" {
		t.Errorf("without a store: %v, hint %q", err, hint.Of(err))
	}
	o = options(index(t, ""), "shared AND")
	o.Exact = true
	if _, err := Run(t.Context(), &out, o); err == nil || !strings.Contains(err.Error(), "position 11") || !strings.Contains(err.Error(), "^") {
		t.Errorf("bad query: %v", err)
	}
	o.Words, o.Filter.Languages = []string{"shared"}, []string{"gp"}
	if _, err := Run(t.Context(), &out, o); err == nil || !strings.HasPrefix(hint.Of(err), `did you mean "`) {
		t.Errorf("bad language: %v, hint %q", err, hint.Of(err))
	}
	o = options(index(t, "builtin"), "shared")
	broken := errors.New("broken settings")
	o.Embedding = func(string) (embed.Config, error) { return embed.Config{}, broken }
	if _, err := Run(t.Context(), &out, o); !errors.Is(err, broken) {
		t.Errorf("settings: %v", err)
	}
	o.Mode = search.Keyword
	if _, err := Run(t.Context(), &out, o); err != nil {
		t.Errorf("words alone need no settings: %v", err)
	}
}

// TestTopics: the shell hides quotes, so blanks inside words tell topics apart.
func TestTopics(t *testing.T) {
	for _, tt := range []struct{ words, want []string }{
		{[]string{"how", "are", "errors", "reported"}, []string{"how are errors reported"}},
		{[]string{"how are errors reported"}, []string{"how are errors reported"}},
		{[]string{"error handling", "logging patterns"}, []string{"error handling", "logging patterns"}},
		{[]string{"error handling", "retry", "backoff", "logging\tpatterns"}, []string{"error handling", "retry backoff", "logging\tpatterns"}},
		{[]string{"retry", "error handling", "backoff"}, []string{"retry backoff", "error handling"}},
		{[]string{" retry ", "", " "}, []string{"retry"}},
		{[]string{""}, []string{""}},
	} {
		if got := topics(tt.words); !slices.Equal(got, tt.want) {
			t.Errorf("%q: %q, want %q", tt.words, got, tt.want)
		}
	}
	// Each topic is asked separately, and hits of several topics that touch become one hit.
	root := index(t, "builtin")
	ask := func(words ...string) string {
		t.Helper()
		var out bytes.Buffer
		if _, err := Run(t.Context(), &out, options(root, words...)); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	o := options(root, "shared reader", "shared writer")
	if req := o.request(); len(req.Queries) != 2 {
		t.Errorf("%+v", req)
	}
	if merged, alone := ask("shared reader", "shared writer"), ask("shared", "reader", "shared", "writer"); !strings.Contains(merged, `"parts":`) || strings.Contains(alone, `"parts":`) {
		t.Errorf("two topics:\n%s\none question:\n%s", merged, alone)
	}
	o.Exact = true
	if req := o.request(); len(req.Queries) != 1 || req.Queries[0] != "shared reader shared writer" {
		t.Errorf("exact: %+v", req)
	}
}

// TestNothingIsExplained also for questions: programs get the reason on standard output, people by Warn.
func TestNothingIsExplained(t *testing.T) {
	root := index(t, "builtin")
	o := options(root, "shared", "reader")
	o.Filter.Path, o.JSON = "nowhere/**", true
	warned := ""
	o.Warn = func(format string, args ...any) { warned += fmt.Sprintf(format, args...) }
	var out bytes.Buffer
	found, err := Run(t.Context(), &out, o)
	if err != nil || found != 0 || !strings.HasPrefix(out.String(), `{"no_match":{"message":"no file matches the path \"nowhere/**\""}`) || warned != `no file matches the path "nowhere/**"` {
		t.Errorf("%d hits, %v, %q, %q", found, err, out.String(), warned)
	}
	out.Reset()
	o.JSON, o.Terminal = false, true
	if found, err := Run(t.Context(), &out, o); err != nil || found != 0 || out.Len() > 0 {
		t.Errorf("%d hits, %v, %q", found, err, out.String())
	}
}

// TestModelThatCannotBeHad queries a store whose model is not available.
func TestModelThatCannotBeHad(t *testing.T) {
	warned := 0
	o := options("", "x")
	o.Warn = func(string, ...any) { warned++ }
	for mode, fails := range map[search.Mode]bool{"": false, search.Auto: false, answer.Semantic: true, search.Hybrid: true} {
		o.Mode = mode
		warned = 0
		e, err := o.embedder(t.Context(), "model-of-nobody")
		if e != nil || (err != nil) != fails || (warned == 1) == fails {
			t.Errorf("mode %q: %v, %v, %d warnings", mode, e, err, warned)
		}
	}
}

func TestCheck(t *testing.T) {
	for _, tt := range []struct {
		change func(*Options)
		want   string
	}{
		{func(o *Options) {}, ""},
		{func(o *Options) { o.Words = nil }, "no question"},
		{func(o *Options) { o.Words, o.Exact = nil, true }, "no query"},
		{func(o *Options) { o.Files, o.Count = true, true }, "--files-with-matches and --count: give one of them"},
		{func(o *Options) { o.Around = request.Around{Lines: "full", After: "2"} }, "--context: full excludes lines before or after"},
	} {
		o := options("", "x")
		tt.change(&o)
		if err := o.Check(); (err == nil) != (tt.want == "") || err != nil && err.Error() != tt.want {
			t.Errorf("got %v, want %q", err, tt.want)
		}
	}
}

func TestRendering(t *testing.T) {
	none, noColor := map[string]string{}, map[string]string{"NO_COLOR": "1"}
	for _, tt := range []struct {
		json, terminal bool
		color          string
		env            map[string]string
		want           render.Options
	}{
		{false, true, request.ColorAuto, none, render.Options{Color: true}},
		{false, true, request.ColorAuto, noColor, render.Options{}},
		{false, true, request.ColorAlways, noColor, render.Options{Color: true}},
		{false, true, request.ColorNever, none, render.Options{}},
		{false, false, request.ColorAuto, none, render.Options{JSON: true}},
		{false, false, request.ColorAlways, none, render.Options{Color: true}},
		{true, true, request.ColorNever, none, render.Options{JSON: true}},
	} {
		o := Options{Asker: Asker{Terminal: tt.terminal, Getenv: func(name string) string { return tt.env[name] }, Root: "."}}
		o.JSON, o.Color = tt.json, tt.color
		if got := o.rendering(); got != tt.want {
			t.Errorf("%+v: got %+v", tt, got)
		}
	}
}
