package jsonl

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cortex/lib/record"
)

func sampleChunk() *record.Chunk {
	return &record.Chunk{
		Type: record.TypeChunk, ID: "code-impl-a.go#F", ChunkType: record.Implementations, Title: "F", Text: "func F() { ch <- \"<&>\" } \u2028 é 🎈",
		Tags:           []string{"code", "go", "implementations"},
		Metadata:       record.Metadata{Source: record.SourceCode, FilePath: "a.go", Language: "go", StartLine: 1, EndLine: 2, ByteEnd: 30, SymbolName: "F", SymbolType: record.Function},
		Embedding:      record.Embedding{0, 1, -1, 0.1, math.SmallestNonzeroFloat32, math.MaxFloat32},
		EmbeddingModel: "m",
	}
}

func samples() []record.Record {
	return []record.Record{
		&record.Begin{Type: record.TypeBegin, Schema: record.Schema, Tree: "t", Mode: record.Full, Files: 1, Settings: map[string]string{"parse": "1", "chunk": "2", "embed": "3"}},
		&record.File{Type: record.TypeFile, FilePath: "a.go", Language: "go", SHA256: "00", Size: 9, Status: record.StatusPartial, ErrorCount: 2, Imports: []string{"fmt"},
			Symbols: []record.Symbol{{Kind: record.Function, Name: "F", QualifiedName: "F", StartLine: 1, EndLine: 1, EndByte: 9, Exported: true}},
			Breaks:  []record.Break{{1, 0}, {4, 2}}, Text: "func F(){}"},
		sampleChunk(),
		&record.End{Type: record.TypeEnd, Files: 1, Errors: 1},
	}
}

func TestRecordsSurviveTheRoundTrip(t *testing.T) {
	var buf bytes.Buffer
	w := NewWriter(&buf)
	for _, rec := range samples() {
		if err := w.Write(rec); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	r := NewReader(&buf, "test")
	for _, want := range samples() {
		got, err := r.Read()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("-want +got\n%s", diff)
		}
	}
	if _, err := r.Read(); err != io.EOF {
		t.Errorf("after the last record: %v", err)
	}
}

// A reader of lines may reuse their memory, so decoded records must not refer to it.
func TestDecodedRecordsKeepNothingOfTheLine(t *testing.T) {
	for _, rec := range samples() {
		line, err := Append(nil, rec)
		if err != nil {
			t.Fatal(err)
		}
		line = line[:len(line)-1]
		want, err := Line{Data: bytes.Clone(line)}.Decode()
		if err != nil {
			t.Fatal(err)
		}
		got, err := Line{Data: line}.Decode()
		if err != nil {
			t.Fatal(err)
		}
		for i := range line {
			line[i] = 'x'
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("-want +got\n%s", diff)
		}
	}
}

func TestKeysStandInTheirOrder(t *testing.T) {
	chunk := sampleChunk()
	chunk.Embedding = record.Embedding{1}
	chunk.CreatedAt, chunk.UpdatedAt = "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"
	got, err := Append(nil, chunk)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"type":"chunk","id":"code-impl-a.go#F","chunk_type":"implementations","title":"F","text":"func F() { ch <- \"<&>\" } ` + "\u2028" + ` é 🎈",` +
		`"tags":["code","go","implementations"],"metadata":{"source":"code","file_path":"a.go","language":"go","start_line":1,"end_line":2,"byte_start":0,"byte_end":30,` +
		`"symbol_name":"F","symbol_type":"function"},"embedding":"AACAPw==","embedding_model":"m","created_at":"2026-01-01T00:00:00Z","updated_at":"2026-01-02T00:00:00Z"}` + "\n"
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	begin, err := Append(nil, samples()[0])
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"type":"begin","schema":1,"tree":"t","mode":"full","files":1,"settings":{"chunk":"2","embed":"3","parse":"1"}}` + "\n"; string(begin) != want {
		t.Errorf("got %s", begin)
	}
}

func TestEmbeddingAsNumbers(t *testing.T) {
	chunk := sampleChunk()
	// Text that looks like the embedding's key must not be mistaken for it.
	chunk.Text = `,"embedding":"` + chunk.Embedding.Base64() + `"`
	line, err := AppendFloats([]byte("before\n"), chunk)
	if err != nil {
		t.Fatal(err)
	}
	rest, ok := bytes.CutPrefix(line, []byte("before\n"))
	if !ok || !bytes.Contains(rest, []byte(`"embedding":[0,1,-1,0.1,`)) {
		t.Fatalf("got %s", line)
	}
	got, err := NewReader(bytes.NewReader(rest), "test").Read()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(record.Record(chunk), got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	chunk.Embedding = nil
	if line, err = AppendFloats(nil, chunk); err != nil || bytes.Contains(line, []byte(`"embedding":[`)) {
		t.Errorf("without an embedding: %s, %v", line, err)
	}
}

// A chunk whose vector has no direction becomes a chunk without embedding. It is not lost, and no reader computes NaN
// from it.
func TestChunksWithoutDirection(t *testing.T) {
	chunk := sampleChunk()
	for name, vector := range map[string]record.Embedding{
		"zero":         make(record.Embedding, 3),
		"below normal": {1e-40, 1e-40, 1e-40},
		"not a number": {1, float32(math.NaN())},
		"infinite":     {float32(math.Inf(1)), 1},
	} {
		chunk.Embedding = vector
		line, err := Append(nil, chunk)
		if err != nil {
			t.Fatal(err)
		}
		rec, err := Line{Data: line[:len(line)-1]}.Decode()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got := rec.(*record.Chunk)
		if got.Embedding != nil || got.Text != chunk.Text || got.EmbeddingModel != chunk.EmbeddingModel {
			t.Errorf("%s: got %v by %q", name, got.Embedding, got.EmbeddingModel)
		}
		if numbers, err := AppendFloats(nil, got); err != nil || strings.Contains(string(numbers), "embedding\":[") {
			t.Errorf("%s: %v %s", name, err, numbers)
		}
	}
	if rec, err := (Line{Data: []byte(`{"type":"chunk","id":"c","chunk_type":"data","metadata":{"file_path":"a"},"embedding":[1e-42,0,0.0],"embedding_model":"m"}`)}).Decode(); err != nil || rec.(*record.Chunk).Embedding != nil {
		t.Errorf("an array of numbers: %v, %v", rec, err)
	}
}

func TestReaderTakesAnyLines(t *testing.T) {
	long := strings.Repeat("x", 3<<20)
	input := "\n  \r\n" + `{"type":"end","files":1,"errors":0}` + "\r\n" +
		`{"text":"` + long + `","file_path":"a","status":"ok","type":"file"}` + "\n" +
		`{"type":"end","files":2,"errors":0}`
	r := NewReader(strings.NewReader(input), "in")
	for i, number := range []int{3, 4, 5} {
		line, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		if line.Number != number {
			t.Errorf("record %d is on line %d, want %d", i, line.Number, number)
		}
		rec, err := line.Decode()
		if err != nil {
			t.Fatal(err)
		}
		if f, ok := rec.(*record.File); ok && f.Text != long {
			t.Errorf("a long text came back with %d bytes", len(f.Text))
		}
	}
}

func TestReaderNamesBadLinesAndGoesOn(t *testing.T) {
	tests := []struct{ line, want string }{
		{`nonsense`, `in:1: not a record`},
		{`{"type":"chunk"`, `in:1: decode chunk record`},
		{`[1]`, `in:1: not a record`},
		{`{"a":1}`, `in:1: not a record: no key "type"`},
		{`{"type":7}`, `in:1: not a record: "type" is not a string`},
		{`{"type":"blob"}`, `in:1: unexpected record type "blob"`},
		{`{"type":"begin","schema":9,"mode":"full"}`, `in:1: begin record: schema 9, this version reads 1`},
		{`{"type":"begin","schema":1,"mode":"some"}`, `in:1: begin record: mode "some" is neither`},
		{`{"type":"file","status":"ok"}`, `in:1: file record: no file_path`},
		{`{"type":"file","file_path":"a","status":"fine"}`, `in:1: file record: unknown status "fine"`},
		{`{"type":"file","file_path":"a","status":"ok","text":"ab","symbols":[{"qualified_name":"S","start_line":1,"end_line":1,"end_byte":3}]}`, `in:1: file record: symbol "S": span outside the text`},
		{`{"type":"chunk","chunk_type":"data","metadata":{"file_path":"a"}}`, `in:1: chunk record: no id`},
		{`{"type":"chunk","id":"c","chunk_type":"data"}`, `in:1: chunk record: chunk "c": no metadata.file_path`},
		{`{"type":"chunk","id":"c","chunk_type":"other","metadata":{"file_path":"a"}}`, `in:1: chunk record: chunk "c": unknown chunk_type "other"`},
		{`{"type":"chunk","id":"c","chunk_type":"data","metadata":{"file_path":"a"},"embedding":"AAA="}`, `2 bytes are not a whole number of float32`},
		{`{"type":"chunk","id":"c","chunk_type":"data","metadata":{"file_path":"a"},"embedding":[1e39]}`, `embedding`},
		{`{"type":"chunk","id":"c","chunk_type":"data","metadata":{"file_path":"a"},"embedding":{}}`, `expected base64 or an array of numbers`},
		{"{\"type\":\"chunk\",\"id\":\"\xff\"}", `in:1: decode chunk record: not UTF-8`},
		{"{\"type\":\"end\",\"files\x00\":1}", `in:1: decode end record: a control character that is not escaped`},
	}
	for _, test := range tests {
		r := NewReader(strings.NewReader(test.line+"\n"+`{"type":"end","files":0,"errors":0}`+"\n"), "in")
		_, err := r.Read()
		var lineErr *LineError
		if !errors.As(err, &lineErr) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s\n got %v\nwant %s", test.line, err, test.want)
		}
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: the error has several lines: %q", test.line, err)
		}
		if rec, err := r.Read(); err != nil || rec.RecordType() != record.TypeEnd {
			t.Errorf("%s: the next record is %v, %v", test.line, rec, err)
		}
	}
}

func TestReaderTellsALineThatIsCutOff(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{`{"type":"file","file_path":"a","te`, "in:1: the last line is cut off: the command that writes the stream has stopped"},
		{`{"ty`, "in:1: the last line is cut off: the command that writes the stream has stopped"},
		{"{\"ty\n", "in:1: not a record"},
		{"nonsense", "in:1: not a record"},
		{`{"type":"blob"}`, `in:1: unexpected record type "blob"`},
		{`{"type":"end","files":0,"errors":0}`, ""},
	} {
		line, err := NewReader(strings.NewReader(test.text), "in").Next()
		if err != nil {
			t.Fatal(err)
		}
		_, decoded := line.Decode()
		for _, err := range []error{decoded, line.Check()} {
			if (err == nil) != (test.want == "") || err != nil && !strings.HasPrefix(err.Error(), test.want) {
				t.Errorf("%s: %v", test.text, err)
			}
		}
	}
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, errors.New("input/output error") }

// TestLongLines reads lines of the greatest length and longer ones, in the middle and at the end of a stream.
func TestLongLines(t *testing.T) {
	if testing.Short() {
		t.Skip("reads long lines")
	}
	long := func(n int) io.Reader { return io.LimitReader(blanks{}, int64(n)) }
	end := func() io.Reader { return strings.NewReader(`{"type":"end","files":1,"errors":0}` + "\n") }
	line := len(`{"type":"end","files":1,"errors":0}` + "\n")
	r := NewReader(io.MultiReader(long(MaxLine-line), end(), long(MaxLine), end(), end(), long(MaxLine+1)), "in")
	for i, want := range []string{"", "in:2: the record is longer than 64 MiB", "", "in:4: the record is longer than 64 MiB", "EOF"} {
		_, err := r.Read()
		if got := fmt.Sprint(err); got != want && (want != "" || err != nil) {
			t.Errorf("%d: got %v, want %q", i, err, want)
		}
	}
	buf, err := Append([]byte("before"), &record.File{FilePath: "a", Status: record.StatusOK, Text: strings.Repeat("\x01", MaxLine/6)})
	if !errors.Is(err, ErrTooLong) || string(buf) != "before" {
		t.Errorf("got %d bytes, %v", len(buf), err)
	}
}

// blanks is an endless text of spaces.
type blanks struct{}

func (blanks) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

func TestReaderReturnsReadErrors(t *testing.T) {
	_, err := NewReader(brokenReader{}, "in").Read()
	var lineErr *LineError
	if err == nil || errors.As(err, &lineErr) || !strings.Contains(err.Error(), "read in: input/output error") {
		t.Errorf("got %v", err)
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestWriterReportsAFullDisk(t *testing.T) {
	w := NewWriter(fullDisk{})
	if err := w.Write(&record.End{}); err != nil {
		t.Fatalf("buffered write: %v", err)
	}
	if err := w.Flush(); err == nil {
		t.Error("the flush hides the error")
	}
}

func TestTreePath(t *testing.T) {
	for _, tree := range []string{"", "web"} {
		if got := record.SplitTreePath(tree, record.TreePath(tree, "a:b/c")); got != "a:b/c" {
			t.Errorf("tree %q: %q", tree, got)
		}
	}
}

// FuzzReader checks that no input panics, that every line is either a record or an error, and that decoded records
// survive writing and reading unchanged.
func FuzzReader(f *testing.F) {
	for _, rec := range samples() {
		line, err := Append(nil, rec)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(line)
	}
	f.Add([]byte(`{"type":"chunk","id":"c","chunk_type":"data","metadata":{"file_path":"a"},"embedding":[1,2.5,-0]}`))
	f.Add([]byte("{\"type\":\"end\"}\n\n[]\n{\"type\":\"begin\"}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r := NewReader(bytes.NewReader(data), "fuzz")
		for range len(data) + 1 {
			rec, err := r.Read()
			if err == io.EOF {
				return
			}
			var lineErr *LineError
			if err != nil {
				if !errors.As(err, &lineErr) {
					t.Fatalf("not a line's error: %v", err)
				}
				continue
			}
			line, err := Append(nil, rec)
			if err != nil {
				t.Fatal(err)
			}
			again, err := NewReader(bytes.NewReader(line), "again").Read()
			if err != nil {
				t.Fatalf("%v\n%s", err, line)
			}
			twice, err := Append(nil, again)
			if err != nil || !bytes.Equal(line, twice) {
				t.Fatalf("%v\n%s%s", err, line, twice)
			}
		}
		t.Fatal("more records than bytes")
	})
}

func BenchmarkDecodeChunk(b *testing.B) {
	chunk := sampleChunk()
	chunk.Text, chunk.Embedding = strings.Repeat("some text\n", 80), make(record.Embedding, 256)
	data, err := Append(nil, chunk)
	if err != nil {
		b.Fatal(err)
	}
	line := Line{Name: "b", Number: 1, Data: bytes.TrimSpace(data)}
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := line.Decode(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAppendChunk(b *testing.B) {
	chunk := sampleChunk()
	chunk.Text, chunk.Embedding = strings.Repeat("some text\n", 80), make(record.Embedding, 256)
	var buf []byte
	b.ReportAllocs()
	for b.Loop() {
		var err error
		if buf, err = Append(buf[:0], chunk); err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(int64(len(buf)))
}

func TestCheckFindsWhatDecodeWould(t *testing.T) {
	for line, want := range map[string]string{
		`{"type":"file","file_path":"a","size":1,"status":"ok"}`: "",
		`{"type":"file","file_path":"a`:                          `in:1: decode file record: `,
		`{"type":"file"}}`:                                       `in:1: decode file record: `,
		"{\"type\":\"file\",\"file_path\":\"\xff\"}":             `in:1: decode file record: not UTF-8`,
		"{\"type\":\"file\",\"\x00size\":1}":                     `in:1: decode file record: a control character that is not escaped`,
		"{\t\"type\":\"file\",\r\t\"file_path\":\"a\"}":          "",
		"{\"type\":\"file\",\"file_path\":\"\t\"}":               `in:1: decode file record: a control character that is not escaped`,
		`{"file_path":"a"}`:                                      `in:1: not a record: no key "type"`,
	} {
		err := Line{Name: "in", Number: 1, Data: []byte(line)}.Check()
		if want == "" && err != nil || want != "" && (err == nil || !strings.HasPrefix(err.Error(), want)) {
			t.Errorf("%s\n got %v\nwant %s", line, err, want)
		}
	}
}

// Begin and End are encoded by encoding/json. The result must equal that of the codec.
func TestFramesAreAsTheCodecWouldWriteThem(t *testing.T) {
	for _, rec := range []record.Record{
		&record.Begin{Schema: record.Schema, Mode: record.Full},
		&record.Begin{Schema: record.Schema, Tree: `a "b" <c> & d\é`, Mode: record.Incremental, Files: 3, Unchanged: 4, Settings: map[string]string{"z": "1", "a": "<2>"}},
		&record.End{},
		&record.End{Files: 7, Errors: 1},
	} {
		line, err := Append([]byte("before "), rec)
		if err != nil {
			t.Fatal(err)
		}
		want, err := AppendJSON([]byte("before "), rec)
		if diff := cmp.Diff(string(want)+"\n", string(line)); err != nil || diff != "" {
			t.Error(err, diff)
		}
	}
}
