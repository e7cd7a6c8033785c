// Command cortex-query searches the index from a terminal or a script.
package main

import (
	"context"

	"cortex/lib/ask"
	"cortex/lib/cli"
	"cortex/lib/config"
	"cortex/lib/hint"
	"cortex/lib/settings"
)

func main() { cli.Main(command()) }

// a face is what all requests have: where, and with which settings.
type face struct {
	place  config.Place
	loader *config.Loader
}

// asker is who asks.
func (f *face) asker(env *cli.Env) (ask.Asker, settings.Settings) {
	set := settings.Settings{Loader: f.loader, Environ: env.Environ, Warn: env.Warn}
	a := ask.Asker{Words: env.Args, Terminal: cli.IsTerminal(env.Stdout), Getenv: env.Getenv, Warn: env.Warn, Settings: set.Search, Making: making(env)}
	a.Root, a.Store = f.place.Find(env.Getenv)
	return a, set
}

// run answers one request: exactly, or in words.
func (f *flags) run(ctx context.Context, env *cli.Env) error {
	opts := ask.Options{Hits: *f.hits, Exact: f.exact, Similar: f.similar}
	var set settings.Settings
	opts.Asker, set = f.asker(env)
	opts.Accept, opts.Embedding = set.Accept, set.Embedding
	if opts.ByLine() && !f.set.Changed("limit") {
		opts.Limit = 0
	}
	if err := opts.Check(); err != nil {
		return hint.Wrap(cli.Usagef("%v", err), hint.Of(err))
	}
	return outcome(ask.Run(ctx, env.Stdout, opts))
}
