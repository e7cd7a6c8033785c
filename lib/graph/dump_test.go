package graph

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cortex/lib/graph/facts"
	"cortex/lib/graph/language"
	"cortex/lib/graph/table"
	"cortex/lib/record"
)

// A Builder gathers files for tests.
type Builder struct {
	rules   []language.Rules
	sources []Source
}

func NewBuilder() *Builder { return &Builder{} }

// Add replaces the facts of a file.
func (b *Builder) Add(tree string, r *record.File) {
	facts := facts.NewEncoder().AppendFacts(nil, r)
	for i := range b.sources {
		if h, _ := b.sources[i].Facts.Header(); b.sources[i].Tree == tree && h.Path == r.FilePath {
			b.sources[i].Facts = facts
			return
		}
	}
	if len(facts) > 0 {
		b.sources = append(b.sources, Source{Tree: tree, Facts: facts})
	}
}

func (b *Builder) lines(t testing.TB, jobs int) (lines []Statement) {
	t.Helper()
	if err := Statements(context.Background(), b.sources, Options{Jobs: jobs, rules: b.rules}, func(l Statement) { lines = append(lines, l) }); err != nil {
		t.Fatal(err)
	}
	return lines
}

func (b *Builder) graph(t testing.TB, jobs int) *table.Graph {
	t.Helper()
	g, err := Build(context.Background(), b.sources, nil, Options{Jobs: jobs, rules: b.rules})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// dump writes lines as JSON.
func dump(t testing.TB, lines []Statement) string {
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

// write resolves the files, checks that the tables match the statements, and writes the statements.
func write(t testing.TB, b *Builder, jobs int) string {
	t.Helper()
	lines := b.lines(t, jobs)
	said, err := FromLines(lines)
	if err != nil {
		t.Fatal(err)
	}
	if g := b.graph(t, jobs); !bytes.Equal(tablesOf(t, g), tablesOf(t, said)) {
		t.Errorf("the tables are not those of the lines: %s", cmp.Diff(said.Describe(), g.Describe()))
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

func load(t testing.TB, lines []byte) *table.Graph {
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

// tablesOf returns the written tables of a graph.
func tablesOf(t testing.TB, g *table.Graph) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := g.WriteBinary(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
