// Package settings translates the configuration into the options of each part of a command: lib/config reads settings and knows none of the parts, and the parts
// do not know the configuration. cortex-query and cortex-serve share it.
package settings

import (
	"cortex/lib/config"
	"cortex/lib/embed"
	"cortex/lib/search"
	"cortex/lib/source"
)

// Settings are those of a command for any repository, by its root.
type Settings struct {
	Loader  *config.Loader
	Environ []string
	// Warn hears of settings that a repository is not trusted with.
	Warn func(format string, args ...any)
}

// Embedding chooses the embedder.
func (s Settings) Embedding(root string) (embed.Config, error) {
	cfg, err := s.Loader.Load(root, s.Environ, s.Warn)
	return embed.Config(cfg.Embedding), err
}

// Accept refuses flags that have no effect on a store of the model.
func (s Settings) Accept(root, model string) error {
	cfg, err := s.Loader.Load(root, s.Environ, nil)
	if err != nil {
		return err
	}
	return embed.CheckGiven(model, embed.Config(cfg.Embedding), embed.Config(s.Loader.Given().Embedding))
}

// Search is what the index takes of the configuration.
func (s Settings) Search(root string) (search.Settings, error) {
	cfg, err := s.Loader.Load(root, s.Environ, nil)
	c := cfg.Search
	return search.Settings{Stemmer: c.Stemmer, FuzzyDistance: &c.FuzzyDistance, MinScore: c.MinScore, Merging: &search.Merging{
		Threshold: c.MergeThreshold, Bonus: c.MergeBonus, MaxDepth: c.MaxMergeDepth, LocalBoost: c.LocalBoost,
	}}, err
}

// Sources says how the files are listed.
func (s Settings) Sources(root string) (source.Options, error) {
	cfg, err := s.Loader.Load(root, s.Environ, nil)
	return source.Options{Code: cfg.Paths.Code, Docs: cfg.Paths.Docs, Ignore: cfg.Paths.Ignore, Secrets: cfg.Paths.Secrets}, err
}
