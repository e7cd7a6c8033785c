package graph

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cortex/lib/graph/facts"
	"cortex/lib/graph/table"
	"cortex/lib/record"
)

// A forest makes random files that share many names.
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
		s := record.Symbol{Kind: record.Kinds[f.r.IntN(len(record.Kinds))], Name: f.name(), Parent: parent, DocLine: max(line-f.r.IntN(3), 0), StartLine: line, EndLine: line + f.r.IntN(9),
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

// rebuild makes the graph with some files replaced, or removed if nil, and returns how the units of the families were
// resolved.
func rebuild(t testing.TB, before *table.Graph, sources []Source, tree string, changed map[string]*record.File) (*table.Graph, []Source, map[string]how) {
	t.Helper()
	next := slices.Clone(sources)
	known := map[string]bool{}
	for i := range next {
		next[i].Was = next[i].Facts
		h, _ := next[i].Facts.Header()
		if f, ok := changed[h.Path]; ok && next[i].Tree == tree {
			known[h.Path], next[i].Facts = true, nil
			if f != nil {
				next[i].Facts = facts.NewEncoder().AppendFacts(nil, f)
			}
		}
	}
	for path, f := range changed {
		if !known[path] && f != nil {
			next = append(next, Source{Tree: tree, Facts: facts.NewEncoder().AppendFacts(nil, f)})
		}
	}
	hows := map[string]how{}
	g, err := Build(context.Background(), next, before, Options{Jobs: 2, told: func(tree, family string, how how) { hows[tree+":"+family] = how }})
	if err != nil {
		t.Fatal(err)
	}
	return g, next, hows
}

// checkFresh compares a graph with one that is made without a previous graph: its description, and the tables
// themselves once its strings are made again.
func checkFresh(t testing.TB, g *table.Graph, sources []Source, about string) {
	t.Helper()
	fresh, err := Build(context.Background(), sources, nil, Options{Jobs: 1})
	if err != nil {
		t.Fatal(err)
	}
	if want, got := fresh.Describe(), g.Describe(); !slices.Equal(want, got) {
		t.Fatalf("%s: %s", about, cmp.Diff(want, got))
	}
	same := slices.Clone(sources)
	for i := range same {
		same[i].Was = same[i].Facts
	}
	anew, err := Build(context.Background(), same, g, Options{Jobs: 1, anew: true})
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(tablesOf(t, anew), tablesOf(t, fresh)) {
		t.Fatalf("%s: tables differ: %s", about, cmp.Diff(fresh.Describe(), anew.Describe()))
	}
	mapped, err := table.FromBinary(tablesOf(t, g))
	if err != nil || mapped.Check() != nil {
		t.Fatal(about, err, mapped.Check())
	}
}

// checkRebuilt compares a graph with one file replaced with a graph made from scratch, and returns how the file's
// family was resolved.
func checkRebuilt(t testing.TB, before *table.Graph, sources []Source, tree string, changed ...*record.File) how {
	t.Helper()
	files := map[string]*record.File{}
	for _, f := range changed {
		files[f.FilePath] = f
	}
	got, next, hows := rebuild(t, before, sources, tree, files)
	checkFresh(t, got, next, fmt.Sprint(hows))
	most := kept
	for _, h := range hows {
		most = max(most, h)
	}
	return most
}

// Facts lead to one graph, whatever the order of the files and the number of workers.
func TestGraphFollowsFromFacts(t *testing.T) {
	if testing.Short() {
		t.Skip("resolves many facts")
	}
	for seed := range uint64(200) {
		f := forest{rand.New(rand.NewPCG(seed, 1))}
		files := f.files(1 + f.r.IntN(9))
		want := build(t, files...)
		f.r.Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
		b := NewBuilder()
		for _, file := range files {
			b.Add("", file)
		}
		if got := write(t, b, 3); got != want {
			t.Fatalf("seed %d: %s", seed, cmp.Diff(want, got))
		}
	}
}

// After files are replaced, added and removed, the tables equal those made from scratch; small changes make partial
// runs.
func TestReplacedFilesEqualFresh(t *testing.T) {
	counts := map[how]int{}
	seeds := uint64(350)
	if testing.Short() {
		seeds = 20
	}
	for seed := range seeds {
		f := forest{rand.New(rand.NewPCG(seed, 2))}
		files := f.files(2 + f.r.IntN(8))
		b := NewBuilder()
		for _, file := range files {
			b.Add("", file)
			b.Add("other", file)
		}
		graph, sources := b.graph(t, 2), b.sources
		for range 2 {
			changed := map[string]*record.File{}
			for range 1 + f.r.IntN(2) {
				i := f.r.IntN(len(files))
				now := f.change(files[i])
				if f.r.IntN(20) == 0 {
					now.FilePath = "new/" + now.FilePath
				} else {
					files[i] = &now
				}
				changed[now.FilePath] = &now
				if f.r.IntN(20) == 0 {
					changed[now.FilePath] = nil
				}
			}
			var hows map[string]how
			graph, sources, hows = rebuild(t, graph, sources, "", changed)
			for _, h := range hows {
				counts[h]++
			}
			checkFresh(t, graph, sources, fmt.Sprintf("seed %d: %v", seed, hows))
		}
	}
	if !testing.Short() && (counts[partly] < 75 || counts[kept] < 1000 || counts[wholly] < 250) {
		t.Errorf("families were resolved so many times: %v", counts)
	}
}

// change returns the file with some facts changed.
func (f forest) change(file *record.File) record.File {
	now := *file
	switch f.r.IntN(6) {
	case 0:
		now = *f.file(file.FilePath)
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
	case 3:
		// All is further below.
		now.Symbols, now.References = slices.Clone(now.Symbols), slices.Clone(now.References)
		for i := range now.Symbols {
			now.Symbols[i].StartLine += 7
			now.Symbols[i].EndLine += 7
		}
		for i := range now.References {
			now.References[i].Lines = slices.Clone(now.References[i].Lines)
			for k := range now.References[i].Lines {
				now.References[i].Lines[k] += 7
			}
		}
	default:
		now.References = nil
		for _, ref := range file.References {
			if !facts.SeenByOthers(ref.Relation) {
				ref.Name, ref.Receiver = f.name(), f.expression()
			}
			now.References = append(now.References, ref)
		}
	}
	return now
}

// A file that is added or removed concerns its family, and other families whose files can import it.
func TestFilesOfOtherFamilies(t *testing.T) {
	b := NewBuilder()
	for _, path := range []string{"a.ts", "b.go", "c.py"} {
		f := &record.File{FilePath: path, Status: record.StatusOK, Language: map[string]string{".ts": "typescript", ".go": "go", ".py": "python"}[path[1:]]}
		f.Symbols = []record.Symbol{{Kind: record.Function, Name: "f", QualifiedName: "f", StartLine: 1, EndLine: 2}}
		if path == "a.ts" {
			f.References = []record.Reference{{Relation: record.Imports, Module: "./lib.zig", Lines: []int{1}}}
		}
		b.Add("", f)
	}
	graph, sources := b.graph(t, 1), b.sources
	for _, step := range []struct {
		path string
		gone bool
		want map[string]how
	}{
		{"other.zig", false, map[string]how{":javascript": kept, ":go": kept, ":python": kept, ":zig": wholly}},
		{"lib.zig", false, map[string]how{":javascript": wholly, ":go": kept, ":python": kept, ":zig": wholly}},
		{"other.zig", true, map[string]how{":javascript": kept, ":go": kept, ":python": kept, ":zig": wholly}},
		{"lib.zig", true, map[string]how{":javascript": wholly, ":go": kept, ":python": kept}},
	} {
		changed := map[string]*record.File{step.path: nil}
		if !step.gone {
			changed[step.path] = &record.File{FilePath: step.path, Status: record.StatusOK, Language: "zig"}
		}
		var hows map[string]how
		graph, sources, hows = rebuild(t, graph, sources, "", changed)
		if diff := cmp.Diff(step.want, hows); diff != "" {
			t.Errorf("%s: %s", step.path, diff)
		}
		sources = slices.DeleteFunc(sources, func(s Source) bool { return len(s.Facts) == 0 })
		checkFresh(t, graph, sources, step.path)
	}
}

// Files keep their implied edges when something else in them changes.
func TestPartsKeepWhatTheyImplement(t *testing.T) {
	counts := map[how]int{}
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 5))
		b := NewBuilder()
		var files []*record.File
		for i := range 12 {
			f := &record.File{FilePath: fmt.Sprintf("p%d/f%d.go", i%3, i), Status: record.StatusOK, Language: "go", Package: fmt.Sprintf("p%d", i%3)}
			kind := []record.Kind{record.Struct, record.Interface}[r.IntN(2)]
			name := fmt.Sprintf("T%d", i)
			f.Symbols = append(f.Symbols, record.Symbol{Kind: kind, Name: name, QualifiedName: name, StartLine: 1, EndLine: 2, Exported: true})
			for m := range 4 {
				method := fmt.Sprintf("M%d", m)
				switch {
				case r.IntN(3) == 0:
				case kind == record.Interface:
					f.Typings = append(f.Typings, record.Typing{Symbol: name, Name: method, Value: "error", Signature: "() error", Line: 1})
				default:
					f.Symbols = append(f.Symbols, record.Symbol{Kind: record.Method, Name: method, QualifiedName: name + "." + method, Parent: name, StartLine: 3, EndLine: 4, Exported: true,
						Signature: "func (t *" + name + ") " + method + "() error"})
					f.References = append(f.References, record.Reference{Relation: record.Calls, Symbol: name + "." + method, Name: fmt.Sprintf("help%d", r.IntN(3)), Lines: []int{4}})
				}
			}
			files = append(files, f)
			b.Add("", f)
		}
		now := *files[r.IntN(len(files))]
		switch r.IntN(3) {
		case 0:
			helper := fmt.Sprintf("help%d", r.IntN(3))
			now.Symbols = append(slices.Clone(now.Symbols), record.Symbol{Kind: record.Function, Name: helper, QualifiedName: helper, StartLine: 9, EndLine: 9})
		case 1:
			now.References = nil
		case 2:
			now.Symbols = slices.Clone(now.Symbols)
			for i := range now.Symbols {
				now.Symbols[i].StartLine += 7
				now.Symbols[i].EndLine += 7
			}
		}
		counts[checkRebuilt(t, b.graph(t, 2), b.sources, "", &now)]++
	}
	if counts[partly] < 40 || counts[kept] < 25 {
		t.Errorf("families were resolved so many times: %v", counts)
	}
}

// Damaged facts cause an error or another graph, never a panic.
func FuzzFacts(f *testing.F) {
	for seed := range uint64(5) {
		for _, file := range (forest{rand.New(rand.NewPCG(seed, 3))}).files(3) {
			f.Add([]byte(facts.NewEncoder().AppendFacts(nil, file)))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		own := facts.Facts(data)
		whole, err := own.Read(facts.NewNames(), true)
		if err != nil {
			return
		}
		_, _ = whole.All()
		sources := []Source{{Facts: data}, {Tree: "two", Facts: data, Was: data}}
		g, err := Build(context.Background(), sources, nil, Options{Jobs: 1})
		if err != nil {
			return
		}
		if again, err := Build(context.Background(), []Source{{Facts: data, Was: data}, {Tree: "two", Facts: data, Was: data}}, g, Options{Jobs: 1}); err != nil || !bytes.Equal(tablesOf(t, again), tablesOf(t, g)) {
			t.Error("not the same again", err)
		}
	})
}
