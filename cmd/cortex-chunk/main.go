// Command cortex-chunk cuts file records into chunk records.
package main

import (
	"context"
	"io"

	"github.com/spf13/pflag"

	"cortex/lib/chunk"
	"cortex/lib/cli"
	"cortex/lib/config"
	"cortex/lib/record/jsonl"
)

const examples = `
cortex-parse . | cortex-chunk | cortex-embed | cortex-store
cortex-parse lib/ | cortex-chunk | jq -r 'select(.type == "chunk").title'
cortex-chunk --strategies definitions,implementations files.jsonl > chunks.jsonl
`

func main() { cli.Main(command()) }

func command() cli.Command {
	var loader *config.Loader
	return cli.Command{
		Name:     "cortex-chunk",
		Summary:  "cut file records into chunk records, the units of search",
		Args:     "[FILE...]",
		Examples: examples,
		Filter:   true,
		Flags:    func(fs *pflag.FlagSet) { loader = config.Flags(fs, "chunking") },
		Run: func(ctx context.Context, env *cli.Env) error {
			cfg, err := loader.Load(config.FindRoot("."), env.Environ, env.Warn)
			if err != nil {
				return err
			}
			opts := chunk.Options{
				Tiers:    cfg.Chunking.Strategies,
				CodeSize: cfg.Chunking.CodeChunkSize,
				DocSize:  cfg.Chunking.DocChunkSize,
				Overlap:  cfg.Chunking.Overlap,
				Jobs:     env.Jobs,
				Report:   env.Report,
			}
			return env.EachInput(func(name string, in io.Reader) error {
				return chunk.Run(ctx, jsonl.NewReader(in, name), jsonl.NewWriter(env.Stdout), opts)
			})
		},
	}
}
