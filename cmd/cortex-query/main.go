// Command cortex-query searches the index from a terminal or a script.
package main

import (
	"context"

	"cortex/lib/cli"
	"cortex/lib/embed"
	"cortex/lib/search"
	"cortex/lib/search/ask"
)

func main() { cli.Main(command()) }

// run answers one request: exactly, or in words.
func (f *flags) run(ctx context.Context, env *cli.Env) error {
	opts := f.Options
	opts.Root, opts.Store = f.place.Find(env.Getenv)
	opts.Words, opts.Terminal, opts.Getenv, opts.Warn = env.Args, cli.IsTerminal(env.Stdout), env.Getenv, env.Warn
	opts.Accept = accept(f.loader, opts.Root, env.Environ)
	opts.Embedding = func() (embed.Config, error) {
		cfg, err := f.loader.Load(opts.Root, env.Environ, env.Warn)
		return embed.Config(cfg.Embedding), err
	}
	opts.Settings = func() (search.Settings, error) {
		cfg, err := f.loader.Load(opts.Root, env.Environ, nil)
		return settings(cfg), err
	}
	if opts.ByLine() && !f.limited() {
		opts.Limit = 0
	}
	if err := opts.Check(); err != nil {
		return cli.Usagef("%v", err)
	}
	opts.Making = making(env)
	found, err := ask.Run(ctx, env.Stdout, opts)
	if err == nil && found == 0 {
		return cli.ErrNothingFound
	}
	return err
}
