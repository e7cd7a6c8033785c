package main

import (
	"cortex/lib/cli"
	"cortex/lib/config"
	"cortex/lib/embed"
	"cortex/lib/search"
	"cortex/lib/source"
	"cortex/lib/status"
)

// settings are what the index takes of the configuration.
func settings(cfg config.Config) search.Settings {
	s := cfg.Search
	return search.Settings{Stemmer: s.Stemmer, FuzzyDistance: &s.FuzzyDistance, MinScore: s.MinScore, Merging: &search.Merging{
		Threshold: s.MergeThreshold, Bonus: s.MergeBonus, MaxDepth: s.MaxMergeDepth, LocalBoost: s.LocalBoost,
	}}
}

// accept refuses flags that have no effect on a store of the model.
func accept(loader *config.Loader, root string, environ []string) func(model string) error {
	return func(model string) error {
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

// making shows how far the index has come that is made first, and warns where others will have to make it again.
func making(env *cli.Env) search.Making {
	progress := env.StartProgress("indexing")
	return search.Making{
		Jobs: env.Jobs,
		Progress: func(done, total int) {
			if progress.Update(done, total, ""); done == total {
				progress.Stop()
			}
		},
		Aside: func(why error) { env.Warn("the index is made for this query alone: %v", why) },
	}
}
