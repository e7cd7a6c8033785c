// Command cortex-query searches the index from a terminal or a script.
package main

import (
	"context"

	"github.com/spf13/pflag"

	"cortex/lib/ask"
	"cortex/lib/cli"
	"cortex/lib/config"
	"cortex/lib/hint"
	"cortex/lib/settings"
)

func main() { cli.Main(command()) }

// a face is what all requests have: where, and with which settings.
type face struct {
	place    config.Place
	database config.Database
	loader   *config.Loader
}

// places are the flags that say where the index is.
func (f *face) places(fs *pflag.FlagSet) {
	f.place.Flags(fs)
	f.database.Flags(fs)
}

// asker is who asks.
func (f *face) asker(env *cli.Env) (ask.Asker, settings.Settings, error) {
	set := settings.Settings{Loader: f.loader, Environ: env.Environ, Warn: env.Warn}
	a := ask.Asker{Words: env.Args, Terminal: cli.IsTerminal(env.Stdout), Getenv: env.Getenv, Warn: env.Warn, Settings: set.Search, Making: making(env)}
	a.Root, a.Store = f.place.Find(env.Getenv)
	a.Database, a.Trees = f.database.Find(env.Getenv, f.place.IsNamed())
	switch {
	case a.Database == "" && f.database.NamesTrees():
		return a, set, hint.Wrap(cli.Usagef("--tree: no database"), "add --database URL, or set "+config.DatabaseVariable)
	case a.Database != "" && f.place.IsNamed():
		return a, set, hint.Wrap(cli.Usagef("--database along with --root or --store"), "give one of them")
	case a.Database != "":
		a.Root, a.Store = ".", ""
	}
	return a, set, nil
}

// run answers one request: exactly, or in words.
func (f *flags) run(ctx context.Context, env *cli.Env) error {
	opts := ask.Options{Hits: *f.hits, Exact: f.exact, Similar: f.similar}
	var set settings.Settings
	var err error
	if opts.Asker, set, err = f.asker(env); err != nil {
		return err
	}
	opts.Accept, opts.Embedding = set.Accept, set.Embedding
	if opts.ByLine() && !f.set.Changed("limit") {
		opts.Limit = 0
	}
	if err := opts.Check(); err != nil {
		return hint.Wrap(cli.Usagef("%v", err), hint.Of(err))
	}
	return outcome(ask.Run(ctx, env.Stdout, opts))
}
