package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"

	"cortex/lib/graph"
	ways "cortex/lib/graph/edge"
	"cortex/lib/graph/facts"
	"cortex/lib/graph/table"
	"cortex/lib/record"
	"cortex/lib/record/jsonl"
)

// An edge is an edge of our graph.
type edge struct {
	pair
	lines []int
	by    ways.By
	// in are the files of the targets.
	in []string
}

// lines is a range of lines, first and last included.
type lines struct{ first, last int }

// A tree is our view of a source tree.
type tree struct {
	edges []edge
	// files are the C files, ordered by path.
	files []string
	// spans are the lines of all declarations, by file and name.
	spans map[string]map[string][]lines
	texts map[string][]string
}

// read parses the folder and builds its graph.
func read(ctx context.Context, bin, dir string) (*tree, error) {
	command, err := filepath.Abs(filepath.Join(bin, "cortex-parse"))
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, command, "--quiet", "--root", dir, dir)
	cmd.Stderr = os.Stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	t := &tree{spans: map[string]map[string][]lines{}, texts: map[string][]string{}}
	var sources []graph.Source
	encoder := facts.NewEncoder()
	r := jsonl.NewReader(stdout, command)
	for {
		rec, err := r.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, errors.Join(err, cmd.Wait())
		}
		f, ok := rec.(*record.File)
		if !ok {
			continue
		}
		if f.Language == "c" && f.Status.Indexed() {
			t.files = append(t.files, f.FilePath)
			t.texts[f.FilePath] = linesOf(f.Text)
		}
		spans := map[string][]lines{}
		for _, s := range f.Symbols {
			spans[s.Name] = append(spans[s.Name], lines{s.StartLine, s.EndLine})
		}
		t.spans[f.FilePath] = spans
		sources = append(sources, graph.Source{Facts: encoder.AppendFacts(nil, f)})
	}
	if err := cmd.Wait(); err != nil {
		return nil, fmt.Errorf("run cortex-parse: %w", err)
	}
	return t, t.readGraph(ctx, sources)
}

// readGraph takes the calls from the graph.
func (t *tree) readGraph(ctx context.Context, sources []graph.Source) error {
	callable := map[string]bool{}
	type target struct {
		edge int
		to   []string
	}
	var targets []target
	file, isC := "", false
	err := graph.Statements(ctx, sources, graph.Options{Jobs: runtime.NumCPU()}, func(line graph.Statement) {
		switch {
		case line.Node != nil && line.Node.Kind == table.FileKind:
			file, isC = line.Node.ID, line.Node.Language == "c"
		case line.Node != nil:
			callable[line.Node.ID] = line.Node.Kind.IsCallable()
		case line.Edge != nil && isC && line.Edge.Relation == record.Calls && len(line.Edge.To) > 0:
			_, caller := graph.SplitID(line.Edge.From, file)
			if caller == "" {
				return // an initialiser outside of functions
			}
			targets = append(targets, target{len(t.edges), line.Edge.To})
			t.edges = append(t.edges, edge{pair: pair{file, caller, line.Edge.Name}, lines: line.Edge.Lines, by: line.Edge.By})
		}
	})
	if err != nil {
		return err
	}
	kept := t.edges[:0]
	for _, target := range targets {
		e := t.edges[target.edge]
		for _, id := range target.to {
			if path, _ := graph.SplitID(id, ""); callable[id] {
				e.in = append(e.in, path)
			}
		}
		if len(e.in) > 0 {
			kept = append(kept, e)
		}
	}
	t.edges = kept
	return nil
}

// within reports whether the line belongs to a declaration of the name.
func (t *tree) within(file, name string, line int) bool {
	return slices.ContainsFunc(t.spans[file][name], func(l lines) bool { return l.first <= line && line <= l.last })
}

func linesOf(text string) []string {
	var all []string
	for line := range bytes.Lines([]byte(text)) {
		all = append(all, string(bytes.TrimRight(line, "\r\n")))
	}
	return all
}
