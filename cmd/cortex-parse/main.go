// Command cortex-parse turns the files of a tree into file records with text and symbols.
package main

import (
	"context"

	"github.com/spf13/pflag"

	"cortex/lib/cli"
	"cortex/lib/config"
	"cortex/lib/parse"
	"cortex/lib/source"
)

func main() { cli.Main(command()) }

func command() cli.Command {
	var opts parse.Options
	var list fileList
	var up update
	var root string
	var languages bool
	var loader *config.Loader
	return cli.Command{
		Name:     "cortex-parse",
		Summary:  "turn a source tree into file records with text and symbols",
		Args:     "[PATH...]",
		Examples: examples,
		Filter:   true,
		Flags: func(fs *pflag.FlagSet) {
			list.flags(fs)
			up.flags(fs)
			fs.StringVar(&root, "root", "", "root `DIR` of the tree (default: PATH if it is a single folder and . has no index, otherwise .)")
			fs.StringVar(&opts.Tree, "tree", "", "`NAME` of this tree, for a store that holds several")
			opts.Source.MaxSize = source.DefaultMaxSize
			fs.Var(&size{&opts.Source.MaxSize}, "max-size", "skip files larger than `SIZE`, such as 512K or 2M")
			fs.Var((*state)(&opts.FailOn), "fail-on", "exit with 1 if a file is `STATE`: partial (syntax errors) or error (no structure)")
			fs.BoolVar(&languages, "languages", false, "print the table of languages and exit")
			loader = config.Flags(fs, "paths")
		},
		Run: func(ctx context.Context, env *cli.Env) error {
			if languages {
				return parse.WriteLanguages(env.Stdout)
			}
			if err := opts.Select(root, env.Args); err != nil {
				return err
			}
			if err := list.read(env, &opts); err != nil {
				return err
			}
			cfg, err := loader.Load(opts.Source.Root, env.Environ, env.Warn)
			if err != nil {
				return err
			}
			opts.Source.Code, opts.Source.Docs, opts.Source.Ignore, opts.Source.Secrets = cfg.Paths.Code, cfg.Paths.Docs, cfg.Paths.Ignore, cfg.Paths.Secrets
			opts.Settings = map[string]string{"config": circumstances(cfg)}
			return up.run(ctx, env, opts, loader)
		},
	}
}
