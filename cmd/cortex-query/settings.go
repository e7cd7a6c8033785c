package main

import (
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
