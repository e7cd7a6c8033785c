package main

import (
	"github.com/spf13/pflag"

	"cortex/lib/ask"
	"cortex/lib/cli"
	"cortex/lib/config"
	"cortex/lib/hint"
	"cortex/lib/settings"
	"cortex/lib/store"
)

// A face holds the flags that all subcommands have: where the index is, and the settings.
type face struct {
	location config.Location
	database config.Database
	loader   *config.Loader
}

// locations defines the flags that say where the index is.
func (f *face) locations(fs *pflag.FlagSet) {
	f.location.Flags(fs)
	f.database.Flags(fs)
}

// tellAbove warns if a parent folder has an index too, unless the user has named the index by a flag or variable.
func (f *face) tellAbove(env *cli.Env, a *ask.Asker) {
	if a.Database != "" || f.location.IsNamed() || f.location.Named(env.Getenv) != "" {
		return
	}
	if above := store.Above(a.Root); above != "" {
		env.Warn("%s has an index too; --root %s chooses it", above, above)
	}
}

// outcome turns the outcome of a request into the error of the command: no result is an error too.
func (f *face) outcome(env *cli.Env, a *ask.Asker, found int, err error) error {
	if err == nil && found == 0 {
		f.tellAbove(env, a)
		return cli.ErrNothingFound
	}
	return err
}

// asker returns the part of a request that all subcommands share, and the settings.
func (f *face) asker(env *cli.Env) (ask.Asker, settings.Settings, error) {
	config.WarnMistyped(env.Environ, env.Warn)
	set := settings.Settings{Loader: f.loader, Environ: env.Environ, Warn: env.Warn}
	a := ask.Asker{Words: env.Args, Terminal: cli.IsTerminal(env.Stdout), Getenv: env.Getenv, Warn: env.Warn, Settings: set.Search, Sources: set.Sources, Making: making(env)}
	a.Columns, a.Rows = cli.Screen(env.Stdout)
	a.Root, a.Store = f.location.Find(env.Getenv)
	var err error
	if a.Database, a.Trees, err = f.database.Find(env.Getenv, f.location.IsNamed(), "--root or --store"); err != nil {
		return a, set, hint.Wrap(cli.Usagef("%v", err), hint.Of(err))
	}
	if a.Database != "" {
		a.Root, a.Store = ".", ""
	}
	return a, set, nil
}
