// Command cortex-embed adds embeddings to chunks.
package main

import (
	"context"
	"io"

	"github.com/spf13/pflag"

	"cortex/lib/cli"
	"cortex/lib/config"
	"cortex/lib/embed"
	"cortex/lib/record"
)

const examples = `
cortex-parse . | cortex-chunk | cortex-embed | cortex-store
cortex-embed --dimensions 512 chunks.jsonl > embedded.jsonl
cortex-embed --encoding float < chunks.jsonl | jq '.embedding | length'
`

func main() { cli.Main(command()) }

func command() cli.Command {
	var loader *config.Loader
	var opts embed.Options
	return cli.Command{
		Name:     "cortex-embed",
		Summary:  "add embeddings to chunk records",
		Args:     "[FILE...]",
		Examples: examples,
		Flags: func(fs *pflag.FlagSet) {
			loader = config.Flags(fs, "embedding")
			fs.StringVar((*string)(&opts.Encoding), "encoding", string(embed.Base64), "write embeddings in this `FORM`: base64, or float for jq")
			fs.BoolVarP(&opts.Force, "force", "f", false, "embed also what has an embedding by the same model")
			fs.IntVar(&opts.BatchSize, "batch-size", embed.DefaultBatchSize, "give the provider `N` chunks at once")
		},
		Run: func(ctx context.Context, env *cli.Env) error {
			if !opts.Encoding.Valid() {
				return cli.Usagef("--encoding %q: expected base64 or float", opts.Encoding)
			}
			if opts.BatchSize < 1 {
				return cli.Usagef("--batch-size %d: expected a positive number", opts.BatchSize)
			}
			cfg, err := loader.Load(config.FindRoot("."), env.Getenv, env.Warn)
			if err != nil {
				return err
			}
			embedder, err := embed.Open(ctx, embed.Config(cfg.Embedding))
			if err != nil {
				return err
			}
			defer embedder.Close()
			opts.Jobs, opts.Report = env.Jobs, env.Report
			return env.EachInput(func(name string, in io.Reader) error {
				return embed.Run(ctx, record.NewReader(in, name), record.NewWriter(env.Stdout), embedder, opts)
			})
		},
	}
}
