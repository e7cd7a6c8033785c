package graph

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cortex/lib/record"
)

func write(t testing.TB, b *Builder, jobs int) string {
	t.Helper()
	var out bytes.Buffer
	if err := b.Write(context.Background(), &out, jobs); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func build(t testing.TB, files ...*record.File) string {
	t.Helper()
	b := NewBuilder()
	for _, f := range files {
		b.Add("", f)
	}
	return write(t, b, 1)
}

func read(t testing.TB, lines string, keep func(string) bool) *Builder {
	t.Helper()
	b := NewBuilder()
	if err := b.Read(context.Background(), strings.NewReader(lines), "graph", 2, keep); err != nil {
		t.Fatal(err)
	}
	return b
}

// A forest makes random files whose names often meet.
type forest struct{ r *rand.Rand }

func (f forest) pick(list ...string) string { return list[f.r.IntN(len(list))] }

func (f forest) name() string { return f.pick("a", "b", "C", "D", "é\"", "f#g", "x\ny") }

func (f forest) expression() string {
	return f.pick("", "a", "C", "this", "super", "(C)", "(D[])", "(C).a", "a.b()", "a[].b", "…x", "x.y.z", ".a.b", "(a", "a(", "C()", "[]", "()", "..", "this.a().b[]")
}

func (f forest) file(path string) *record.File {
	file := &record.File{FilePath: path, Status: record.StatusOK, Language: f.pick("go", "go", "python", "typescript", "c", "ruby", "rust", "php", "zig", ""), Package: f.pick("", "p", "q")}
	if f.r.IntN(5) == 0 {
		file.Tags = []string{"test"}
	}
	names := []string{""}
	for range f.r.IntN(6) {
		parent, line := f.pick(names...), 1+f.r.IntN(20)
		s := record.Symbol{Kind: record.Kinds[f.r.IntN(len(record.Kinds))], Name: f.name(), Parent: parent, StartLine: line, EndLine: line + f.r.IntN(9),
			Exported: f.r.IntN(2) == 0, Test: f.r.IntN(9) == 0, Signature: f.pick("", "func a()", strings.Repeat("é", 150))}
		s.QualifiedName = strings.TrimPrefix(parent+"."+s.Name, ".")
		file.Symbols = append(file.Symbols, s)
		names = append(names, s.QualifiedName)
	}
	for range f.r.IntN(12) {
		ref := record.Reference{Relation: record.Relations[f.r.IntN(len(record.Relations))], Name: f.name(), Receiver: f.expression(), Symbol: f.pick(names...), Lines: []int{1 + f.r.IntN(9), 20 + f.r.IntN(5)}}
		if ref.Relation == record.Imports {
			ref.Module, ref.Alias, ref.Receiver = f.pick("a", "./b", "p.q", "p", "example.com/m/d", "C.h", `p\q`), f.pick("", "b"), ""
			ref.Name = f.pick("", "*", ref.Name)
		}
		file.References = append(file.References, ref)
	}
	for range f.r.IntN(5) {
		file.Typings = append(file.Typings, record.Typing{Symbol: f.pick(names...), Name: f.pick("", f.name()), Value: f.expression(), Signature: f.pick("", "() int"), Line: 1 + f.r.IntN(30)})
	}
	if f.r.IntN(9) == 0 {
		file.Mappings = []record.Mapping{{Module: "example.com/m", Path: "."}, {Module: "@/*", Path: "d/*"}}
	}
	return file
}

func (f forest) files(n int) []*record.File {
	var files []*record.File
	for i := range n {
		files = append(files, f.file(fmt.Sprintf("%s/f#%d.go", f.pick("a", "b", "d"), i)))
	}
	return files
}

// What was written, read and written again is the same, whatever the number of workers, and so is what comes of the records that the builder gives back.
func TestRoundTrip(t *testing.T) {
	for seed := range uint64(200) {
		f := forest{rand.New(rand.NewPCG(seed, 1))}
		files := f.files(1 + f.r.IntN(9))
		want := build(t, files...)
		if got := write(t, read(t, want, all), 3); got != want {
			t.Fatalf("seed %d: %s", seed, cmp.Diff(want, got))
		}
		f.r.Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
		b, back := read(t, want, all), NewBuilder()
		for _, file := range files {
			filled := &record.File{FilePath: file.FilePath, Status: file.Status, Language: file.Language}
			b.Fill("", filled)
			back.Add("", filled)
		}
		if got := write(t, back, 2); got != want {
			t.Fatalf("seed %d: from records: %s", seed, cmp.Diff(want, got))
		}
		for line := range strings.Lines(want) {
			decoded, err := NewDecoder().Decode([]byte(strings.TrimSuffix(line, "\n")))
			if err != nil {
				t.Fatalf("seed %d: %v: %s", seed, err, line)
			}
			var again []byte
			switch {
			case decoded.Node != nil:
				again = AppendNode(nil, decoded.Node)
			case decoded.Typing != nil:
				again = AppendTyping(nil, decoded.Typing)
			case decoded.Mapping != nil:
				again = AppendMapping(nil, decoded.Mapping)
			default:
				again = AppendEdge(nil, decoded.Edge)
			}
			if string(again) != line {
				t.Fatalf("seed %d:\n%s%s", seed, line, again)
			}
		}
	}
}

// Files that are replaced, added and removed lead to the lines that a builder makes of nothing, and where Outline says that others stay the
// same, Splice makes these lines too.
func TestReplacedFilesEqualFresh(t *testing.T) {
	spliced := 0
	for seed := range uint64(1500) {
		f := forest{rand.New(rand.NewPCG(seed, 2))}
		files := f.files(2 + f.r.IntN(8))
		before := build(t, files...)
		changed := map[string]*record.File{}
		for range 1 + f.r.IntN(2) {
			i := f.r.IntN(len(files))
			now := *files[i]
			switch f.r.IntN(5) {
			case 0:
				now = *f.file(files[i].FilePath)
			case 1:
				// A function more or less.
				now.Symbols = slices.DeleteFunc(slices.Clone(now.Symbols), func(s record.Symbol) bool { return s.Kind.IsCallable() && f.r.IntN(2) == 0 })
				n := f.pick("a", "b", "new", "C.a")
				now.Symbols = append(now.Symbols, record.Symbol{Kind: record.Function, Name: n[strings.LastIndexByte(n, '.')+1:], QualifiedName: n, StartLine: 1, EndLine: 1, Exported: true})
				now.Typings = append(slices.Clone(now.Typings), record.Typing{Symbol: n, Value: f.expression(), Line: 1})
			case 2:
				now.Typings = slices.Clone(now.Typings)
				for i := range now.Typings {
					now.Typings[i].Value = f.expression()
				}
			default:
				now.References = nil
				for _, ref := range files[i].References {
					if !seenByOthers(ref.Relation) {
						ref.Name, ref.Receiver = f.name(), f.expression()
					}
					now.References = append(now.References, ref)
				}
			}
			files[i] = &now
			changed[now.FilePath] = &now
		}
		want := build(t, files...)
		keep := func(path string) bool { return changed[path] == nil }
		add := func() *Builder {
			b := NewBuilder()
			for path, file := range changed {
				b.Put("", path, b.Facts(file))
			}
			return b
		}
		b := add()
		if err := b.Read(context.Background(), strings.NewReader(before), "graph", 2, keep); err != nil {
			t.Fatal(err)
		}
		if got := write(t, b, 2); got != want {
			t.Fatalf("seed %d: %s", seed, cmp.Diff(want, got))
		}
		b = add()
		same, err := b.Outline(context.Background(), strings.NewReader(before), strings.NewReader(before), "graph", 2, keep)
		if err != nil {
			t.Fatal(err)
		}
		if !same {
			continue
		}
		spliced++
		var out bytes.Buffer
		if err := b.Splice(context.Background(), strings.NewReader(before), &out, 2); err != nil {
			t.Fatal(err)
		}
		if out.String() != want {
			t.Fatalf("seed %d: spliced: %s", seed, cmp.Diff(want, out.String()))
		}
	}
	if spliced < 300 {
		t.Errorf("spliced %d times", spliced)
	}
}

func TestDamagedLines(t *testing.T) {
	good := build(t, &record.File{FilePath: "a.go", Status: record.StatusOK, Language: "go", Symbols: []record.Symbol{{Kind: record.Function, Name: "f", QualifiedName: "f", StartLine: 1, EndLine: 2}}})
	tests := []struct{ line, want string }{
		{"", "graph:3: read graph: it is not a line of a graph"},
		{`{"node":"a.go#g"}`, "graph:3: read graph: a node without identifier or kind"},
		{`{"node":"b.go#g","kind":"function"}`, `graph:3: read graph: "b.go#g" is not of file "a.go"`},
		{`{"node":"a.go#g","kind":"thing"}`, `graph:3: read graph: unknown kind "thing"`},
		{`{"node":"a.go#g","kind":"function","start_line":2,"end_line":1}`, "graph:3: read graph: a node that ends before it begins"},
		{`{"node":"a.go#g","kind":"function","colour":"red"}`, `graph:3: read graph: unknown key "colour"`},
		{`{"node":"a.go#g","kind":"function","name":"\x"}`, `graph:3: read graph: the value of "name" is no string`},
		{`{"node":"a.go#g","kind":"function","start_line":99999999999}`, `graph:3: read graph: the value of "start_line" is none`},
		{"{\"node\":\"a.go#\xff\",\"kind\":\"function\"}", "graph:3: read graph: it is not UTF-8"},
		{`{"edge":"calls","name":"g","lines":[1]}`, "graph:3: read graph: an edge without relation or source"},
		{`{"edge":"hates","from":"a.go#f","name":"g","lines":[1]}`, `graph:3: read graph: unknown relation "hates"`},
		{`{"edge":"calls","from":"a.go#f","name":"g","lines":[1,]}`, `graph:3: read graph: the value of "lines" is none`},
		{`{"edge":"calls","from":"a.go#f","name":"g","lines":[1],"to":["a.go#f"]}`, "graph:3: read graph: targets that were not found in any way"},
		{`{"edge":"calls","from":"a.go#f","name":"g","lines":[1]} `, "graph:3: read graph: it is not a line of a graph"},
		{`{"node":"t:c.go","kind":"file","tree":"u"}`, `graph:3: read graph: file_path "t:c.go" does not start with its tree "u"`},
	}
	for _, test := range tests {
		err := NewBuilder().Read(context.Background(), strings.NewReader(good+test.line+"\n"), "graph", 1, all)
		var line *record.LineError
		if err == nil || err.Error() != test.want || !errors.As(err, &line) {
			t.Errorf("%s\ngot  %v\nwant %s", test.line, err, test.want)
		}
	}
	if err := NewBuilder().Read(context.Background(), strings.NewReader(good[:len(good)-5]), "graph", 1, all); err == nil || err.Error() != "graph:2: read graph: the line is cut off" {
		t.Error(err)
	}
	if err := NewBuilder().Read(context.Background(), strings.NewReader(`{"edge":"calls","from":"a","lines":[1]}`+"\n"), "graph", 1, all); err == nil || !strings.Contains(err.Error(), "before the first file") {
		t.Error(err)
	}
	r := NewReader(strings.NewReader(`{"_metadata":{}}`+"\n"+good+"x\n"+good), "graph")
	lines, faults := 0, 0
	for {
		_, err := r.Next()
		if err == io.EOF {
			break
		}
		if lines++; err != nil {
			faults++
		}
	}
	if lines != 5 || faults != 1 {
		t.Errorf("%d lines, %d faults", lines, faults)
	}
}

// Any bytes are read without a panic, and what can be read comes out as the lines from which it comes again.
func FuzzRead(f *testing.F) {
	for seed := range uint64(5) {
		f.Add([]byte(build(f, forest{rand.New(rand.NewPCG(seed, 3))}.files(3)...)))
	}
	f.Add([]byte(`{"node":"","kind":"file"}` + "\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		b := NewBuilder()
		if b.Read(context.Background(), bytes.NewReader(data), "graph", 2, all) != nil {
			return
		}
		once := write(t, b, 2)
		if twice := write(t, read(t, once, all), 1); twice != once {
			t.Fatal(cmp.Diff(once, twice))
		}
		r := NewReader(bytes.NewReader(data), "graph")
		for {
			if _, err := r.Next(); err == io.EOF {
				break
			}
		}
		outline := NewBuilder()
		if _, err := outline.Outline(context.Background(), bytes.NewReader(data), bytes.NewReader(data), "graph", 2, all); err != nil {
			t.Fatal(err)
		}
	})
}
