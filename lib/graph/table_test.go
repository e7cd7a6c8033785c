package graph

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cortex/lib/graph/edge"
	"cortex/lib/graph/table"
	"cortex/lib/record"
)

// synthetic returns the statements of a graph with the given numbers of symbols, twenty in each file, and edges. One
// symbol in a hundred is a hub: a tenth of the edges lead to hubs. A twentieth of the edges lead outside of the tree.
func synthetic(symbols, edges int) (out []Statement) {
	random := rand.New(rand.NewPCG(1, 2))
	const perFile = 20
	name := func(n int) (path, qualified string) {
		file := n / perFile
		path = fmt.Sprintf("internal/module%03d/component%02d/service_%05d.go", file/100, file/10%10, file)
		if n%perFile < 4 {
			return path, fmt.Sprintf("Service%05dType%d", file, n%perFile)
		}
		return path, fmt.Sprintf("Service%05dType%d.HandleRequest%d", file, n%4, n%perFile)
	}
	byNode := make([][]int, symbols)
	for range edges {
		from, to := random.IntN(symbols), random.IntN(symbols)
		switch random.IntN(20) {
		case 0, 1:
			to = to / 100 * 100 % (symbols / 100)
		case 2:
			to = -1 - to%1000
		}
		byNode[from] = append(byNode[from], to)
	}
	for n := range symbols {
		path, qualified := name(n)
		if n%perFile == 0 {
			out = append(out, Statement{Node: &Node{ID: path, Kind: table.FileKind, Name: path[strings.LastIndexByte(path, '/')+1:], Language: "go", Package: "component"}})
		}
		node := Node{ID: NodeID(path, qualified), Kind: record.Struct, Name: lastOf(qualified), StartLine: 1 + 20*(n%perFile), EndLine: 20 + 20*(n%perFile),
			Signature: "type " + qualified + " struct", Exported: n%2 == 0}
		if n%perFile >= 4 {
			node.Kind, node.Signature = record.Method, "func (s *"+outerOf(qualified)+") "+node.Name+"(ctx context.Context, request *Request) (*Response, error)"
		}
		out = append(out, Statement{Node: &node})
		for i, to := range byNode[n] {
			e := Edge{Relation: record.Calls, From: node.ID, Lines: []int{node.StartLine + i + 1}}
			if i%3 == 0 {
				e.Lines = append(e.Lines, node.StartLine+i+7)
			}
			if to < 0 {
				e.By, e.Confidence, e.External = edge.ByExternal, .9, fmt.Sprintf("example.com/library%d.Function%d", to%10, to)
				out = append(out, Statement{Edge: &e})
				continue
			}
			file, target := name(to)
			e.Name, e.Receiver, e.To = lastOf(target), "("+outerOf(target)+")", []string{NodeID(file, target)}
			e.By, e.Confidence = edge.ByReceiver, .95
			if to%perFile < 4 {
				e.Relation, e.Receiver = record.Uses, ""
			}
			out = append(out, Statement{Edge: &e})
		}
	}
	return out
}

func made(t testing.TB, lines []Statement) *table.Graph {
	t.Helper()
	g, err := FromLines(lines)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestMemoryOfAnEdge(t *testing.T) {
	const most = 200
	lines := synthetic(5000, 25_000)
	held := func() int64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before := held()
	g := made(t, lines)
	each := float64(held()-before) / float64(g.Edges())
	t.Logf("%d edges, %.0f bytes an edge", g.Edges(), each)
	if each > most || each < 10 {
		t.Errorf("an edge takes %.0f bytes, want at most %d", each, most)
	}
	runtime.KeepAlive(g)
	runtime.KeepAlive(lines)
}

// answers returns a graph's answers to a few questions, without their times.
func answers(t *testing.T, g *table.Graph) []string {
	t.Helper()
	var all []string
	for _, info := range table.Operations {
		for _, target := range []string{"Service00003Type1", "service00003type1.handlerequest7", "Servce00003Type1", "service_00004.go", "service_00004.go:70", "internal/module000", "HandleRequest5", "example.com/library3"} {
			req := table.Request{Operation: info.Operation, Target: target, Depth: 3}
			if info.Operation == table.Path {
				req.To = "Service00037Type2.HandleRequest6"
			}
			a, err := g.Query(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			a.Metadata = table.Metadata{}
			text, err := json.Marshal(a)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, string(text))
		}
	}
	return all
}

func TestBinary(t *testing.T) {
	g := made(t, synthetic(1000, 10_000))
	data := tablesOf(t, g)
	if !bytes.Equal(data, tablesOf(t, made(t, synthetic(1000, 10_000)))) {
		t.Error("another form each time")
	}
	again, err := table.FromBinary(data)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(answers(t, g), answers(t, again)); diff != "" {
		t.Errorf("answers differ (-lines +binary):\n%s", diff)
	}
}

// TestDamagedTables changes bytes of tables: questions then fail or have other answers, without a panic, and Check
// finds it.
func TestDamagedTables(t *testing.T) {
	data := tablesOf(t, made(t, synthetic(200, 1000)))
	random := rand.New(rand.NewPCG(3, 4))
	failed := 0
	for range 60 {
		other := slices.Clone(data)
		for range 1 + random.IntN(3) {
			other[random.IntN(len(other))] ^= byte(1 + random.IntN(255))
		}
		if random.IntN(10) == 0 {
			other = other[:random.IntN(len(other))]
		}
		g, err := table.FromBinary(other)
		if err != nil {
			continue
		}
		if err := g.Check(); err == nil {
			t.Error("nothing is wrong")
		}
		for _, info := range table.Operations {
			req := table.Request{Operation: info.Operation, Target: "Service00003Type1", Depth: 3}
			if info.Operation == table.Path {
				req.To = "Service00007Type2.HandleRequest6"
			}
			if _, err := g.Query(t.Context(), req); err != nil {
				if failed++; !errors.Is(err, table.ErrDamaged) {
					t.Error(err)
				}
			}
		}
	}
	if failed == 0 {
		t.Error("no question failed")
	}
	g, err := table.FromBinary(data)
	if err != nil || g.Check() != nil {
		t.Error(err, g.Check())
	}
	// Where the trees of files are told apart, each byte may be damaged as well.
	failed = 0
	for at := 3; at < len(data); at += 4 {
		data[at] ^= 0x40
		if g, err := table.FromBinary(data); err == nil {
			if _, err := g.HasSeveralTrees(); err != nil {
				if failed++; !errors.Is(err, table.ErrDamaged) {
					t.Error(err)
				}
			}
		}
		data[at] ^= 0x40
	}
	if failed == 0 {
		t.Error("no tree was damaged")
	}
}

// TestAFileCalledLikeASymbol has files whose paths are identifiers of symbols: a file name must not break the graph.
func TestAFileCalledLikeASymbol(t *testing.T) {
	b := NewBuilder()
	add := func(path string, names ...string) {
		f := &record.File{FilePath: path, Language: "go", Package: "a", Status: record.StatusOK}
		for i, name := range names {
			f.Symbols = append(f.Symbols, record.Symbol{Kind: record.Function, Name: name, QualifiedName: name, StartLine: 2*i + 1, EndLine: 2*i + 2, Exported: true})
		}
		f.References = []record.Reference{{Relation: record.Calls, Symbol: names[0], Name: names[len(names)-1], Lines: []int{2}}}
		b.Add("", f)
	}
	add("a.go", "A", "A#B", "C")
	add("a.go#A", "B", "D")
	add("a.go#A#B", "E", "F")
	g := b.graph(t, 1)
	for target, want := range map[string]int{"C": 1, "D": 1, "F": 1} {
		a, err := g.Query(t.Context(), table.Request{Operation: table.Callers, Target: target, MinConfidence: 0})
		if err != nil || len(a.Results) != want {
			t.Errorf("callers of %s: %+v, %v", target, a, err)
		}
	}
	again, err := table.FromBinary(tablesOf(t, g))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(answers(t, g), answers(t, again)); diff != "" {
		t.Errorf("answers differ (-lines +binary):\n%s", diff)
	}
}

func BenchmarkFromBinary(b *testing.B) {
	data := tablesOf(b, made(b, synthetic(100_000, 500_000)))
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := table.FromBinary(data); err != nil {
			b.Fatal(err)
		}
	}
}

// lastOf is the last part of a qualified name, outerOf the rest.
func lastOf(qualified string) string { return qualified[strings.LastIndexByte(qualified, '.')+1:] }

func outerOf(qualified string) string {
	return strings.TrimSuffix(strings.TrimSuffix(qualified, lastOf(qualified)), ".")
}
