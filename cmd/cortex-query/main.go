// Command cortex-query searches the index from a terminal or a script.
package main

import (
	"context"

	"cortex/lib/ask"
	"cortex/lib/cli"
	"cortex/lib/hint"
	"cortex/lib/settings"
)

func main() { cli.Main(command()) }

// run answers an exact, search or similar request.
func (f *flags) run(ctx context.Context, env *cli.Env) error {
	opts := ask.Options{Hits: *f.hits, Exact: f.exact, Similar: f.similar}
	var set settings.Settings
	var err error
	if opts.Asker, set, err = f.asker(env); err != nil {
		return err
	}
	opts.Accept, opts.Embedding = set.Accept, set.Embedding
	opts.OwnLimit = f.set.Changed("limit")
	if opts.ByLine() && !opts.OwnLimit {
		opts.Limit = 0
	}
	if err := opts.Check(); err != nil {
		return hint.Wrap(cli.Usagef("%v", err), hint.Of(err))
	}
	found, err := ask.Run(ctx, env.Stdout, opts)
	return f.outcome(env, &opts.Asker, found, err)
}
