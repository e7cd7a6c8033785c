// Command graph-lines writes the graph of file records as JSON lines, for inspection: each file with its mappings,
// typings and edges, followed by its symbols with theirs. See graph.Statements.
//
//	cortex-parse . | go run ./scripts/graph-lines > graph.jsonl
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"

	"cortex/lib/graph"
	"cortex/lib/graph/facts"
	"cortex/lib/record"
	"cortex/lib/record/jsonl"
)

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "graph-lines:", err)
		os.Exit(2)
	}
}

func run(in io.Reader, out io.Writer) error {
	var sources []graph.Source
	encoder, tree := facts.NewEncoder(), ""
	for r := jsonl.NewReader(in, "stdin"); ; {
		rec, err := r.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		switch rec := rec.(type) {
		case *record.Begin:
			tree = rec.Tree
		case *record.File:
			sources = append(sources, graph.Source{Tree: tree, Facts: encoder.AppendFacts(nil, rec)})
		}
	}
	w := bufio.NewWriter(out)
	lines := json.NewEncoder(w)
	lines.SetEscapeHTML(false)
	var failed error
	err := graph.Statements(context.Background(), sources, graph.Options{Jobs: runtime.NumCPU()}, func(l graph.Statement) {
		if err := lines.Encode(l); failed == nil {
			failed = err
		}
	})
	if err != nil {
		return err
	}
	if failed != nil {
		return failed
	}
	return w.Flush()
}
