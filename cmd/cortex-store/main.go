// Command cortex-store keeps chunks on disk, and shows and checks what it keeps.
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
`

func main() { cli.Main(command()) }

func command() cli.Command {
	var dir string
	var noIndex bool
	return cli.Command{
		Name:     "cortex-store",
		Summary:  "write chunk records into the index",
		Args:     "[FILE...]",
		Examples: examples,
		Flags: func(fs *pflag.FlagSet) {
			fs.StringVar(&dir, "store", "", "write to the store in `DIR` (default: $CORTEX_CHUNKS_DIR, else .cortex)")
			fs.BoolVar(&noIndex, "no-index", false, "write the store only; the first search builds the index")
		},
		Commands: []cli.Command{catCommand(), statusCommand(), verifyCommand()},
		Run:      func(ctx context.Context, env *cli.Env) error { return write(ctx, env, dir, noIndex) },
	}
}
