// Command cortex-store writes chunk records into an index, on disk or in a database, and shows and checks what is
// there.
package main

import (
	"context"

	"github.com/spf13/pflag"

	"cortex/lib/cli"
)

const examples = `
cortex-parse . | cortex-chunk | cortex-embed | cortex-store
cortex-store status
cortex-store cat | jq -r 'select(.type == "chunk").id'
cortex-store cat | cortex-store --store /elsewhere/.cortex
cortex-store cat | cortex-store --database postgres://me@host/cortex --tree api
`

func main() { cli.Main(command()) }

func command() cli.Command {
	var dir string
	var noIndex, failFast bool
	var into database
	return cli.Command{
		Name:     "cortex-store",
		Summary:  "write chunk records into the index",
		Args:     "[FILE...]",
		Examples: examples,
		Flags: func(fs *pflag.FlagSet) {
			fs.StringVar(&dir, "store", "", "write to the store in `DIR` (default: $CORTEX_CHUNKS_DIR, otherwise .cortex)")
			fs.BoolVar(&noIndex, "no-index", false, "write the store only; the first search builds the index")
			fs.BoolVar(&failFast, "fail-fast", false, "end at the first run of a watch that cannot be applied, instead of going on with the next")
			into.flags(fs, "write into the PostgreSQL database at `URL` instead (default: $CORTEX_DATABASE)")
			fs.StringVar(&into.tree, "tree", "", "with --database, the `NAME` of the tree, if the records have none")
		},
		Commands: []cli.Command{catCommand(), statusCommand(), verifyCommand(), schemaCommand()},
		Run: func(ctx context.Context, env *cli.Env) error {
			url, err := into.chosen(env, dir)
			switch {
			case err != nil:
				return err
			case url != "":
				return into.write(ctx, env, url)
			case into.tree != "":
				return cli.Usagef("--tree needs --database")
			}
			return write(ctx, env, dir, noIndex, failFast)
		},
	}
}
