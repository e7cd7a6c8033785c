package embed

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"cortex/lib/embed/model"
	"cortex/lib/embed/provider"
	"cortex/lib/hint"
	"cortex/lib/record"
	"cortex/lib/record/jsonl"
)

func lines(tb testing.TB, records ...record.Record) string {
	tb.Helper()
	var out []byte
	for _, rec := range records {
		var err error
		if out, err = jsonl.Append(out, rec); err != nil {
			tb.Fatal(err)
		}
	}
	return string(out)
}

// run embeds a stream and returns what was written and reported.
func run(tb testing.TB, stream string, e provider.Embedder, opts Options) (out string, reported []string) {
	tb.Helper()
	var buf bytes.Buffer
	opts.Report = func(err error) { reported = append(reported, err.Error()) }
	if err := Run(context.Background(), jsonl.NewReader(strings.NewReader(stream), "in"), jsonl.NewWriter(&buf), e, opts); err != nil {
		tb.Fatal(err)
	}
	return buf.String(), reported
}

func decode(tb testing.TB, out string) []record.Record {
	tb.Helper()
	r := jsonl.NewReader(strings.NewReader(out), "out")
	var records []record.Record
	for {
		rec, err := r.Read()
		if err == io.EOF {
			return records
		}
		if err != nil {
			tb.Fatal(err)
		}
		records = append(records, rec)
	}
}

func begin(files int) *record.Begin {
	return &record.Begin{Schema: record.Schema, Mode: record.Full, Files: files, Settings: map[string]string{"parse": "p1"}}
}

// wholeRun is a run of n files with a header and a chunk each.
func wholeRun(tb testing.TB, n int) string {
	records := []record.Record{begin(n)}
	for i := range n {
		path := fmt.Sprintf("d/f%03d.go", i)
		records = append(records,
			&record.File{FilePath: path, Status: record.StatusOK, Language: "go"},
			snippetChunk(path, fmt.Sprintf("func f%d() {\n\treturn \"a <b> & \\u00e9 %d\"\n}", i, i*i)))
	}
	return lines(tb, append(records, &record.End{Files: n})...)
}

func TestRunEmbedsChunksInOrder(t *testing.T) {
	e := testModel()
	stream := wholeRun(t, 300)
	want, reported := run(t, stream, e, Options{Jobs: 1})
	if len(reported) > 0 {
		t.Fatal(reported)
	}
	in, out := decode(t, stream), decode(t, want)
	if len(in) != len(out) {
		t.Fatalf("%d records in, %d out", len(in), len(out))
	}
	for i := range in {
		switch rec := in[i].(type) {
		case *record.Begin:
			rec.Settings["embed"] = Fingerprint(e)
		case *record.Chunk:
			rec.Embedding, rec.EmbeddingModel = embedOne(t, e, provider.Passage, Text(rec)), model.Name
		}
		if got, want := lines(t, out[i]), lines(t, in[i]); got != want {
			t.Errorf("record %d: got %s, want %s", i+1, got, want)
		}
	}
	for _, opts := range []Options{{}, {Jobs: 4}, {Jobs: 3, BatchSize: 1}, {Jobs: 2, BatchSize: 7}, {Jobs: 1, BatchSize: 10_000}} {
		if got, _ := run(t, stream, e, opts); got != want {
			t.Errorf("%+v gives other bytes", opts)
		}
	}
}

// An undirected gives vectors without direction to texts that hold a word.
type undirected struct {
	provider.Embedder
	vector []float32
}

func (u undirected) Embed(ctx context.Context, mode provider.Mode, texts []string) ([][]float32, error) {
	vectors, err := u.Embedder.Embed(ctx, mode, texts)
	for i, text := range texts {
		if strings.Contains(text, "f7") {
			vectors[i] = u.vector
		}
	}
	return vectors, err
}

// A text whose vector has no direction does not end a run: its chunk gets no embedding. A chunk that had such a vector
// is embedded again.
func TestRunLeavesOutVectorsWithoutDirection(t *testing.T) {
	nan := float32(math.NaN())
	for name, vector := range map[string][]float32{"zero": make([]float32, model.Dimensions), "below normal": slices.Repeat([]float32{1e-40}, model.Dimensions), "not a number": slices.Repeat([]float32{nan}, model.Dimensions)} {
		for _, encoding := range []Encoding{Base64, Float} {
			told := ""
			opts := Options{Encoding: encoding, Warn: func(format string, args ...any) { told += fmt.Sprintf(format, args...) }}
			out, reported := run(t, wholeRun(t, 20), undirected{testModel(), vector}, opts)
			if len(reported) > 0 || told != "1 chunk without embedding, found by text only until a later run embeds them: the vector has no direction: it is all zeros, or not finite" {
				t.Errorf("%s: %v, %q", name, reported, told)
			}
			without := 0
			for _, rec := range decode(t, out) {
				if c, ok := rec.(*record.Chunk); ok && c.Embedding == nil {
					if without++; c.EmbeddingModel != "" || !strings.Contains(c.Text, "f7") {
						t.Errorf("%s: %s has %q", name, c.ID, c.EmbeddingModel)
					}
				}
			}
			if without != 1 {
				t.Errorf("%s: %d chunks without embedding", name, without)
			}
		}
		c := snippetChunk("a.go", "func a() {}")
		c.Embedding, c.EmbeddingModel = vector, model.Name
		out, _ := run(t, lines(t, c), testModel(), Options{})
		if got := decode(t, out)[0].(*record.Chunk); got.Embedding == nil {
			t.Errorf("%s: it is kept", name)
		}
	}
}

func TestRunPassesEmbeddedChunksThrough(t *testing.T) {
	e := testModel()
	vector := make([]float32, model.Dimensions)
	vector[3] = 1
	chunk := func(name string, embedding []float32) *record.Chunk {
		c := snippetChunk("a.go", "func a() {}")
		c.EmbeddingModel, c.Embedding = name, embedding
		return c
	}
	fresh := embedOne(t, e, provider.Passage, Text(chunk("", nil)))
	for _, test := range []struct {
		name  string
		chunk *record.Chunk
		force bool
		want  []float32
	}{
		{"none", chunk("", nil), false, fresh},
		{"same model", chunk(model.Name, vector), false, vector},
		{"same model, forced", chunk(model.Name, vector), true, fresh},
		{"another model", chunk("another", vector), false, fresh},
		{"no model", chunk("", vector), false, fresh},
		{"wrong length", chunk(model.Name, vector[:8]), false, fresh},
		{"model without embedding", chunk(model.Name, nil), false, fresh},
	} {
		t.Run(test.name, func(t *testing.T) {
			out, reported := run(t, lines(t, test.chunk), e, Options{Force: test.force, Jobs: 1})
			if len(reported) > 0 {
				t.Fatal(reported)
			}
			got := decode(t, out)[0].(*record.Chunk)
			if !slices.Equal(got.Embedding, test.want) || got.EmbeddingModel != model.Name {
				t.Errorf("got model %q, embedding %v", got.EmbeddingModel, got.Embedding)
			}
		})
	}
}

// Keys in another order, other escapes and an array of numbers are all left as they are.
func TestRunPassesEmbeddedChunksThroughByteForByte(t *testing.T) {
	line := `{"embedding_model":"` + model.Name + `", "type":"chunk","id":"doc-a","chunk_type":"documentation","embedding":[1` + strings.Repeat(",0", model.Dimensions-1) + `],"text":"\u0041","extra":1,"metadata":{"file_path":"a"}}` + "\n"
	if out, reported := run(t, line, testModel(), Options{Jobs: 1}); out != line || reported != nil {
		t.Errorf("got %s, reported %v", out, reported)
	}
}

func TestRunTwiceChangesNothing(t *testing.T) {
	e := testModel()
	for _, encoding := range []Encoding{Base64, Float} {
		once, _ := run(t, wholeRun(t, 20), e, Options{Encoding: encoding, Jobs: 2})
		if twice, _ := run(t, once, e, Options{Jobs: 2}); twice != once {
			t.Errorf("%s: a second run changes the output", encoding)
		}
	}
}

func TestRunWritesFloats(t *testing.T) {
	e := testModel()
	c := snippetChunk("a.go", "func a() {}")
	out, _ := run(t, lines(t, c), e, Options{Encoding: Float, Jobs: 1})
	var got struct{ Embedding []float32 }
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	if want := embedOne(t, e, provider.Passage, Text(c)); !slices.Equal(got.Embedding, want) {
		t.Errorf("got %v, want %v", got.Embedding, want)
	}
}

func TestRunSkipsBadLines(t *testing.T) {
	e := testModel()
	good := lines(t, snippetChunk("a.go", "a"))
	stream := lines(t, begin(1)) +
		`{"type":"chunk","id":"x"` + "\n" + good +
		`{"type":"hit"}` + "\n" +
		`{"type":"chunk","id":"doc-a","chunk_type":"documentation","embedding":"////","metadata":{"file_path":"a"}}` + "\n" +
		`[]` + "\n" +
		lines(t, &record.End{Files: 1, Errors: 2}) +
		lines(t, begin(0)) + lines(t, &record.End{})
	out, reported := run(t, stream, e, Options{Jobs: 2})
	wantPlaces := []string{"in:2: ", "in:4: ", "in:5: ", "in:6: "}
	if len(reported) != len(wantPlaces) {
		t.Fatalf("reported %q", reported)
	}
	for i, place := range wantPlaces {
		if !strings.HasPrefix(reported[i], place) {
			t.Errorf("report %d is %q, want its place %q", i, reported[i], place)
		}
	}
	if !strings.Contains(reported[1], `"hit"`) {
		t.Errorf("%q does not name the type", reported[1])
	}
	records := decode(t, out)
	if len(records) != 5 {
		t.Fatalf("%d records: %s", len(records), out)
	}
	if end := records[2].(*record.End); end.Errors != 6 || end.Files != 1 {
		t.Errorf("first end %+v", end)
	}
	if end := records[4].(*record.End); end.Errors != 0 {
		t.Errorf("second end %+v", end)
	}
}

func TestRunWithoutFrame(t *testing.T) {
	e := testModel()
	if out, reported := run(t, "\n\n", e, Options{}); out != "" || reported != nil {
		t.Errorf("got %q, %v", out, reported)
	}
	out, _ := run(t, strings.TrimSuffix(lines(t, snippetChunk("a.go", "a")), "\n"), e, Options{Jobs: 1})
	if got := decode(t, out); len(got) != 1 || len(got[0].(*record.Chunk).Embedding) != model.Dimensions {
		t.Errorf("got %s", out)
	}
}

// A run that is complete is written though the next has not begun.
func TestRunFlushesAfterEnd(t *testing.T) {
	in, feed := io.Pipe()
	drain, out := io.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- Run(context.Background(), jsonl.NewReader(in, "in"), jsonl.NewWriter(out), testModel(), Options{Jobs: 2})
		out.Close()
	}()
	go io.WriteString(feed, wholeRun(t, 3))
	r := jsonl.NewReader(drain, "out")
	for {
		rec, err := r.Read()
		if err != nil {
			t.Fatal(err)
		}
		if rec.RecordType() == record.TypeEnd {
			break
		}
	}
	feed.Close()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// failing is an embedder whose service is down.
type failing struct{ provider.Embedder }

var errDown = errors.New("connection refused")

func (failing) Embed(context.Context, provider.Mode, []string) ([][]float32, error) {
	return nil, errDown
}

// short is an embedder that loses a text.
type short struct{ provider.Embedder }

func (s short) Embed(ctx context.Context, mode provider.Mode, texts []string) ([][]float32, error) {
	return s.Embedder.Embed(ctx, mode, texts[1:])
}

type brokenReader struct{}

var errBroken = errors.New("disk gone")

func (brokenReader) Read([]byte) (int, error) { return 0, errBroken }

type fullWriter struct{}

var errFull = errors.New("no space left")

func (fullWriter) Write([]byte) (int, error) { return 0, errFull }

func TestRunStops(t *testing.T) {
	e := testModel()
	stream := wholeRun(t, 200)
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	for _, test := range []struct {
		name string
		ctx  context.Context
		in   io.Reader
		out  io.Writer
		e    provider.Embedder
		opts Options
		want string
	}{
		{"embedder fails", nil, nil, nil, failing{e}, Options{Jobs: 2}, "embed chunks with " + model.Name + ": connection refused"},
		{"embedder loses texts", nil, nil, nil, short{e}, Options{Jobs: 2, BatchSize: 10}, "embed chunks with " + model.Name + ": 9 vectors for 10 texts"},
		{"input breaks off", nil, io.MultiReader(strings.NewReader(stream), brokenReader{}), nil, e, Options{Jobs: 2}, "read in: disk gone"},
		{"output is full", nil, nil, fullWriter{}, e, Options{Jobs: 2}, "no space left"},
		{"cancelled", cancelled, nil, nil, e, Options{Jobs: 2}, "context canceled"},
		{"unknown encoding", nil, nil, nil, e, Options{Encoding: "hex"}, `unknown encoding "hex", expected base64 or float`},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.ctx == nil {
				test.ctx = context.Background()
			}
			if test.in == nil {
				test.in = strings.NewReader(stream)
			}
			if test.out == nil {
				test.out = io.Discard
			}
			err := Run(test.ctx, jsonl.NewReader(test.in, "in"), jsonl.NewWriter(test.out), test.e, test.opts)
			if err == nil || err.Error() != test.want {
				t.Errorf("got %v, want %s", err, test.want)
			}
		})
	}
}

// renamed is an embedder whose model has another name.
type renamed struct{ provider.Embedder }

func (renamed) Model() string { return "another" }

func TestFingerprint(t *testing.T) {
	if a, b := Fingerprint(testModel()), Fingerprint(renamed{testModel()}); a == b || a != Fingerprint(openDefault(t)) {
		t.Errorf("%q and %q", a, b)
	}
}

func TestOpen(t *testing.T) {
	for _, test := range []struct {
		cfg   provider.Config
		model string
		fault string
	}{
		{provider.Config{}, model.Name, ""},
		{provider.Config{Provider: "builtin", Dimensions: model.Dimensions}, model.Name, ""},
		{provider.Config{Provider: "builtin", Model: model.Name}, model.Name, ""},
		{provider.Config{Provider: "builtin", Model: "minilm"}, "", `unknown model "minilm" of the embedding provider builtin, which has ` + model.Name},
		{provider.Config{Provider: "builtin", Dimensions: 8}, "", fmt.Sprintf("model %s has %d dimensions, not 8", model.Name, model.Dimensions)},
		{provider.Config{Provider: "builtin", Dimensions: -1}, "", fmt.Sprintf("model %s has %d dimensions, not -1", model.Name, model.Dimensions)},
		{provider.Config{Provider: "builtin", Endpoint: "http://localhost"}, "", "embedding provider builtin has no endpoint, but embedding.endpoint is set"},
		{provider.Config{Provider: "bultin"}, "", `unknown embedding provider "bultin"`},
	} {
		e, err := Open(context.Background(), test.cfg)
		if test.fault != "" {
			if err == nil || err.Error() != test.fault {
				t.Errorf("%+v: got %v, want %s", test.cfg, err, test.fault)
			}
			continue
		}
		if err != nil {
			t.Errorf("%+v: %v", test.cfg, err)
			continue
		}
		if e.Model() != test.model || e.Dimensions() != model.Dimensions {
			t.Errorf("%+v: model %q with %d dimensions, want %q", test.cfg, e.Model(), e.Dimensions(), test.model)
		}
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}
	_, err := Open(context.Background(), provider.Config{Provider: "bultin"})
	for _, p := range providers() {
		if !strings.Contains(hint.Of(err), p.name) {
			t.Errorf("hint %q does not name %s", hint.Of(err), p.name)
		}
	}
}

func TestOpenModel(t *testing.T) {
	// The user's settings are for new stores; the store's model wins.
	e, err := OpenModel(context.Background(), model.Name, provider.Config{Provider: "other", Endpoint: "http://localhost", Dimensions: 512})
	if err != nil {
		t.Fatal(err)
	}
	if e.Model() != model.Name || e.Dimensions() != model.Dimensions {
		t.Errorf("got %s with %d dimensions", e.Model(), e.Dimensions())
	}
	for _, model := range []string{"", "builtin", "hash-64", "minilm-384"} {
		_, err := OpenModel(context.Background(), model, provider.Config{})
		if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("%q", model)) || !strings.Contains(hint.Of(err), "cortex-embed") {
			t.Errorf("%q: got %v, hint %q", model, err, hint.Of(err))
		}
	}
}

// A flag that has no effect on questions to the store is an error; a flag that agrees with the store is not.
func TestCheckGiven(t *testing.T) {
	const folder = "model2vec-256-9f86d081884c7d65"
	for _, test := range []struct {
		model      string
		cfg, given provider.Config
		want       string // the flag that is void
	}{
		{model.Name, provider.Config{}, provider.Config{}, ""},
		{model.Name, provider.Config{Provider: "ollama", Model: "x", Dimensions: 7}, provider.Config{}, ""},
		{model.Name, provider.Config{}, provider.Config{Provider: "builtin", Model: model.Name, Dimensions: 256}, ""},
		{model.Name, provider.Config{}, provider.Config{Model: "foo"}, "--model foo"},
		{model.Name, provider.Config{}, provider.Config{Provider: "ollama"}, "--provider ollama"},
		{model.Name, provider.Config{}, provider.Config{Provider: "nonsense"}, "--provider nonsense"},
		{model.Name, provider.Config{}, provider.Config{Dimensions: 64}, "--dimensions 64"},
		{model.Name, provider.Config{}, provider.Config{Endpoint: "http://u:p@localhost"}, "--endpoint"},
		{"minilm-384", provider.Config{}, provider.Config{Provider: "http", Endpoint: "http://localhost:1"}, ""},
		{"minilm-384", provider.Config{}, provider.Config{Provider: "http", Endpoint: "http://localhost:1", Model: "other"}, "--model other"},
		{"ollama/nomic@768+0123abcd", provider.Config{}, provider.Config{Provider: "ollama", Endpoint: "http://localhost:1", Model: "nomic", Dimensions: 768}, ""},
		{"ollama/nomic@=256", provider.Config{}, provider.Config{Provider: "ollama", Dimensions: 256}, ""},
		{"ollama/nomic@768", provider.Config{}, provider.Config{Provider: "ollama", Model: "mxbai"}, "--model mxbai"},
		{"ollama/nomic@768", provider.Config{}, provider.Config{Provider: "openai"}, "--provider openai"},
		{folder, provider.Config{}, provider.Config{Provider: "model2vec", Model: "/a/folder"}, ""},
		{folder, provider.Config{Provider: "model2vec"}, provider.Config{Model: "/a/folder"}, ""},
		{folder, provider.Config{}, provider.Config{Provider: "bert", Model: "/a/folder"}, "--provider bert"},
		{folder, provider.Config{}, provider.Config{Dimensions: 128}, "--dimensions 128"},
		{"", provider.Config{Provider: "ollama"}, provider.Config{}, ""},
		{"", provider.Config{}, provider.Config{Provider: "ollama"}, "--provider ollama"},
		{"minilm-384", provider.Config{}, provider.Config{Provider: "builtin"}, ""}, // OpenModel says that nobody knows the model
	} {
		given := test.given
		if given.Provider != "" {
			test.cfg.Provider = given.Provider
		}
		if given.Model != "" {
			test.cfg.Model = given.Model
		}
		err := CheckGiven(test.model, test.cfg, given)
		switch {
		case test.want == "" && err != nil:
			t.Errorf("%s, %+v: %v", test.model, given, err)
		case test.want != "" && (err == nil || !strings.HasPrefix(err.Error(), test.want+" has no effect: ") || !strings.Contains(err.Error(), test.model) || strings.Contains(err.Error(), "u:p") || hint.Of(err) == ""):
			t.Errorf("%s, %+v: got %v, want %s", test.model, given, err, test.want)
		}
	}
}

func TestText(t *testing.T) {
	long := strings.Repeat("é", maxText)
	for _, test := range []struct {
		name  string
		chunk record.Chunk
		want  string
	}{
		{"code", record.Chunk{Title: "Reader.Next", Text: "func", Metadata: record.Metadata{SymbolName: "Reader.Next", FilePath: "lib/record/reader.go"}},
			"Reader.Next record/reader.go\nfunc"},
		{"symbol not in title", record.Chunk{Title: "reader.go", Text: "func", Metadata: record.Metadata{SymbolName: "Next", FilePath: "reader.go"}},
			"reader.go Next\nfunc"},
		{"document with breadcrumb in its text", record.Chunk{Title: "Install", Text: "> Manual › Install\n\nRun it.", Metadata: record.Metadata{Breadcrumb: "Manual › Install", FilePath: "docs/a.md"}},
			"Install docs/a.md\n> Manual › Install\n\nRun it."},
		{"document without text", record.Chunk{Title: "Install", Metadata: record.Metadata{Breadcrumb: "Manual › Install", FilePath: "docs/a.md"}},
			"Install docs/a.md Manual › Install\n"},
		{"title of two lines", record.Chunk{Title: "a\nb", Text: "c", Metadata: record.Metadata{FilePath: "f"}}, "a b f\nc"},
		{"nothing", record.Chunk{}, "\n"},
		{"long", record.Chunk{Text: "x" + long}, "\nx" + long[:maxText-2]},
	} {
		if got := Text(&test.chunk); got != test.want {
			t.Errorf("%s: got %.200q, want %.200q", test.name, got, test.want)
		}
	}
}
