package graph

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cortex/lib/record"
)

// A Builder gathers files for tests.
type Builder struct {
	rules   []Rules
	sources []Source
}

func NewBuilder() *Builder { return &Builder{} }

// Add replaces the facts of a file.
func (b *Builder) Add(tree string, r *record.File) {
	facts := NewEncoder().AppendFacts(nil, r)
	for i := range b.sources {
		if h, _ := b.sources[i].Facts.header(); b.sources[i].Tree == tree && h.path == r.FilePath {
			b.sources[i].Facts = facts
			return
		}
	}
	if len(facts) > 0 {
		b.sources = append(b.sources, Source{Tree: tree, Facts: facts})
	}
}

func (b *Builder) lines(t testing.TB, jobs int) (lines []Line) {
	t.Helper()
	if err := Lines(context.Background(), b.sources, Options{Jobs: jobs, rules: b.rules}, func(l Line) { lines = append(lines, l) }); err != nil {
		t.Fatal(err)
	}
	return lines
}

func (b *Builder) graph(t testing.TB, jobs int) *Graph {
	t.Helper()
	g, err := Build(context.Background(), b.sources, nil, Options{Jobs: jobs, rules: b.rules})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// dump writes lines as JSON.
func dump(t testing.TB, lines []Line) string {
	t.Helper()
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	for _, l := range lines {
		if err := e.Encode(l); err != nil {
			t.Fatal(err)
		}
	}
	return out.String()
}

// write resolves, makes sure that the tables are those of the lines, and writes these.
func write(t testing.TB, b *Builder, jobs int) string {
	t.Helper()
	lines := b.lines(t, jobs)
	said, err := FromLines(lines)
	if err != nil {
		t.Fatal(err)
	}
	if g := b.graph(t, jobs); !bytes.Equal(tablesOf(t, g), tablesOf(t, said)) {
		t.Errorf("the tables are not those of the lines: %s", cmp.Diff(describe(said), describe(g)))
	}
	return dump(t, lines)
}

func build(t testing.TB, files ...*record.File) string {
	t.Helper()
	b := NewBuilder()
	for _, f := range files {
		b.Add("", f)
	}
	return write(t, b, 1)
}

// describe writes what a graph says, one node or edge a line.
func describe(g *Graph) []string {
	all := []string{fmt.Sprint(g.in, g.inRow, g.members, g.memberRow, g.origins, g.omissions)}
	for i := range g.files {
		f := &g.files[i]
		all = append(all, fmt.Sprintf("%q %q %q %q %d-%d %d", g.strings.get(f.path), g.strings.get(f.tree), g.strings.get(f.language), g.strings.get(f.pkg), f.first, f.end, f.site))
	}
	for _, s := range g.lookedUp() {
		all = append(all, fmt.Sprintf("%q names %d", g.strings.get(s), g.named[g.nameRow[s]:g.nameRow[s+1]]))
		if g.strings.find(g.strings.get(s)) != s {
			all = append(all, "and is not found")
		}
	}
	for n := range g.nodes {
		row := &g.nodes[n]
		all = append(all, fmt.Sprintf("%s %q %q %s %q %d-%d %d %d", g.path(uint32(n)), g.strings.get(row.qualified), g.strings.get(row.name), g.kind(uint32(n)), g.strings.get(row.signature), row.start, row.end, row.owner, row.flags))
		for _, l := range g.out[g.outRow[n]:g.outRow[n+1]] {
			s := &g.sites[l.site]
			all = append(all, strings.Join([]string{"\t", string(record.Relations[s.relation]), string(Ways[s.by]), g.place(l.node), g.title(l.node), fmt.Sprint(g.linesOf(l.site))}, " "))
		}
		for i := range g.omissions {
			if g.omissions[i].node == uint32(n) {
				text, _ := json.Marshal(g.omissions[i].omission())
				all = append(all, "\tomission "+string(text))
			}
		}
	}
	return all
}

func load(t testing.TB, lines []byte) *Graph {
	t.Helper()
	list, err := ReadLines(bytes.NewReader(lines))
	if err != nil {
		t.Fatal(err)
	}
	g, err := FromLines(list)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// treeOf is the tree of files of one family.
func treeOf(t testing.TB, files ...*record.File) *Tree {
	t.Helper()
	tree := &Tree{byPath: map[string]*File{}, names: newNames()}
	for _, r := range files {
		f, err := Facts(NewEncoder().AppendFacts(nil, r)).file(tree.names, true)
		if err != nil {
			t.Fatal(err)
		}
		tree.files = append(tree.files, f)
		tree.byPath[f.Path] = f
	}
	slices.SortFunc(tree.files, func(a, b *File) int { return strings.Compare(a.Path, b.Path) })
	for i, f := range tree.files {
		f.number = int32(i)
	}
	return tree
}

// tablesOf are the tables of a graph as they are written.
func tablesOf(t testing.TB, g *Graph) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := g.WriteBinary(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
