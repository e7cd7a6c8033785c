package graph

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cortex/lib/graph/table"
	"cortex/lib/record"
)

// manyImplementations makes a package of n interfaces and n types that have the methods of all, one in each file.
func manyImplementations(t testing.TB, n int) []*record.File {
	texts := map[string]string{}
	for i := range n {
		texts[fmt.Sprintf("i%03d.go", i)] = fmt.Sprintf("package a\n\ntype I%03d interface{ M() }\n", i)
		texts[fmt.Sprintf("t%03d.go", i)] = fmt.Sprintf("package a\n\ntype T%03d struct{}\n\nfunc (T%03d) M() {}\n", i, i)
	}
	return parsed(t, texts)
}

// The number of implied edges is bounded in proportion to the declarations, and each node has an omission for those
// left out.
func TestImplementationsAreBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("resolves many facts")
	}
	const n = 200
	files := manyImplementations(t, n)
	b := NewBuilder()
	for _, f := range files {
		b.Add("", f)
	}
	lines := write(t, b, 1)
	edges := strings.Count(lines, `{"edge":"implements"`)
	const declared = 2*n + 2*n // types, and methods of both
	if most := 10_000 + 4*declared; edges > most || edges < most/2 {
		t.Errorf("%d edges, want about %d", edges, most)
	}
	if want := n*n - edges; b.graph(t, 1).Omitted() != want {
		t.Errorf("%d are left out, want %d", b.graph(t, 1).Omitted(), want)
	}
	incoming := regexp.MustCompile(`\{"omission":"i\d+\.go#I\d+","relation":"implements","incoming":true,"held":(\d+),"found":200\}\n`).FindAllStringSubmatch(lines, -1)
	if len(incoming) != n || incoming[0][1] != fmt.Sprint(edges/n) {
		t.Errorf("%d interfaces tell of what is left out, the first holds %v of %d edges", len(incoming), incoming[:min(len(incoming), 1)], edges)
	}
	if outgoing := strings.Count(lines, `,"relation":"implements","found":200}`); outgoing != n-edges/n {
		t.Errorf("%d types tell that nothing is held of them, want %d", outgoing, n-edges/n)
	}
	for _, jobs := range []int{2, 5} {
		again := NewBuilder()
		for _, f := range slices.Backward(files) {
			again.Add("", f)
		}
		if other := write(t, again, jobs); other != lines || again.graph(t, jobs).Omitted() != b.graph(t, 1).Omitted() {
			t.Errorf("%d workers: %s", jobs, cmp.Diff(lines, other))
		}
	}
	g := b.graph(t, 2)
	mapped, err := table.FromBinary(tablesOf(t, g))
	if err != nil {
		t.Fatal(err)
	}
	held := edges / n
	for _, g := range []*table.Graph{g, mapped} {
		for _, test := range []struct {
			op           table.Operation
			target, want string
		}{
			{table.Implementations, "I007", fmt.Sprintf("not all implementations of I007 are held: %d of 200", held)},
			{table.Implementations, "I007.M", fmt.Sprintf("not all implementations of I007 are held: %d of 200", held)},
			{table.Dependents, "I007", fmt.Sprintf("not all implementations of I007 are held: %d of 200", held)},
			{table.Implementations, "T199", "not all types that T199 implements are held: 0 of 200"},
			{table.Callers, "T199.M", "not all types that T199 implements are held: 0 of 200"},
			{table.Impact, "i007.go", fmt.Sprintf("not all implementations of I007 are held: %d of 200", held)},
			{table.Implementations, ".", "not all implementations of I000 are held: " + fmt.Sprint(held) + " of 200 (and of "},
			{table.Callees, "T199.M", ""},
			{table.Implementations, "T000", ""},
		} {
			a, err := g.Query(context.Background(), table.Request{Operation: test.op, Target: test.target, MinConfidence: 0.5})
			if err != nil || a.Target == nil {
				t.Fatalf("%s %s: %v", test.op, test.target, err)
			}
			if !strings.Contains(a.Note, test.want) || test.want == "" && strings.Contains(a.Note, "not all") || (test.want != "") != a.Truncated && a.TotalFound == a.TotalReturned {
				t.Errorf("%s %s: note %q, want %q", test.op, test.target, a.Note, test.want)
			}
		}
	}
}

// A file that is resolved again in a partial run keeps its omissions, and their sum stays the same.
func TestPartsKeepWhatTheyLeaveOut(t *testing.T) {
	if testing.Short() {
		t.Skip("resolves many facts")
	}
	files := manyImplementations(t, 130)
	b := NewBuilder()
	for _, f := range files {
		b.Add("", f)
	}
	before := b.graph(t, 1)
	if before.Omitted() == 0 {
		t.Fatal("nothing is left out")
	}
	for i, f := range files {
		if i%37 != 0 {
			continue
		}
		now := *f
		now.Symbols = slices.Clone(f.Symbols)
		now.Symbols = append(now.Symbols, record.Symbol{Kind: record.Function, Name: "help", QualifiedName: "help", StartLine: 9, EndLine: 9})
		if got := checkRebuilt(t, before, b.sources, "", &now); got != partly {
			t.Errorf("%s: resolved %d", now.FilePath, got)
		}
	}
}

// The number of promoted methods is bounded in proportion to the declarations.
func TestPromotionIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("resolves many facts")
	}
	var b strings.Builder
	b.WriteString("package a\n\ntype B struct{}\n\ntype I interface{ m0(); z() }\n\nfunc (B) z() {}\n")
	const methods, types = 300, 600
	for i := range methods {
		fmt.Fprintf(&b, "func (B) m%d() {}\n", i)
	}
	for i := range types {
		fmt.Fprintf(&b, "type t%d struct{ B }\n", i)
	}
	lines := build(t, parsed(t, map[string]string{"a.go": b.String()})...)
	edges := strings.Count(lines, `{"edge":"implements"`)
	unknown := len(regexp.MustCompile(`\{"omission":"a.go#t\d+","relation":"implements"\}`).FindAllString(lines, -1))
	promoting := (10_000 + 16*(types+2+methods+3)) / (methods + 2)
	if edges+unknown != types+1 || edges < promoting-1 || edges > promoting+1 {
		t.Errorf("%d edges, %d types whose methods are not known; %d types may have them promoted", edges, unknown, promoting)
	}
}

// Each of many interfaces that embed each other is visited once.
func TestEmbeddingThatBranches(t *testing.T) {
	var b strings.Builder
	b.WriteString("package a\n")
	const depth = 60
	for i := range depth {
		fmt.Fprintf(&b, "type a%[1]d interface { a%[2]d; b%[2]d }\ntype b%[1]d interface { a%[2]d; b%[2]d }\n", i, i+1)
	}
	fmt.Fprintf(&b, "type a%[1]d interface { F() }\ntype b%[1]d interface { x.G }\ntype T struct{}\nfunc (T) F() {}\n", depth)
	lines := build(t, parsed(t, map[string]string{"a.go": b.String()})...)
	if n := strings.Count(lines, `{"edge":"implements"`); n != 1 {
		t.Errorf("%d edges, want that to the interface that embeds nothing unknown", n)
	}
}

// A member that an extension adds is not looked for among more namesakes than a guess may have: each of many calls would
// read all of them.
func TestNamesakesOfExtensionsAreBounded(t *testing.T) {
	for namesakes, want := range map[int]bool{100: true, 300: false} {
		var b strings.Builder
		b.WriteString("class A: UIView {}\nextension UIView { func fly() {} }\nfunc use(a: A) { a.fly() }\n")
		for i := range namesakes {
			fmt.Fprintf(&b, "class C%d { func fly() {} }\n", i)
		}
		lines := build(t, parsed(t, map[string]string{"a.swift": b.String()})...)
		if got := strings.Contains(lines, `"to":["a.swift#UIView.fly"]`); got != want {
			t.Errorf("%d namesakes: %v, want %v", namesakes, got, want)
		}
	}
}
