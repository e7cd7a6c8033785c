// Package settings translates the configuration into the options of each part of a command. lib/config does not know
// the parts, and the parts do not know the configuration. cortex-query and cortex-serve share the package.
package settings

import (
	"cortex/lib/config"
	"cortex/lib/embed"
	"cortex/lib/search"
	"cortex/lib/source"
)

// Settings loads the settings of a repository, given its root, and translates them.
type Settings struct {
	Loader  *config.Loader
	Environ []string
	// Warn reports settings that a repository may not set.
	Warn func(format string, args ...any)
}

// Embedding returns the options of the embedder.
func (s Settings) Embedding(root string) (embed.Config, error) {
	cfg, err := s.Loader.Load(root, s.Environ, s.Warn)
	return embed.Config(cfg.Embedding), err
}

// Accept returns an error if embedding flags were given that cannot apply to a store made with the model.
func (s Settings) Accept(root, model string) error {
	cfg, err := s.Loader.Load(root, s.Environ, nil)
	if err != nil {
		return err
	}
	return embed.CheckGiven(model, embed.Config(cfg.Embedding), embed.Config(s.Loader.Given().Embedding))
}

// Search returns the options of search.
func (s Settings) Search(root string) (search.Settings, error) {
	cfg, err := s.Loader.Load(root, s.Environ, nil)
	c := cfg.Search
	return search.Settings{Stemmer: c.Stemmer, FuzzyDistance: &c.FuzzyDistance, MinScore: c.MinScore, Merging: &search.Merging{
		Threshold: c.MergeThreshold, Bonus: c.MergeBonus, MaxDepth: c.MaxMergeDepth, LocalBoost: c.LocalBoost,
	}}, err
}

// Sources returns the options that say which files are listed.
func (s Settings) Sources(root string) (source.Options, error) {
	cfg, err := s.Loader.Load(root, s.Environ, nil)
	return source.Options{Code: cfg.Paths.Code, Docs: cfg.Paths.Docs, Ignore: cfg.Paths.Ignore, Secrets: cfg.Paths.Secrets}, err
}
