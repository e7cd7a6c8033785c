package main

import (
	"context"
	"os"

	"cortex/lib/cli"
	"cortex/lib/config"
	"cortex/lib/embed"
	"cortex/lib/mcp"
	"cortex/lib/search"
	"cortex/lib/source"
	"cortex/lib/status"
)

const examples = `cortex-serve setup cursor                # write it into the configuration of an assistant, which then starts it
cortex-serve --http 127.0.0.1:8137       # one server for many assistants: cortex-serve setup cursor --http
cortex-serve --roots ~/src               # all repositories there; the argument repository narrows
cortex-serve doctor                      # what is wrong, and the cure`

// serve serves on HTTP if that is wanted, or else on standard input and output.
func serve(ctx context.Context, env *cli.Env, web *webFlags, opts mcp.Options) error {
	if web.Address != "" {
		return mcp.ServeHTTP(ctx, web.Web, opts)
	}
	if env.Stdout == os.Stdout {
		os.Stdout = os.Stderr // whoever prints must not break the protocol
	}
	if cli.IsTerminal(env.Stdin) {
		env.Warn("waiting for MCP messages on standard input (--help shows how a client starts this)")
	}
	return mcp.Serve(ctx, env.Stdin, env.Stdout, opts)
}

// options say what is served.
func options(places []config.NamedPlace, loader *config.Loader, env *cli.Env) mcp.Options {
	var repositories []mcp.Repository
	for _, place := range places {
		repositories = append(repositories, mcp.Repository{
			Name: place.Name,
			Root: func() string { root, _ := place.Find(env.Getenv); return root }, Store: place.Named(env.Getenv),
		})
	}
	return mcp.Options{
		Repositories: repositories,
		Embedding: func(root string) (embed.Config, error) {
			cfg, err := loader.Load(root, env.Environ, env.Warn)
			return embed.Config(cfg.Embedding), err
		},
		Settings: func(root string) (search.Settings, error) {
			cfg, err := loader.Load(root, env.Environ, nil)
			return settings(cfg), err
		},
		Accept: accept(loader, env.Environ), Sources: sources(loader, env.Environ),
		Version: cli.Version, Report: env.Report, Warn: env.Warn,
	}
}

// settings are what the index takes of the configuration.
func settings(cfg config.Config) search.Settings {
	s := cfg.Search
	return search.Settings{Stemmer: s.Stemmer, FuzzyDistance: &s.FuzzyDistance, MinScore: s.MinScore, Merging: &search.Merging{
		Threshold: s.MergeThreshold, Bonus: s.MergeBonus, MaxDepth: s.MaxMergeDepth, LocalBoost: s.LocalBoost,
	}}
}

// accept refuses flags that have no effect on a store of the model.
func accept(loader *config.Loader, environ []string) func(root, model string) error {
	return func(root, model string) error {
		cfg, err := loader.Load(root, environ, nil)
		if err != nil {
			return err
		}
		return embed.CheckGiven(model, embed.Config(cfg.Embedding), embed.Config(loader.Given().Embedding))
	}
}

// sources says how the files of a root are listed.
func sources(loader *config.Loader, environ []string) status.Lister {
	return func(root string) (source.Options, error) {
		cfg, err := loader.Load(root, environ, nil)
		return source.Options{Code: cfg.Paths.Code, Docs: cfg.Paths.Docs, Ignore: cfg.Paths.Ignore, Secrets: cfg.Paths.Secrets}, err
	}
}
