package main

import (
	"context"
	"runtime"

	"cortex/lib/cli"
	"cortex/lib/config"
	"cortex/lib/database"
	"cortex/lib/database/read"
	"cortex/lib/embed"
	"cortex/lib/mcp"
	"cortex/lib/search"
	"cortex/lib/settings"
)

// sessions is the number of questions that one database answers at the same time. The pool has one more connection,
// which listens for changes.
const sessions = 8

// serveDatabase serves trees of a database.
func serveDatabase(ctx context.Context, env *cli.Env, web *webFlags, loader *config.Loader, url string, trees []string) error {
	config.WarnMistyped(env.Environ, env.Warn)
	set := settings.Settings{Loader: loader, Environ: env.Environ, Warn: env.Warn}
	const root = "." // trees of a database have no root here
	searching, err := set.Search(root)
	if err != nil {
		return err
	}
	db, err := database.Open(ctx, url, database.Options{Conns: sessions + 1})
	if err != nil {
		return err
	}
	defer db.Close()
	reader, err := read.New(db, read.Options{Trees: trees, Settings: searching, Jobs: runtime.GOMAXPROCS(0), Embedder: embedderOf(env, &set, root)})
	if err != nil {
		return err
	}
	defer reader.Close()
	opts := mcp.Options{
		Repositories: []mcp.Repository{{Root: func() string { return root }, Database: reader}},
		Embedding:    set.Embedding, Settings: set.Search, Version: cli.Version, Report: env.Report, Warn: env.Warn,
	}
	return serve(ctx, env, web, opts)
}

// embedderOf returns a function that opens the embedder for questions. If the model cannot be opened, the function
// warns and returns nil, and questions are answered by words alone.
func embedderOf(env *cli.Env, set *settings.Settings, root string) func(context.Context, string) (embed.Embedder, error) {
	return func(ctx context.Context, model string) (embed.Embedder, error) {
		if err := set.Accept(root, model); err != nil {
			return nil, err
		}
		cfg, err := set.Embedding(root)
		if err != nil {
			return nil, err
		}
		e, err := embed.OpenModel(ctx, model, cfg)
		if err != nil {
			env.Warn("%s", search.ByWordsOnly(err))
			return nil, nil
		}
		return e, nil
	}
}
