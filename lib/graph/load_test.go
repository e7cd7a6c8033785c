package graph

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"cortex/lib/record"
)

// synthetic are the lines of a graph of so many symbols, twenty a file, and edges, of which a tenth lead to one hub in a hundred symbols and a
// twentieth outside of the tree.
func synthetic(symbols, edges int) []byte {
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
	out := []byte("{\"_metadata\":{\"version\":1}}\n")
	for n := range symbols {
		path, qualified := name(n)
		if n%perFile == 0 {
			out = AppendNode(out, &Node{ID: path, Kind: FileKind, Name: path[strings.LastIndexByte(path, '/')+1:], Language: "go", Package: "component"})
		}
		node := Node{ID: NodeID(path, qualified), Kind: record.Struct, Name: lastPart(qualified), StartLine: 1 + 20*(n%perFile), EndLine: 20 + 20*(n%perFile),
			Signature: "type " + qualified + " struct", Exported: n%2 == 0}
		if n%perFile >= 4 {
			node.Kind, node.Signature = record.Method, "func (s *"+outer(qualified)+") "+node.Name+"(ctx context.Context, request *Request) (*Response, error)"
		}
		out = AppendNode(out, &node)
		for i, to := range byNode[n] {
			edge := Edge{Relation: record.Calls, From: node.ID, Lines: []int{node.StartLine + i + 1}}
			if i%3 == 0 {
				edge.Lines = append(edge.Lines, node.StartLine+i+7)
			}
			if to < 0 {
				edge.By, edge.Confidence, edge.External = ByExternal, .9, fmt.Sprintf("example.com/library%d.Function%d", to%10, to)
				out = AppendEdge(out, &edge)
				continue
			}
			file, target := name(to)
			edge.Name, edge.Receiver, edge.To = lastPart(target), "("+outer(target)+")", []string{NodeID(file, target)}
			edge.By, edge.Confidence = ByReceiver, .95
			if to%perFile < 4 {
				edge.Relation, edge.Receiver = record.Uses, ""
			}
			out = AppendEdge(out, &edge)
		}
	}
	return out
}

func load(t testing.TB, lines []byte) *Graph {
	t.Helper()
	g, err := Load(bytes.NewReader(lines), "graph")
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestMemoryOfAnEdge(t *testing.T) {
	const most = 200
	lines := synthetic(20_000, 100_000)
	held := func() int64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before := held()
	g := load(t, lines)
	each := float64(held()-before) / float64(g.Edges())
	t.Logf("%d nodes, %d edges, %.0f bytes an edge, %.0f in the file", g.Nodes(), g.Edges(), each, float64(len(lines))/float64(g.Edges()))
	if each > most || each < 10 {
		t.Errorf("an edge takes %.0f bytes, want at most %d", each, most)
	}
	runtime.KeepAlive(g)
	runtime.KeepAlive(lines)
}

func BenchmarkLoad(b *testing.B) {
	lines := synthetic(100_000, 500_000)
	b.SetBytes(int64(len(lines)))
	b.ReportAllocs()
	for b.Loop() {
		load(b, lines)
	}
}
