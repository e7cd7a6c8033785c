package main

import (
	"context"

	"cortex/lib/cli"
	"cortex/lib/config"
	"cortex/lib/search"
	"cortex/lib/store"
)

// build returns what brings up to date what is derived from the store in dir.
func build(env *cli.Env, dir string) func(ctx context.Context, g *store.Generation, progress func(done, total int, item string)) error {
	return func(ctx context.Context, g *store.Generation, progress func(done, total int, item string)) error {
		loader := config.Loader{}
		cfg, err := loader.Load(config.TreeOf(dir), env.Environ, nil)
		if err != nil {
			return err
		}
		return search.Build(ctx, dir, g, search.Settings{Stemmer: cfg.Search.Stemmer}, search.Making{
			Jobs: env.Jobs, Progress: func(done, total int) { progress(done, total, "") },
			Aside: func(why error) { env.Warn("the index is left to who searches: %v", why) },
		})
	}
}
