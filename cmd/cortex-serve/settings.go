package main

import (
	"cortex/lib/config"
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

// sources says how the files of a root are listed.
func sources(loader *config.Loader, environ []string) status.Lister {
	return func(root string) (source.Options, error) {
		cfg, err := loader.Load(root, environ, nil)
		return source.Options{Code: cfg.Paths.Code, Docs: cfg.Paths.Docs, Ignore: cfg.Paths.Ignore, Secrets: cfg.Paths.Secrets}, err
	}
}
