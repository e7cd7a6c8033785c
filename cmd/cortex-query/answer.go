package main

import (
	"cortex/lib/cli"
	"cortex/lib/hint"
	"cortex/lib/search"
)

// making returns options that show the progress of building a missing search index, and warn if the index cannot be
// saved.
func making(env *cli.Env) search.Making {
	progress := env.StartProgress("indexing")
	return search.Making{
		Jobs: env.Jobs,
		Progress: func(done, total int) {
			if progress.Update(done, total, ""); done == total {
				progress.Stop()
			}
		},
		Aside: func(why error) { env.Warn("making an index for this query alone: %s", hint.Text(why)) },
	}
}
