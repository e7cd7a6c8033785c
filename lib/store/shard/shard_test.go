package shard

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cortex/lib/record"
	"cortex/lib/record/jsonl"
)

var pieces = []string{"a", "ä", "é\"", "\\b", "\n", "\t", "\x01", "<b>", "日本", "*", "\\", "~2", "😀", "/", "\u2028", "#", "a.b", ""}

func text(r *rand.Rand, n int) string {
	var b strings.Builder
	for range r.IntN(n + 1) {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

func pick[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }

// randomChunk returns a chunk with many usual values and some random ones.
func randomChunk(r *rand.Rand, f *File) *record.Chunk {
	number := r.IntN(len(words))
	id := pick(r, prefixes[number]+record.IDPath(f.Path())+pick(r, "", "#a.b", "#x/y~2", "~3", "x"), "any"+text(r, 3), prefixes[number]+"other")
	c := &record.Chunk{Type: record.TypeChunk, ID: id, ChunkType: record.ChunkTypes[number], Title: pick(r, text(r, 3), f.Path()+": "+text(r, 2), "a › b"), Text: text(r, 20),
		Tags: pick(r, []string{"code", f.Record.Language, string(record.ChunkTypes[number]), "test"}, []string{}, []string{"x"})}
	m := &c.Metadata
	m.Source, m.FilePath, m.Tree, m.Language, m.Package = pick(r, "code", "doc", ""), f.Path(), f.Tree, pick(r, "go", "", text(r, 1)), pick(r, "p", "")
	m.StartLine, m.EndLine, m.ByteStart, m.ByteEnd = r.IntN(9), r.IntN(9), r.IntN(9), r.IntN(9)
	m.SymbolName, m.SymbolType, m.SymbolSignature = pick(r, "a.b", "", text(r, 2)), pick(r, record.Function, record.Method, "", record.Heading), text(r, 2)
	if runes := []rune(c.Text); len(runes) > 0 && r.IntN(2) == 0 {
		from := r.IntN(len(runes))
		m.SymbolSignature = string(runes[from : from+r.IntN(len(runes)-from+1)])
	}
	for i := range r.IntN(3) {
		m.Symbols = append(m.Symbols, record.SymbolRef{Name: text(r, 2), Type: "type", Line: 9 - 3*i})
		m.Repeats = append(m.Repeats, record.LineRange{i, i + 1})
	}
	m.Hierarchy, m.BlockType, m.ImportsCount, m.FunctionsCount = pick(r, "", "a › b", text(r, 2)), pick(r, "", "x"), r.IntN(2), r.IntN(2)
	m.DocID, m.ParentID, m.Slug = pick(r, "", "doc-"+record.IDPath(f.Path())), pick(r, "", "doc-"+record.IDPath(f.Path())+"#x", "*", `\x`), pick(r, "", "y", "x")
	m.Depth, m.Position, m.SectionIndex, m.ChunkIndex, m.Breadcrumb = r.IntN(2), r.IntN(2), r.IntN(2), r.IntN(2), pick(r, "", "a.b", text(r, 2))
	m.IsLargeParagraph, m.IsSplitParagraph = r.IntN(2) == 0, r.IntN(2) == 0
	if r.IntN(3) > 0 {
		c.Embedding, c.EmbeddingModel = record.Embedding{r.Float32() - .5, r.Float32() - .5, r.Float32()}, "m"
		if r.IntN(2) == 0 {
			c.Embedding = record.Quantize(nil, c.Embedding).Embedding()
		}
	}
	c.CreatedAt = pick(r, "2024-05-06T01:00:00Z", "2024-05-06T02:00:00Z")
	c.UpdatedAt = pick(r, "2024-05-06T02:00:00Z", "2024-05-06T03:00:00Z")
	return c
}

func randomFile(r *rand.Rand) *File {
	f := &File{Tree: pick(r, "", "t"), Created: "2024-05-06T01:00:00Z", Updated: "2024-05-06T02:00:00Z", Record: record.File{Type: record.TypeFile,
		FilePath: pick(r, "a.go", "d/ä~b#.go", "x y%.md"), Language: pick(r, "go", ""), Size: r.Int64N(9), Status: pick(r, record.StatusOK, record.StatusPartial, ""), Package: pick(r, "p", "")}}
	if r.IntN(2) == 0 {
		f.Record.Tags = []string{"test"}
		f.Chunks[r.IntN(5)] = 3
	}
	odd := r.IntN(5) == 0
	name := func() string {
		if odd {
			return text(r, 3)
		}
		return pick(r, "a", "a.b", "Ä", "", "c\"d")
	}
	for range r.IntN(4) {
		q := name()
		parent, last := splitName(q)
		if r.IntN(4) == 0 {
			parent = name()
		}
		f.Record.Symbols = append(f.Record.Symbols, record.Symbol{Kind: pick(r, record.Kinds...), QualifiedName: q, Name: last, Parent: parent, StartLine: 1 + r.IntN(9), EndLine: 10, DocLine: r.IntN(2),
			Signature: name(), Exported: r.IntN(2) == 0, Test: r.IntN(2) == 0})
		f.Record.References = append(f.Record.References, record.Reference{Relation: pick(r, record.Relations...), Name: name(), Receiver: name(), Module: name(), Alias: name(), Symbol: name(), Lines: []int{r.IntN(9), 12}})
		f.Record.Typings = append(f.Record.Typings, record.Typing{Symbol: name(), Name: name(), Value: name(), Signature: name(), Line: r.IntN(9)})
	}
	if r.IntN(3) == 0 {
		f.Record.Imports, f.Record.Mappings = []string{"x"}, []record.Mapping{{Module: "m", Path: "."}}
	}
	return f
}

func appendFile(t *testing.T, f *File) []byte {
	t.Helper()
	facts, err := Facts(&f.Record)
	if err != nil {
		t.Fatal(err)
	}
	line, err := f.Append(nil, facts)
	if err != nil {
		t.Fatal(err)
	}
	return line
}

// The line of any record decodes to the record, and its Glance is correct.
func TestLinesGiveTheRecords(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		f := randomFile(r)
		line := appendFile(t, f)
		got, err := DecodeFile(line)
		if diff := cmp.Diff(f, got); err != nil || diff != "" {
			t.Fatalf("%v: %s\n%s", err, diff, line)
		}
		c := randomChunk(r, f)
		line, err = AppendChunk(nil, f, c)
		if err != nil {
			t.Fatal(err)
		}
		again, err := DecodeChunk(line, f, "m")
		if diff := cmp.Diff(c, again); err != nil || diff != "" {
			t.Fatalf("%v: %s\n%s", err, diff, line)
		}
		g, ok := f.Look(line[:len(line)-1])
		if !ok || g.ID != c.ID || record.ChunkTypes[g.Type] != c.ChunkType || g.Embedded != (c.Embedding != nil) {
			t.Fatalf("a glance sees %v %+v in %s", ok, g, line)
		}
		own := c.CreatedAt != f.Created || c.UpdatedAt != f.Updated
		if own != (g.Created != "") || own && (g.Created != c.CreatedAt || g.Updated != c.UpdatedAt) {
			t.Fatalf("times %q %q in %s", g.Created, g.Updated, line)
		}
		if !bytes.Equal(g.AppendTo(nil, f.Created, f.Updated), line) {
			t.Fatalf("%s\nbecame\n%s", line, g.AppendTo(nil, f.Created, f.Updated))
		}
		want, _ := jsonl.AppendJSON(nil, c.Text)
		if string(g.Text()) != string(want[1:len(want)-1]) {
			t.Fatalf("text %s, want %s", g.Text(), want)
		}
	}
}

// A shard has the files of two shards of a store with twice the number of shards.
func TestShardsHalve(t *testing.T) {
	seen := map[int]int{}
	for i := range 2000 {
		path := fmt.Sprint("f", i)
		for n := 1; n < Most; n *= 2 {
			if Of(path, n) != Of(path, 2*n)/2 {
				t.Fatalf("%s is in %d of %d and in %d of %d", path, Of(path, n), n, Of(path, 2*n), 2*n)
			}
		}
		seen[Of(path, 16)]++
	}
	for n, files := range seen {
		if files < 80 || files > 180 {
			t.Errorf("%d of 2000 files in shard %d of 16", files, n)
		}
	}
}

// FuzzDecode looks for lines that decode but encode differently, or cannot be decoded again.
func FuzzDecode(f *testing.F) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 20 {
		file := randomFile(r)
		facts, _ := Facts(&file.Record)
		line, _ := file.Append(nil, facts)
		f.Add(line)
		line, _ = AppendChunk(nil, file, randomChunk(r, file))
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if file, err := DecodeFile(data); err == nil {
			if again, err := DecodeFile(appendFile(t, file)); err != nil || again.Path() != file.Path() || !slices.Equal(again.Record.Symbols, file.Record.Symbols) {
				t.Errorf("%v: %+v\n%+v", err, file, again)
			}
		}
		file := &File{Record: record.File{FilePath: "a.go"}}
		if chunk, err := DecodeChunk(data, file, "m"); err == nil {
			if _, err := AppendChunk(nil, file, chunk); err != nil {
				t.Error(err)
			}
		}
		if len(data) > 0 {
			if g, ok := file.Look(data); ok {
				g.Text()
			}
		}
	})
}

// TestWeight tells the weight of the stream in the file that STREAM names.
func TestWeight(t *testing.T) {
	name := os.Getenv("STREAM")
	if name == "" {
		t.Skip("no STREAM")
	}
	in, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	reader := jsonl.NewReader(in, name)
	var f *File
	var source, files, chunks int64
	n := 0
	for {
		rec, err := reader.Read()
		if err != nil {
			break
		}
		switch rec := rec.(type) {
		case *record.File:
			f = &File{Record: *rec}
			line := appendFile(t, f)
			if got, err := DecodeFile(line); err != nil || !cmp.Equal(f, got) {
				t.Fatalf("%v %s", err, cmp.Diff(f, got))
			}
			files += int64(len(line))
			if rec.Status.Indexed() {
				source += rec.Size
			}
		case *record.Chunk:
			n++
			rec.Embedding = record.Quantize(nil, rec.Embedding).Embedding()
			line, err := AppendChunk(nil, f, rec)
			if err != nil {
				t.Fatal(err)
			}
			got, err := DecodeChunk(line, f, rec.EmbeddingModel)
			if err != nil || n%50 == 0 && !cmp.Equal(rec, got) {
				t.Fatalf("%v %s", err, cmp.Diff(rec, got))
			}
			if n%1000 == 0 {
				t.Logf("%s", line)
			}
			chunks += int64(len(line))
		}
	}
	t.Logf("source %d, files %.3f, chunks %.3f", source, float64(files)/float64(source), float64(chunks)/float64(source))
}

// TestSignaturesOutsideOfTheText are refused.
func TestSignaturesOutsideOfTheText(t *testing.T) {
	for at, want := range map[string]string{
		"": "-", ",0,1": "a", ",1,2": "é", ",0,2": "", ",2,1": "", ",3,1": "", ",0,4": "", ",-1,1": "", ",0,0": "", ",9223372036854775807,1": "", ",1,9223372036854775807": "",
		",1": "", ",0,1,1": "",
	} {
		line := `{"type":"chunk","id":"impl#a","text":"aé","place":[1,1,0,3` + at + `]}`
		c, err := DecodeChunk([]byte(line), &File{Record: record.File{FilePath: "a.go"}}, "")
		if ok := want != ""; (err == nil) != ok || ok && c.Metadata.SymbolSignature != strings.Trim(want, "-") {
			t.Errorf("%s: %v, %v", at, c, err)
		}
	}
}
