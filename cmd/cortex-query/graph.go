package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/pflag"

	"cortex/lib/cli"
	"cortex/lib/config"
	"cortex/lib/graph"
	"cortex/lib/graph/render"
	"cortex/lib/hint"
	"cortex/lib/search"
	"cortex/lib/search/ask"
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

// graphFlags are those of cortex-query graph.
type graphFlags struct {
	ask.GraphOptions
	place  config.Place
	loader *config.Loader
	tests  bool
}

func graphCommand() cli.Command {
	f := &graphFlags{}
	var operations []string
	for _, info := range graph.Operations {
		operations = append(operations, string(info.Operation))
	}
	return cli.Command{Name: "graph", Args: "OPERATION TARGET [TO]", Summary: "find callers, implementations, dependencies and the like; without arguments, list the operations",
		Words: operations, Examples: graphExamples, Flags: f.define, Run: f.run}
}

func (f *graphFlags) define(fs *pflag.FlagSet) {
	f.place.Flags(fs)
	fs.IntVarP(&f.Request.Depth, "depth", "d", 0, fmt.Sprintf("follow chains of `N` edges, at most %d (default %d; of impact %d)", graph.MaxDepth, graph.DefaultDepth, graph.DefaultImpactDepth))
	fs.IntVarP(&f.Request.Limit, "limit", "n", 0, fmt.Sprintf("show at most `N` results (default %d, of drawings %d)", graph.DefaultLimit, render.MaxDrawn))
	fs.IntVarP(&f.Request.Context, "context", "C", 0, fmt.Sprintf("`LINES` of code before and after each place, at most %d", graph.MaxContext))
	fs.StringVarP(&f.Path, "path", "p", "", "only results in files that match `GLOB` from the root of the tree, or in that folder; . is the current one")
	fs.BoolVar(&f.tests, "include-tests", true, "show results in test code as well")
	fs.Float64Var(&f.Request.MinConfidence, "min-confidence", graph.DefaultMinConfidence, "leave out edges less sure than `SHARE`, from 0 to 1")
	fs.IntVar(&f.MaxTokens, "max-tokens", 0, "size of the answer in `TOKENS`: the first results whole, then shortened; 0 for no bound")
	fs.BoolVar(&f.JSON, "json", false, "same as --format json: the answer as one object")
	fs.StringVar(&f.Format, "format", "", "write in this `FORM`: pretty, text, json, quickfix, dot or mermaid (default: pretty, json in a pipe)")
	fs.StringVar(&f.Color, "color", ask.ColorAuto, "`WHEN` to colour: auto, always or never")
	f.loader = config.Flags(fs)
}

func (f *graphFlags) run(ctx context.Context, env *cli.Env) error {
	if len(env.Args) == 0 {
		return listOperations(env.Stdout)
	}
	opts := f.GraphOptions
	opts.Root, opts.Store = f.place.Find(env.Getenv)
	opts.Request.NoTests = !f.tests
	opts.Words, opts.Terminal, opts.Getenv, opts.Warn = env.Args, cli.IsTerminal(env.Stdout), env.Getenv, env.Warn
	opts.Settings = func() (search.Settings, error) {
		cfg, err := f.loader.Load(opts.Root, env.Environ, nil)
		return settings(cfg), err
	}
	opts.Making = making(env)
	if err := opts.Check(); err != nil {
		if hint.Of(err) != "" {
			return err
		}
		return cli.Usagef("%v", err)
	}
	found, err := ask.RunGraph(ctx, env.Stdout, &opts)
	if err == nil && found == 0 {
		return cli.ErrNothingFound
	}
	return err
}

func listOperations(w io.Writer) error {
	var b strings.Builder
	b.WriteString("operations of cortex-query graph OPERATION TARGET:\n\n")
	for _, info := range graph.Operations {
		fmt.Fprintf(&b, "  %-16s %s\n", info.Operation, info.Summary)
	}
	b.WriteString("\nA target is a name (Server.Handle, Handle), a place (lib/server.go:42), a file or a folder. --help shows the flags.\n")
	_, err := io.WriteString(w, b.String())
	return err
}
