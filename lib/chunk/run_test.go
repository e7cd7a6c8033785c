package chunk_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"cortex/lib/chunk"
	"cortex/lib/hint"
	"cortex/lib/record"
	"cortex/lib/record/jsonl"
)

// encoded returns records as lines.
func encoded(t testing.TB, records ...record.Record) string {
	var out []byte
	for _, r := range records {
		var err error
		if out, err = jsonl.Append(out, r); err != nil {
			t.Fatal(err)
		}
	}
	return string(out)
}

// run runs the stage and returns its records and what it reported.
func run(t *testing.T, in string, opts chunk.Options) ([]record.Record, []string, []byte) {
	t.Helper()
	var reported []string
	opts.Report = func(err error) { reported = append(reported, err.Error()) }
	var out bytes.Buffer
	if err := chunk.Run(context.Background(), jsonl.NewReader(strings.NewReader(in), "in"), jsonl.NewWriter(&out), opts); err != nil {
		t.Fatal(err)
	}
	var records []record.Record
	r := jsonl.NewReader(bytes.NewReader(out.Bytes()), "out")
	for {
		rec, err := r.Read()
		if err == io.EOF {
			return records, reported, out.Bytes()
		}
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, rec)
	}
}

func sampleStream(t *testing.T) string {
	f := samples(t)["handler.go"]
	return encoded(t,
		&record.Begin{Schema: record.Schema, Tree: "one", Mode: record.Full, Files: 3, Settings: map[string]string{"parse": "p1"}},
		f,
		&record.File{FilePath: "big.bin", Status: record.StatusSkipped, Reason: "binary", Size: 7},
		&record.File{FilePath: "gone.go", Language: "go", Status: record.StatusDeleted},
		&record.End{Files: 3, Errors: 1})
}

func TestRun(t *testing.T) {
	records, reported, _ := run(t, sampleStream(t), chunk.DefaultOptions())
	if len(reported) > 0 {
		t.Errorf("reported %q", reported)
	}
	var shape []string
	for _, r := range records {
		switch r := r.(type) {
		case *record.Begin:
			if r.Settings["parse"] != "p1" || r.Settings["chunk"] != chunk.DefaultOptions().Fingerprint() || r.Files != 3 {
				t.Errorf("begin %+v", r)
			}
			shape = append(shape, "begin")
		case *record.File:
			if r.Text != "" || r.Breaks != nil {
				t.Errorf("header of %s has text or breaks", r.FilePath)
			}
			for _, s := range r.Symbols {
				if s.Doc != "" || s.EndByte != 0 {
					t.Errorf("header of %s has symbol %+v", r.FilePath, s)
				}
			}
			if r.FilePath == "src/handler.go" && (r.SHA256 == "" || r.Package != "server" || len(r.Imports) != 2 || len(r.Symbols) == 0 || len(r.References) == 0) {
				t.Errorf("header lost something: %+v", r)
			}
			shape = append(shape, r.FilePath)
		case *record.Chunk:
			if r.Metadata.FilePath != "one:src/handler.go" {
				t.Errorf("chunk %q is of %q", r.ID, r.Metadata.FilePath)
			}
			if shape[len(shape)-1] != "chunks" {
				shape = append(shape, "chunks")
			}
		case *record.End:
			if *r != (record.End{Type: record.TypeEnd, Files: 3, Errors: 1}) {
				t.Errorf("end %+v", r)
			}
			shape = append(shape, "end")
		}
	}
	if got, want := strings.Join(shape, " "), "begin src/handler.go chunks big.bin gone.go end"; got != want {
		t.Errorf("stream of %s, want %s", got, want)
	}
}

// TestRunSkipsBadLines: bad lines are counted in the End of their run.
func TestRunSkipsBadLines(t *testing.T) {
	begin := encoded(t, &record.Begin{Schema: record.Schema, Tree: "t", Mode: record.Full, Files: 1})
	file := encoded(t, goFile("package a\n"))
	end := encoded(t, &record.End{Files: 1})
	foreign := encoded(t, &record.Chunk{ID: "x", ChunkType: record.Data, Metadata: record.Metadata{FilePath: "a"}})
	outside := `{"type":"file","file_path":"a.go","size":1,"status":"ok","symbols":[{"kind":"function","name":"f","qualified_name":"f","start_line":1,"end_line":1,"start_byte":0,"end_byte":9}],"text":"a"}` + "\n"
	records, reported, _ := run(t, begin+"{nonsense\n"+file+foreign+`{"type":"other"}`+"\n"+outside+end+begin+file+end, chunk.DefaultOptions())
	want := []string{
		`in:2: not a record`,
		`in:4: unexpected record type "chunk"`,
		`in:5: unexpected record type "other"`,
		`in:6: file record: symbol "f": span outside the text`,
	}
	if len(reported) != len(want) {
		t.Fatalf("reported %q", reported)
	}
	for i := range want {
		if !strings.HasPrefix(reported[i], want[i]) {
			t.Errorf("reported %q, want %q", reported[i], want[i])
		}
	}
	var errs []int
	for _, r := range records {
		if end, ok := r.(*record.End); ok {
			errs = append(errs, end.Errors)
		}
	}
	if fmt.Sprint(errs) != "[4 0]" {
		t.Errorf("errors of the runs: %v, want [4 0]", errs)
	}
}

// TestRunTrees: each file is cut with the tree of its own run.
func TestRunTrees(t *testing.T) {
	file := encoded(t, goFile("package a\n"))
	frame := func(tree string) string {
		return encoded(t, &record.Begin{Schema: record.Schema, Tree: tree, Mode: record.Full, Files: 1}) + file + encoded(t, &record.End{Files: 1})
	}
	opts := chunk.DefaultOptions()
	opts.Jobs = 4
	records, _, _ := run(t, file+frame("a")+frame("b")+file, opts)
	var paths []string
	for _, r := range records {
		if c, ok := r.(*record.Chunk); ok {
			paths = append(paths, c.Metadata.FilePath)
		}
	}
	if got, want := strings.Join(paths, " "), "a.go a:a.go b:a.go a.go"; got != want {
		t.Errorf("chunks of %s, want %s", got, want)
	}
}

func TestRunIsDeterministic(t *testing.T) {
	stream := sampleStream(t)
	for _, f := range []string{"shapes.py", "client.ts", "wide.go", "build.mk"} {
		stream += encoded(t, samples(t)[f])
	}
	stream = strings.Repeat(stream, 20)
	var first []byte
	for _, jobs := range []int{1, 2, 7} {
		opts := chunk.DefaultOptions()
		opts.Jobs = jobs
		_, _, out := run(t, stream, opts)
		if first == nil {
			first = out
		}
		if !bytes.Equal(first, out) {
			t.Errorf("with %d workers the output differs", jobs)
		}
	}
}

type brokenWriter struct{}

var errBroken = errors.New("disk full")

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

func TestRunStops(t *testing.T) {
	stream := strings.Repeat(sampleStream(t), 100)
	err := chunk.Run(context.Background(), jsonl.NewReader(strings.NewReader(stream), "in"), jsonl.NewWriter(brokenWriter{}), chunk.DefaultOptions())
	if !errors.Is(err, errBroken) {
		t.Errorf("error %v, want %v", err, errBroken)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	err = chunk.Run(ctx, jsonl.NewReader(strings.NewReader(stream), "in"), jsonl.NewWriter(io.Discard), chunk.DefaultOptions())
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v after a cancel", err)
	}
}

func TestRunReportsAFailedWriteOnce(t *testing.T) {
	w := jsonl.NewWriter(brokenWriter{})
	err := chunk.Run(t.Context(), jsonl.NewReader(strings.NewReader(sampleStream(t)), "in"), w, chunk.DefaultOptions())
	if !errors.Is(err, errBroken) || strings.Count(err.Error(), errBroken.Error()) != 1 {
		t.Errorf("got %q", err)
	}
}

func TestOptions(t *testing.T) {
	for _, test := range []struct {
		opts chunk.Options
		want string
	}{
		{chunk.Options{}, ""},
		{chunk.DefaultOptions(), ""},
		{chunk.Options{Tiers: []string{"data", "dta"}}, `unknown tier "dta"`},
		{chunk.Options{CodeSize: 10}, "code chunk size 10: expected at least 200 characters"},
		{chunk.Options{DocSize: -1}, "doc chunk size -1: expected at least 200 characters"},
		{chunk.Options{Overlap: -1}, "overlap -1: expected a positive number"},
	} {
		err := chunk.Run(context.Background(), jsonl.NewReader(strings.NewReader(""), "in"), jsonl.NewWriter(io.Discard), test.opts)
		if got := fmt.Sprint(err); err != nil && got != test.want || err == nil && test.want != "" {
			t.Errorf("%+v: error %v, want %q", test.opts, err, test.want)
		}
	}
	err := chunk.Options{Tiers: []string{"x"}}.Check()
	if got := hint.Of(err); got != "choose from symbols, definitions, data, implementations" {
		t.Errorf("hint %q", got)
	}
}

func TestFingerprint(t *testing.T) {
	base := chunk.DefaultOptions()
	same := base
	same.Tiers = []string{"implementations", "data", "definitions", "symbols"}
	same.Jobs = 9
	if base.Fingerprint() != same.Fingerprint() || base.Fingerprint() != (chunk.Options{Overlap: base.Overlap}).Fingerprint() {
		t.Error("what does not shape chunks changes the fingerprint")
	}
	for name, change := range map[string]func(*chunk.Options){
		"strategies": func(o *chunk.Options) { o.Tiers = o.Tiers[1:] },
		"code size":  func(o *chunk.Options) { o.CodeSize++ },
		"doc size":   func(o *chunk.Options) { o.DocSize++ },
		"overlap":    func(o *chunk.Options) { o.Overlap++ },
	} {
		changed := base
		change(&changed)
		if changed.Fingerprint() == base.Fingerprint() {
			t.Errorf("%s does not change the fingerprint", name)
		}
	}
}

// TestRunPassesUnchangedFiles passes thousands of records, which come through unchanged and in order, and bad lines,
// which do not.
func TestRunPassesUnchangedFiles(t *testing.T) {
	unchanged := func(path string) string {
		return encoded(t, &record.File{FilePath: path, Language: "go", SHA256: strings.Repeat("a", 64), Size: 1, Status: record.StatusUnchanged})
	}
	begin := encoded(t, &record.Begin{Schema: record.Schema, Mode: record.Incremental, Files: 2003, Settings: map[string]string{"chunk": chunk.DefaultOptions().Fingerprint()}})
	var in, want strings.Builder
	add := func(line string) {
		in.WriteString(line)
		want.WriteString(line)
	}
	add(begin)
	bad := 0
	for i := range 2000 {
		add(unchanged(fmt.Sprintf("a/<%d>\"é\n\\,\"status\":\"ok\"\u2028.go", i)))
		switch i % 400 {
		case 0:
			add(encoded(t, &record.File{FilePath: fmt.Sprint(i), Status: record.StatusDeleted}))
		case 100:
			bad++
			in.WriteString(strings.Replace(unchanged("b.go"), "b.go", "\xff", 1))
		case 200:
			bad++
			in.WriteString(strings.Replace(unchanged("b.go"), `"size":1`, `"size":`, 1))
		case 300:
			// It is cut as all others.
			in.WriteString(strings.Replace(unchanged(fmt.Sprint(i)), `"size":1`, `"size":1,"text":"x"`, 1))
			want.WriteString(unchanged(fmt.Sprint(i)))
		}
	}
	in.WriteString(encoded(t, &record.End{Files: 1}))
	want.WriteString(encoded(t, &record.End{Files: 1, Errors: bad}))
	for _, jobs := range []int{1, 3} {
		opts := chunk.DefaultOptions()
		opts.Jobs = jobs
		_, reported, got := run(t, in.String(), opts)
		if string(got) != want.String() {
			t.Errorf("%d jobs: %d bytes, want %d", jobs, len(got), want.Len())
		}
		if len(reported) != bad {
			t.Errorf("%d jobs: reported %q", jobs, reported)
		}
	}
}
