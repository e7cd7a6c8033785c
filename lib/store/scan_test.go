package store

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cortex/lib/record"
)

// checkScan checks what the scanner says of a line against the decoder and the encoder.
func checkScan(t *testing.T, line []byte) (canonical bool) {
	t.Helper()
	var s scanner
	c, ok := s.scan(bytes.Clone(line))
	rec, err := record.Line{Data: line}.Decode()
	var want []byte
	if decoded, isChunk := rec.(*record.Chunk); err == nil && isChunk {
		timesKept := validTime(decoded.CreatedAt) && validTime(decoded.UpdatedAt)
		if want, err = record.Append(nil, decoded); err != nil {
			t.Fatal(err)
		}
		if same := string(want) == string(line)+"\n"; ok != same && (ok || timesKept || decoded.CreatedAt+decoded.UpdatedAt == "") {
			t.Errorf("%s: canonical is %v\nencoded %s", line, ok, want)
		}
		if ok {
			if !timesKept {
				decoded.CreatedAt, decoded.UpdatedAt = "", ""
			}
			checkScanned(t, c, decoded)
		}
	} else if ok {
		t.Errorf("%s: taken, but: %v", line, err)
	}
	checkDecode(t, line)
	if ok {
		id, path, seen := glance(line)
		if !seen || string(id) != c.id || string(path) != c.path {
			t.Errorf("%s: at a glance %q %q %v", line, id, path, seen)
		}
	}
	// Whatever the form, what is stored is what the encoder writes.
	c, err = s.chunkOf(record.Line{Name: "x", Number: 1, Data: bytes.Clone(line)})
	if err == nil {
		stored, err := record.Line{Data: bytes.TrimSpace(c.appendLine(nil))}.Decode()
		if err != nil {
			t.Fatalf("%s: stored as what cannot be read: %v", line, err)
		}
		checkScanned(t, c, stored.(*record.Chunk))
	}
	return ok
}

// checkDecode compares the decoders of stored lines with that of the stream.
func checkDecode(t *testing.T, line []byte) {
	t.Helper()
	for _, d := range []*decoder{{tags: map[string]string{}}, newDecoder()} {
		for range 2 { // the second time with shared strings
			given := bytes.Clone(line)
			got, gotErr := d.decode(given)
			clear(given)
			want, wantErr := record.Line{Data: line}.Decode()
			if fmt.Sprint(gotErr) != fmt.Sprint(wantErr) {
				t.Fatalf("%s: decoder says %v, reader says %v", line, gotErr, wantErr)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%s: %s", line, diff)
			}
		}
	}
}

// What a decoder has handed out does not change when it goes on, and is nobody else's.
func TestDecodeMany(t *testing.T) {
	var lines [][]byte
	add := func(c *record.Chunk) {
		line, err := record.Append(nil, c)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, bytes.TrimSpace(line))
	}
	for _, parts := range randomState(newRandom(5), 300).parts {
		for _, c := range parts {
			add(c)
		}
	}
	for size := 1; size < 200_000; size *= 3 {
		c := sample()
		c.Text = strings.Repeat("\"é\n", size)
		c.Embedding = make(record.Embedding, size)
		c.Tags = slices.Repeat([]string{"a", "\t", ""}, size%2000)
		add(c)
		lines = append(lines, bytes.Replace(lines[len(lines)-1], []byte(","), []byte(", "), 1)) // not canonical
	}
	for _, d := range []*decoder{{tags: map[string]string{}}, newDecoder()} {
		var got []*record.Chunk
		for _, line := range lines {
			rec, err := d.decode(line)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, rec.(*record.Chunk))
		}
		for _, c := range got {
			_, _ = append(c.Tags, "another's"), append(c.Embedding, 9)
		}
		for i, line := range lines {
			want, err := record.Line{Data: line}.Decode()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, record.Record(got[i])); diff != "" {
				t.Fatalf("%.200s: %s", line, diff)
			}
		}
	}
}

func TestComponents(t *testing.T) {
	r := newRandom(6)
	for n := 1; n < 20; n++ {
		want := make(record.Embedding, n)
		for i := range want {
			want[i] = math.Float32frombits(r.Uint32() &^ (1 << 23)) // finite
		}
		check := func(encoded string, wantOK bool) {
			t.Helper()
			got := make(record.Embedding, n)
			ok := components([]byte(encoded)) == n && decodeComponents(got, []byte(encoded))
			if ok != wantOK || ok && !slices.Equal(got, want) {
				t.Errorf("%s: %v %v, want %v %v", encoded, got, ok, want, wantOK)
			}
		}
		good := want.Base64()
		check(good, true)
		check(good+"AAAA", false)
		check(good[4:], false)
		check(good[1:], false)
		for i := range good {
			for _, c := range []byte("=-_\r\n\x00\x80\xff") {
				if good[i] != c {
					check(good[:i]+string(rune(c))+good[i+1:], false)
					check(good[:i]+string([]byte{c})+good[i+1:], false)
				}
			}
		}
		for i := range want {
			for _, x := range []float64{math.Inf(1), math.Inf(-1), math.NaN()} {
				bad := slices.Clone(want)
				bad[i] = float32(x)
				check(bad.Base64(), false)
			}
		}
	}
}

// checkScanned compares a scanned chunk with the decoded record.
func checkScanned(t *testing.T, c *chunk, decoded *record.Chunk) {
	t.Helper()
	line, err := record.Append(nil, decoded)
	if err != nil {
		t.Fatal(err)
	}
	if got := c.appendLine(nil); !bytes.Equal(got, line) {
		t.Errorf("line %s\nwant %s", got, line)
	}
	model := decoded.EmbeddingModel
	if len(decoded.Embedding) == 0 {
		model = ""
	}
	if c.id != decoded.ID || record.ChunkTypes[c.kind] != decoded.ChunkType || c.path != decoded.Metadata.FilePath ||
		c.tree != decoded.Metadata.Tree || c.language != decoded.Metadata.Language || c.model != model || c.dimensions != len(decoded.Embedding) ||
		c.created != decoded.CreatedAt || c.updated != decoded.UpdatedAt {
		t.Errorf("scanned %+v\ndecoded %+v", c, decoded)
	}
}

func sample() *record.Chunk {
	c := code("code-impl-a \"b\" \\ \x01\n.go#F", "a \"b\" \\ \x01\n.go", "func F() {\n\treturn \"<é日本😀\u2028>\" // \x7f\r\n}")
	c.Metadata.SymbolName, c.Metadata.SymbolType, c.Metadata.IsSplitParagraph = "F", record.Function, true
	c.Metadata.Symbols = []record.SymbolRef{{Name: "A.\"b\"", Type: record.Constant, Line: 3}, {Name: "B", Type: record.Struct, Line: 7}}
	c.Metadata.Repeats = []record.LineRange{{1, 1}, {4, 17}}
	c.CreatedAt, c.UpdatedAt = "2024-05-06T07:08:09Z", "2024-05-06T07:08:10Z"
	return c
}

func TestScan(t *testing.T) {
	encoded, err := record.Append(nil, sample())
	if err != nil {
		t.Fatal(err)
	}
	good := strings.TrimSpace(string(encoded))
	swap := func(old, new string) string {
		if !strings.Contains(good, old) {
			t.Fatalf("no %s in %s", old, good)
		}
		return strings.Replace(good, old, new, 1)
	}
	embedding := `"embedding":"` + sample().Embedding.Base64() + `"`
	floats := func(raw ...byte) string { return `"embedding":"` + base64.StdEncoding.EncodeToString(raw) + `"` }
	tests := []struct {
		name      string
		line      string
		canonical bool
	}{
		{"as encoded", good, true},
		{"without tags", swap(`"tags":["code","go"]`, `"tags":null`), true},
		{"no tags", swap(`"tags":["code","go"]`, `"tags":[]`), true},
		{"empty tag", swap(`"tags":["code","go"]`, `"tags":["",""]`), true},
		{"negative", swap(`"start_line":1`, `"start_line":-1`), true},
		{"zero", swap(`"start_line":1`, `"start_line":0`), true},
		{"minus zero", swap(`"start_line":1`, `"start_line":-0`), false},
		{"leading zero", swap(`"start_line":1`, `"start_line":01`), false},
		{"fraction", swap(`"start_line":1`, `"start_line":1.0`), false},
		{"empty optional string", swap(`"symbol_name":"F"`, `"symbol_name":""`), false},
		{"false optional", swap(`"is_split_paragraph":true`, `"is_split_paragraph":false`), false},
		{"empty list of objects", swap(`"symbols":[{"name":"A.\"b\"","type":"constant","line":3},{"name":"B","type":"struct","line":7}]`, `"symbols":[]`), false},
		{"order in a list", swap(`"name":"B","type":"struct"`, `"type":"struct","name":"B"`), false},
		{"comma at the end of a list", swap(`"line":7}]`, `"line":7},]`), false},
		{"space", swap(`":"`, `": "`), false},
		{"order", swap(`"symbol_name":"F","symbol_type":"function"`, `"symbol_type":"function","symbol_name":"F"`), false},
		{"unknown key", swap(`"title"`, `"titel":"","title"`), false},
		{"key twice", swap(`"title"`, `"text":"x","title"`), false},
		{"other key case", swap(`"title"`, `"Title"`), false},
		{"escaped slash", swap(`a \"b`, `a \/b`), false},
		{"escaped letter", swap(`return`, `retur\u006e`), false},
		{"upper case escape", swap(`\u0001`, `\u001F`), false},
		{"short escape of a control", swap(`\u0001`, `\b`), false},
		{"long escape of a newline", swap(`\n`, `\u000a`), false},
		{"surrogate escape", swap(`😀`, `\ud83d\ude00`), false},
		{"lone surrogate", swap(`😀`, `\ud83d`), false},
		{"invalid UTF-8", swap(`😀`, "\xff"), false},
		{"raw control", swap(`\u0001`, "\x01"), false},
		{"embedding as numbers", swap(embedding, `"embedding":[0.5,-1,2]`), false},
		{"embedding null", swap(embedding, `"embedding":null`), false},
		{"empty embedding", swap(embedding, `"embedding":""`), false},
		{"not base64", swap(embedding, `"embedding":"????"`), false},
		{"three bytes", swap(embedding, floats(1, 2, 3)), false},
		{"infinite", swap(embedding, floats(0, 0, 0x80, 0x7f)), false},
		{"not a number", swap(embedding, floats(0, 0, 0xc0, 0xff)), false},
		{"zero", swap(embedding, floats(0, 0, 0, 0)), false},
		{"below normal", swap(embedding, floats(0xff, 0xff, 0x7f, 0)), false},
		{"largest", swap(embedding, floats(0xff, 0xff, 0x7f, 0x7f)), true},
		{"loose bits", swap(embedding, `"embedding":"AAAAAB=="`), false},
		{"one component", swap(embedding, floats(0, 0, 0x80, 0x3f)), true},
		{"unknown chunk type", swap(`"implementations"`, `"implementation"`), false},
		{"no id", strings.Replace(good, good[strings.Index(good, `"id":"`):strings.Index(good, `,"chunk_type"`)], `"id":""`, 1), false},
		{"cut off", good[:len(good)-1], false},
		{"more behind", good + "}", false},
		{"empty", "{}", false},
		{"time without zone", swap("07:08:09Z", "07:08:09"), true},
		{"one time only", swap(`"created_at":"2024-05-06T07:08:09Z",`, ""), true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := checkScan(t, []byte(test.line)); got != test.canonical {
				t.Errorf("canonical is %v: %s", got, test.line)
			}
		})
	}
}

// The scanner has to know every kind of field that the record has.
func TestLayout(t *testing.T) {
	var walk func(fields []field)
	count := 0
	walk = func(fields []field) {
		for _, f := range fields {
			count++
			if f.shape == unknownShape || f.shape == structShape && len(f.fields) == 0 || len(f.key) < len(`,"a":`) {
				t.Errorf("field %s", f.key)
			}
			walk(f.fields)
		}
	}
	walk(layout())
	if count < 30 {
		t.Errorf("%d fields", count)
	}
	// A record with every field set is canonical.
	for _, c := range randomState(newRandom(3), 50).parts {
		for _, c := range c {
			line, err := record.Append(nil, c)
			if err != nil {
				t.Fatal(err)
			}
			if !checkScan(t, bytes.TrimSpace(line)) {
				t.Errorf("not canonical: %s", line)
			}
		}
	}
}

func FuzzScan(f *testing.F) {
	line, err := record.Append(nil, sample())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(bytes.TrimSpace(line))
	f.Add([]byte(`{"type":"chunk","id":"a","chunk_type":"data","title":"","text":"","tags":[],"metadata":{"source":"","file_path":"b","start_line":0,"end_line":0,"byte_start":0,"byte_end":0}}`))
	for _, path := range outside {
		f.Add(bytes.Replace(bytes.TrimSpace(line), []byte(`"file_path":"`), fmt.Appendf(nil, `"file_path":"%s`, path), 1))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		if line = bytes.TrimSpace(line); !bytes.Contains(line, []byte("\n")) {
			checkScan(t, line)
		}
	})
}
