package main

import (
	"context"
	"fmt"
	"os"

	"cortex/lib/cli"
	"cortex/lib/config"
	"cortex/lib/keep"
	"cortex/lib/mcp"
	"cortex/lib/settings"
)

const examples = `cortex-serve --http 127.0.0.1:8137       # one server for many assistants: cortex-serve setup cursor --http
cortex-serve --roots ~/src               # all repositories there; the tools' argument repository selects one`

// serveStores serves the stores of all locations.
func serveStores(ctx context.Context, env *cli.Env, web *webFlags, loader *config.Loader, locations *config.Locations, noShare, noWatch bool) error {
	config.WarnMistyped(env.Environ, env.Warn)
	all, err := locations.All()
	if err != nil {
		return err
	}
	dir, err := os.Getwd()
	if err != nil {
		return fmt.Errorf("find the working folder: %w", err)
	}
	for i := range all {
		all[i].Settle(dir)
		root, store := all[i].Find(env.Getenv)
		if !all[i].Rooted() || keep.Exists(store) { // an index answers without its tree
			continue
		}
		if err := keep.CheckRoot(root); err != nil {
			return err
		}
	}
	opts := options(all, loader, env)
	opts.Share = meet(env, all, loader, noShare, noWatch)
	if !noWatch {
		keepFresh(env, all, loader, &opts)
	}
	return serve(ctx, env, web, opts)
}

// serve serves over HTTP if --http is given, otherwise on standard input and output.
func serve(ctx context.Context, env *cli.Env, web *webFlags, opts mcp.Options) error {
	if web.Address != "" {
		return mcp.ServeHTTP(ctx, web.Web, opts)
	}
	if env.Stdout == os.Stdout {
		os.Stdout = os.Stderr // stray prints must not break the protocol
	}
	if cli.IsTerminal(env.Stdin) {
		env.Warn("waiting for MCP messages on standard input (--help shows how a client starts this)")
	}
	return mcp.Serve(ctx, env.Stdin, env.Stdout, opts)
}

// options returns the server's options for the stores of locations.
func options(locations []config.NamedLocation, loader *config.Loader, env *cli.Env) mcp.Options {
	var repositories []mcp.Repository
	for _, location := range locations {
		repositories = append(repositories, mcp.Repository{
			Name: location.Name,
			Root: func() string { root, _ := location.Find(env.Getenv); return root }, Store: location.Named(env.Getenv),
		})
	}
	set := settings.Settings{Loader: loader, Environ: env.Environ, Warn: env.Warn}
	return mcp.Options{
		Repositories: repositories,
		Embedding:    set.Embedding, Settings: set.Search, Accept: set.Accept, Sources: set.Sources,
		Version: cli.Version, Report: env.Report, Warn: env.Warn,
	}
}
