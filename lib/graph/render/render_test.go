package render

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cortex/lib/graph"
	"cortex/lib/graph/edge"
	"cortex/lib/graph/facts"
	"cortex/lib/graph/table"
	"cortex/lib/record"
	"cortex/lib/terminal"
)

// files is a tree with a test, an interface, an external symbol, and names that contain syntax of drawings and
// terminals.
func files() []*record.File {
	const odd = "operator\"<<\\]\u001b[2J"
	symbol := func(kind record.Kind, name string, start, end int, signature string) record.Symbol {
		return record.Symbol{Kind: kind, Name: name[strings.LastIndexByte(name, '.')+1:], QualifiedName: name, StartLine: start, EndLine: end, Signature: signature, Exported: true}
	}
	call := func(symbol, receiver, name string, lines ...int) record.Reference {
		return record.Reference{Relation: record.Calls, Symbol: symbol, Receiver: receiver, Name: name, Lines: lines}
	}
	imports := func(module string, line int) record.Reference {
		return record.Reference{Relation: record.Imports, Module: module, Lines: []int{line}}
	}
	list := []*record.File{
		{FilePath: "go.mod", Language: "gomod", Mappings: []record.Mapping{{Module: "x", Path: "."}}},
		{FilePath: "cmd/main.go", Package: "main", Symbols: []record.Symbol{symbol(record.Function, "main", 6, 12, "func main()")}, References: []record.Reference{
			imports("x/server", 4), call("main", "fmt", "Println", 8), call("main", "(server.Server)", "Run", 9, 10), call("main", "unknown", odd, 11), imports("fmt", 3),
		}},
		{FilePath: "server/server.go", Package: "server", Symbols: []record.Symbol{
			symbol(record.Interface, "Runner", 4, 6, ""), symbol(record.Struct, "Server", 8, 9, ""), symbol(record.Method, "Server.Run", 11, 20, "func (s *Server) Run()"),
			symbol(record.Function, "all", 22, 25, ""), symbol(record.Method, "Server."+odd, 30, 31, ""), symbol(record.Method, "Runner."+odd, 30, 31, ""),
		}, Typings: []record.Typing{{Symbol: "Runner", Name: "Run", Signature: "()", Line: 5}}, References: []record.Reference{imports("fmt", 3), call("all", "(Runner)", "Run", 23)}},
		{FilePath: "server/server_test.go", Package: "server", Tags: []string{"test"}, Symbols: []record.Symbol{symbol(record.Function, "TestRun", 5, 9, "")},
			References: []record.Reference{call("TestRun", "(Server)", "Run", 6)}},
	}
	for _, f := range list {
		f.Status = record.StatusOK
		if f.Language == "" {
			f.Language = "go"
		}
	}
	return list
}

func answer(t *testing.T, req table.Request) *table.Answer {
	t.Helper()
	var sources []graph.Source
	for _, f := range files() {
		sources = append(sources, graph.Source{Facts: facts.NewEncoder().AppendFacts(nil, f)})
	}
	g, err := graph.Build(t.Context(), sources, nil, graph.Options{Jobs: 1})
	if err != nil {
		t.Fatal(err)
	}
	req.Lines = func(path string, first, last int) ([]string, error) {
		var all []string
		for range last - first + 1 {
			all = append(all, "code of "+path)
		}
		return all, nil
	}
	a, err := g.Query(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	a.Metadata.TookMS = 0.5
	return a
}

// TestBriefSaysOnceWhatIsCommon: notes that most results share are written above them, other notes on the result's
// line.
func TestBriefSaysOnceWhatIsCommon(t *testing.T) {
	target := table.Symbol{Symbol: "db.Disk.Get", Kind: record.Method, FilePath: "disk.cc", StartLine: 3}
	hit := func(name string, line int, through string, confidence float64) table.Hit {
		return table.Hit{Symbol: table.Symbol{Symbol: name, Kind: record.Method, FilePath: "use.cc", StartLine: line}, Relation: record.Calls, By: edge.ByReceiver, Confidence: confidence, Lines: []int{line}, Through: through}
	}
	for about, tt := range map[string]struct {
		hits []table.Hit
		want string
	}{
		"all": {[]table.Hit{hit("db.A.a", 1, "db.Store.Get", .85), hit("db.A.b", 2, "db.Store.Get", .85), hit("db.A.c", 3, "db.Store.Get", .85), hit("db.d", 4, "db.Store.Get", .85)},
			"… is db.\nall: through …Store.Get, receiver 0.85\nuse.cc\n  1 …A.a\n  2 …A.b\n  3 …A.c\n  4 …d\n"},
		"most": {[]table.Hit{hit("A.a", 1, "db.Store.Get", .85), hit("A.b", 2, "db.Store.Get", .85), hit("A.c", 3, "db.Store.Get", .85), hit("A.d", 4, "db.Store.Get", .85), hit("A.e", 5, "", .95)},
			"unless a line says otherwise: through db.Store.Get, receiver 0.85\nuse.cc\n  1 A.a\n  2 A.b\n  3 A.c\n  4 A.d\n  5 A.e  direct, receiver 0.95\n"},
		"few": {[]table.Hit{hit("db.A.a", 1, "db.Store.Get", .85), hit("db.A.b", 2, "db.Store.Get", .85), hit("db.A.c", 3, "db.Store.Get", .85)},
			"use.cc\n  1 db.A.a  through db.Store.Get, receiver 0.85\n  2 db.A.b  through db.Store.Get, receiver 0.85\n  3 db.A.c  through db.Store.Get, receiver 0.85\n"},
		"half": {[]table.Hit{hit("A.a", 1, "B", .95), hit("A.b", 2, "B", .95), hit("A.c", 3, "B", .95), hit("A.d", 4, "B", .95), hit("A.e", 5, "C", .95), hit("A.f", 6, "C", .95), hit("A.g", 7, "C", .95), hit("A.h", 8, "C", .95)},
			"use.cc\n  1 A.a  through B\n  2 A.b  through B\n  3 A.c  through B\n  4 A.d  through B\n  5 A.e  through C\n  6 A.f  through C\n  7 A.g  through C\n  8 A.h  through C\n"},
	} {
		a := &table.Answer{Operation: table.Callers, Target: &target, Namespace: "db.", Results: tt.hits, TotalFound: len(tt.hits)}
		var b strings.Builder
		if err := Answer(&b, a, Options{Format: Brief}); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff("callers of db.Disk.Get (method, disk.cc:3)\n"+tt.want, b.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", about, diff)
		}
	}
}

// TestForms compares the answers in all forms with testdata/NAME.FORM; UPDATE_GOLDEN=1 writes them.
func TestForms(t *testing.T) {
	for name, req := range map[string]table.Request{
		"callers":      {Operation: table.Callers, Target: "Server.Run", Context: 1},
		"callees":      {Operation: table.Callees, Target: "main"},
		"dependents":   {Operation: table.Dependents, Target: "server"},
		"dependencies": {Operation: table.Dependencies, Target: "cmd/main.go", Depth: 2},
		"impact":       {Operation: table.Impact, Target: "Runner.Run"},
		"path":         {Operation: table.Path, Target: "all", To: "Server.Run"},
		"ambiguous":    {Operation: table.Callers, Target: "Run"},
		"missing":      {Operation: table.Callers, Target: "Servr"},
		"up":           {Operation: table.Implementations, Target: "Server"},
	} {
		a := answer(t, req)
		for _, format := range Formats {
			var b strings.Builder
			if err := Answer(&b, a, Options{Format: format, View: terminal.View{Dir: "/tree/below", Root: "/tree"}}); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join("testdata", name+"."+string(format))
			if os.Getenv("UPDATE_GOLDEN") != "" {
				if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
					t.Fatal(err)
				}
				continue
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), b.String()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", file, diff)
			}
			if format != JSON && strings.ContainsRune(b.String(), '\x1b') {
				t.Errorf("%s: an escape reaches the terminal", file)
			}
		}
	}
}

func TestColorsAreTheOnlyDifference(t *testing.T) {
	a := answer(t, table.Request{Operation: table.Callers, Target: "Server.Run", Context: 1})
	var plain, colored strings.Builder
	for b, color := range map[*strings.Builder]bool{&plain: false, &colored: true} {
		if err := Answer(b, a, Options{Format: Pretty, Color: color}); err != nil {
			t.Fatal(err)
		}
	}
	bare := colored.String()
	for _, style := range []string{pathStyle, lineStyle, nameStyle, dimStyle, ""} {
		bare = strings.ReplaceAll(bare, "\x1b["+style+"m", "")
	}
	if bare = strings.ReplaceAll(bare, "\x1b[0m", ""); bare != plain.String() || colored.Len() == plain.Len() {
		t.Errorf("plain %q, coloured %q", plain.String(), colored.String())
	}
}

// TestFit keeps answers to their size, and tells what is missing.
func TestFit(t *testing.T) {
	for _, format := range []Format{JSON, Pretty} {
		for _, tokens := range []int{100, 150, 250, 10_000} {
			a := answer(t, table.Request{Operation: table.Impact, Target: "Runner", Context: 2})
			found := len(a.Results) + len(a.Tests)
			frame := *a
			frame.Results, frame.Tests = []table.Hit{}, nil
			opts := Options{Format: format}
			text, err := json.Marshal(frame)
			if err != nil {
				t.Fatal(err)
			}
			Fit(a, tokens, len(text), func(h *table.Hit) int { return len(Hit(h, opts)) + 1 })
			var b strings.Builder
			if err := Answer(&b, a, opts); err != nil {
				t.Fatal(err)
			}
			whole := len(a.Results)+len(a.Tests) == found && a.Note == ""
			if b.Len() > 4*tokens && len(a.Results) > 1 || tokens == 100 && whole || tokens == 10_000 && !whole || whole == a.Truncated {
				t.Errorf("%s in %d tokens: %d bytes, %d of %d, %q", format, tokens, b.Len(), len(a.Results)+len(a.Tests), found, a.Note)
			}
		}
	}
}

// TestChainTellsOfItsWeakestEdge: a sure edge behind a guess is shown with both confidences, and drawn with its own.
func TestChainTellsOfItsWeakestEdge(t *testing.T) {
	symbol := func(name string) table.Symbol {
		return table.Symbol{Symbol: name, Kind: record.Function, FilePath: "a.go", StartLine: 3}
	}
	target := symbol("goal")
	a := &table.Answer{Operation: table.Impact, Target: &target, TotalFound: 2, TotalReturned: 2, Results: []table.Hit{
		{Symbol: symbol("guess"), Relation: record.Calls, By: edge.ByUnique, Confidence: .6, Lines: []int{4}, Distance: 1},
		{Symbol: symbol("far"), Relation: record.Calls, By: edge.ByScope, Confidence: .6, EdgeConfidence: 1, Lines: []int{9}, Distance: 2, Via: "guess"},
		{Symbol: symbol("farther"), Relation: record.Calls, By: edge.ByUnique, Confidence: .5, EdgeConfidence: .6, Lines: []int{12}, Distance: 2, Via: "guess"},
	}}
	for format, want := range map[Format][]string{
		Pretty:   {"calls · unique 0.60\n", "calls guess · scope 1.00, chain 0.60\n", "calls guess · unique 0.60, chain 0.50\n"},
		Brief:    {"guess  unique 0.60\n", "far  calls guess, chain 0.60\n", "farther  calls guess, unique 0.60, chain 0.50\n"},
		Quickfix: {"guess (unique 0.60)\n", "far (scope 1.00, chain 0.60)\n"},
		JSON:     {`"by":"scope","confidence":0.6,"edge_confidence":1,`},
	} {
		var b strings.Builder
		if err := Answer(&b, a, Options{Format: format}); err != nil {
			t.Fatal(err)
		}
		for _, part := range want {
			if !strings.Contains(b.String(), part) {
				t.Errorf("%s: no %q in\n%s", format, part, b.String())
			}
		}
	}
}

// TestStepsAreNamedFromTheirResults: if edges lead from the target, a result is shown as called or imported by the
// symbol before it.
func TestStepsAreNamedFromTheirResults(t *testing.T) {
	function := table.Symbol{Symbol: "main", Kind: record.Function, FilePath: "cmd/main.go", StartLine: 3}
	folder := table.Symbol{Symbol: "cmd/", Kind: table.PackageKind}
	file := func(path string) table.Symbol {
		return table.Symbol{Symbol: path, Kind: table.FileKind, FilePath: path, StartLine: 1}
	}
	for _, tt := range []struct {
		target table.Symbol
		op     table.Operation
		hit    table.Hit
		want   map[Format]string
	}{
		{function, table.Callees, table.Hit{Symbol: table.Symbol{Symbol: "open", Kind: record.Function, FilePath: "lib/a.go", StartLine: 7}, Relation: record.Calls, By: edge.ByScope,
			Confidence: 1, Lines: []int{9}, LinesIn: "lib/a.go", Distance: 2, Via: "run"},
			map[Format]string{Brief: "lib/a.go:7 open  called by run, at lib/a.go:9\n", Pretty: "open  called by run · scope 1.00 · at lib/a.go:9\n"}},
		{folder, table.Dependencies, table.Hit{Symbol: file("lib/a.go"), Relation: record.Imports, By: edge.ByImport, Confidence: .95, Lines: []int{4, 5}, LinesIn: "cmd/in/b.go",
			Distance: 1, Via: "cmd/in/b.go", References: 3},
			map[Format]string{Brief: "lib/a.go:1  imported by …/in/b.go:4,5, 3 references\n", Pretty: "imported by …/in/b.go · import 0.95 · 3 references"}},
		{folder, table.Dependents, table.Hit{Symbol: file("lib/a.go"), Relation: record.Imports, By: edge.ByImport, Confidence: .95, Lines: []int{4}, Distance: 1, Via: "cmd/main.go"},
			map[Format]string{Brief: "lib/a.go:4  imports …/main.go\n", Pretty: "imports …/main.go · import 0.95\n"}},
		{function, table.Implementations, table.Hit{Symbol: table.Symbol{Symbol: "Top.run", Kind: record.Method, FilePath: "lib/a.go", StartLine: 7}, Relation: record.Extends, By: edge.ByScope,
			Confidence: 1, Distance: 2, Via: "Middle.run", Up: true},
			map[Format]string{Brief: "lib/a.go:7 Top.run  extended by Middle.run\n", Pretty: "Top.run  extended by Middle.run · scope 1.00\n"}},
	} {
		a := &table.Answer{Operation: tt.op, Target: &tt.target, TotalFound: 1, TotalReturned: 1, Results: []table.Hit{tt.hit}}
		for format, want := range tt.want {
			var b strings.Builder
			if err := Answer(&b, a, Options{Format: format}); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(b.String(), want) {
				t.Errorf("%s %s: no %q in\n%s", tt.op, format, want, b.String())
			}
		}
	}
}

// TestBriefListsEachUse: a file that imports the target is listed by the symbols that use the target, by the import
// only if there are none.
func TestBriefListsEachUse(t *testing.T) {
	target := table.Symbol{Symbol: "clean", Kind: record.Function, FilePath: "lib/clean.ts", StartLine: 3}
	hit := func(symbol, file string, relation record.Relation, via string, line, distance int) table.Hit {
		return table.Hit{Symbol: table.Symbol{Symbol: symbol, Kind: record.Function, FilePath: file, StartLine: 1}, Relation: relation, By: edge.ByImport, Confidence: .95,
			Lines: []int{line}, Distance: distance, Via: via}
	}
	a := &table.Answer{Operation: table.Impact, Target: &target, Results: []table.Hit{
		hit("one", "a.ts", record.Calls, "", 7, 1),
		hit("two", "b.ts", record.Calls, "", 8, 1),
		hit("three", "b.ts", record.Uses, "", 9, 1),
		hit("d.ts", "d.ts", record.Calls, "", 6, 1),
		hit("a.ts", "a.ts", record.Imports, "", 2, 1),
		hit("b.ts", "b.ts", record.Imports, "", 2, 1),
		hit("c.ts", "c.ts", record.Imports, "", 2, 1),
		hit("d.ts", "d.ts", record.Imports, "", 2, 1),
		hit("c.ts", "c.ts", record.Imports, "one", 3, 2),
		hit("four", "c.ts", record.Calls, "two", 5, 2),
		hit("c.ts", "c.ts", record.Calls, "two", 6, 2),
	}}
	var b strings.Builder
	if err := Answer(&b, a, Options{Format: Brief}); err != nil {
		t.Fatal(err)
	}
	want := `impact of clean (function, lib/clean.ts:3)
a.ts:7 one
b.ts
  8 two
  9 three  uses
d.ts:6
c.ts:2  imports
at distance 2
c.ts
  3  imports one
  5 four  calls two
  6  calls two
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestHeadNamesWhatElseHasTheName: other symbols of the name are listed below the head with their places, and further
// ones are counted.
func TestHeadNamesWhatElseHasTheName(t *testing.T) {
	target := table.Symbol{Symbol: "stop", Kind: record.Function, FilePath: "a.ts", StartLine: 3, Overloads: []int{1, 2, 3}}
	a := &table.Answer{Operation: table.Callers, Target: &target, Also: []table.Symbol{
		{Symbol: "Scope.stop", Kind: record.Method, FilePath: "b.ts", StartLine: 5}, {Symbol: "Effect.stop", Kind: record.Method, FilePath: "c.ts", StartLine: 7},
	}, AlsoFound: 4}
	for _, format := range []Format{Pretty, Brief} {
		var b strings.Builder
		if err := Answer(&b, a, Options{Format: format}); err != nil {
			t.Fatal(err)
		}
		if want := "callers of stop (function, a.ts:3, 3 overloads: 1, 2, 3)\nalso Scope.stop b.ts:5, Effect.stop c.ts:7 and 2 more\n"; !strings.HasPrefix(b.String(), want) {
			t.Errorf("%s: %q does not begin with %q", format, b.String(), want)
		}
	}
}

// TestDrawingsSayWhatTheyLeaveOut asks for more results than a drawing has.
func TestDrawingsSayWhatTheyLeaveOut(t *testing.T) {
	a := answer(t, table.Request{Operation: table.Callers, Target: "Server.Run", Limit: 1})
	if a.TotalFound != 3 || len(a.Results) != 1 {
		t.Fatalf("%d of %d results", len(a.Results), a.TotalFound)
	}
	for format, want := range map[Format]string{Mermaid: "flowchart LR\n  %% 1 of 3 callers\n", DOT: "\n  // 1 of 3 callers\n"} {
		var b strings.Builder
		if err := Answer(&b, a, Options{Format: format}); err != nil || !strings.Contains(b.String(), want) || !strings.Contains(b.String(), `"and 2 more"`) {
			t.Errorf("%s: %v\n%s", format, err, b.String())
		}
	}
}

// TestQuickfixListsEachLine asks for a caller with more calls than other formats list.
func TestQuickfixListsEachLine(t *testing.T) {
	lines := make([]int, 25)
	for i := range lines {
		lines[i] = i + 10
	}
	file := &record.File{FilePath: "a.go", Language: "go", Package: "a", Status: record.StatusOK, Symbols: []record.Symbol{
		{Kind: record.Function, Name: "f", QualifiedName: "f", StartLine: 1, EndLine: 2}, {Kind: record.Function, Name: "g", QualifiedName: "g", StartLine: 5, EndLine: 90}},
		References: []record.Reference{{Relation: record.Calls, Symbol: "g", Name: "f", Lines: lines}}}
	g, err := graph.Build(t.Context(), []graph.Source{{Facts: facts.NewEncoder().AppendFacts(nil, file)}}, nil, graph.Options{Jobs: 1})
	if err != nil {
		t.Fatal(err)
	}
	a, err := g.Query(t.Context(), table.Request{Operation: table.Callers, Target: "f"})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := Answer(&b, a, Options{Format: Quickfix}); err != nil || strings.Count(b.String(), "\n") != len(lines) || !strings.Contains(b.String(), "a.go:34:1: calls g") {
		t.Errorf("%v\n%s", err, b.String())
	}
}
