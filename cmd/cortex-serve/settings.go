package main

import (
	"cortex/lib/config"
	"cortex/lib/search"
)

// settings are what the index takes of the configuration.
func settings(cfg config.Config) search.Settings {
	s := cfg.Search
	return search.Settings{Stemmer: s.Stemmer, FuzzyDistance: s.FuzzyDistance, Merging: &search.Merging{
		Threshold: s.MergeThreshold, Bonus: s.MergeBonus, MaxDepth: s.MaxMergeDepth, LocalBoost: s.LocalBoost,
	}}
}
