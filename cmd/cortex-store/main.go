// Command cortex-store keeps chunks on disk, and shows and checks what it keeps.
package main

import (
	"cmp"
	"context"
	"io"

	"github.com/spf13/pflag"

	"cortex/lib/cli"
	"cortex/lib/config"
	"cortex/lib/record"
	"cortex/lib/store"
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
		Summary:  "write the index that chunk records make",
		Args:     "[FILE...]",
		Examples: examples,
		Flags: func(fs *pflag.FlagSet) {
			fs.StringVar(&dir, "store", "", "write to the store in `DIR` (default: $CORTEX_CHUNKS_DIR, else .cortex)")
			fs.BoolVar(&noIndex, "no-index", false, "keep the store alone; the first search makes the index")
		},
		Commands: []cli.Command{catCommand(), statusCommand(), verifyCommand()},
		Run: func(ctx context.Context, env *cli.Env) error {
			now, err := store.Clock(env.Getenv)
			if err != nil {
				return err
			}
			progress := env.StartProgress("indexing")
			defer progress.Stop()
			dir := cmp.Or(dir, env.Getenv(config.StoreVariable))
			built := build(env, cmp.Or(dir, store.Dir))
			if noIndex {
				built = nil
			}
			return env.EachInput(func(name string, in io.Reader) error {
				return store.Run(ctx, record.NewReader(in, name), store.Options{
					Dir:       dir,
					Jobs:      env.Jobs,
					Report:    env.Report,
					Warn:      env.Warn,
					Progress:  progress.Update,
					Committed: func(r store.Result) { env.Warn("%s", r) },
					Built:     built,
					Now:       now,
				})
			})
		},
	}
}
