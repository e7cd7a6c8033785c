package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/pflag"

	"cortex/lib/ask"
	"cortex/lib/cli"
	"cortex/lib/config"
	"cortex/lib/graph/table"
	"cortex/lib/hint"
	"cortex/lib/request"
)

const graphExamples = `
# callers callees implementations dependencies dependents type_usages references impact path
cortex-query graph callers Server.Handle                # by name, PATH:LINE, or a file or folder for all in it
cortex-query graph impact --depth 4 lib/store/run.go:120
cortex-query graph dependents lib/store                 # files that need the folder
cortex-query graph path main Store.Get
cortex-query graph callees --format dot main | dot -Tsvg > main.svg
vim -q <(cortex-query graph references --format quickfix Store)
`

// graphFlags holds the flags of cortex-query graph.
type graphFlags struct {
	face
	request.Graph
}

func graphCommand() cli.Command {
	f := &graphFlags{}
	var operations []string
	for _, info := range table.Operations {
		operations = append(operations, string(info.Operation))
	}
	return cli.Command{Name: "graph", Args: "OPERATION TARGET [TO]", Summary: "find callers, implementations, dependencies and the like; without arguments, list the operations",
		Words: operations, Examples: graphExamples, Flags: f.define, Run: f.run}
}

func (f *graphFlags) define(fs *pflag.FlagSet) {
	f.locations(fs)
	request.Flags(fs, f.Graph.Options())
	f.loader = config.Flags(fs)
}

func (f *graphFlags) run(ctx context.Context, env *cli.Env) error {
	if len(env.Args) == 0 {
		return listOperations(env.Stdout)
	}
	opts := ask.GraphOptions{Graph: f.Graph}
	var err error
	if opts.Asker, _, err = f.asker(env); err != nil {
		return err
	}
	if err := opts.Check(); err != nil {
		return hint.Wrap(cli.Usagef("%v", err), hint.Of(err))
	}
	found, err := ask.RunGraph(ctx, env.Stdout, &opts)
	return f.outcome(env, &opts.Asker, found, err)
}

func listOperations(w io.Writer) error {
	var b strings.Builder
	b.WriteString("operations of cortex-query graph OPERATION TARGET:\n\n")
	for _, info := range table.Operations {
		fmt.Fprintf(&b, "  %-16s %s\n", info.Operation, info.Summary)
	}
	b.WriteString("\nA target is a name (Server.Handle, Handle), a place (lib/server.go:42), a file or a folder. --help shows the flags.\n")
	_, err := io.WriteString(w, b.String())
	return err
}
