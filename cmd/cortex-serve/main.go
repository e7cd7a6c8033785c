// Command cortex-serve answers the searches of assistants over MCP.
package main

import (
	"context"
	"os"

	"github.com/spf13/pflag"

	"cortex/lib/cli"
	"cortex/lib/config"
	"cortex/lib/embed"
	"cortex/lib/mcp"
	"cortex/lib/search"
)

const examples = `cortex-serve setup cursor    # write it into the configuration of an assistant, which then starts it`

func main() { cli.Main(command()) }

func command() cli.Command {
	var place config.Place
	var loader *config.Loader
	return cli.Command{
		Name:     "cortex-serve",
		Summary:  "serve the index to assistants: MCP on standard input and output",
		Examples: examples,
		Service:  true,
		Commands: []cli.Command{setup()},
		Flags: func(fs *pflag.FlagSet) {
			place.Flags(fs)
			loader = config.Flags(fs, "embedding")
		},
		Run: func(ctx context.Context, env *cli.Env) error {
			if len(env.Args) > 0 {
				return cli.Usagef("unexpected argument %q", env.Args[0])
			}
			if env.Stdout == os.Stdout {
				os.Stdout = os.Stderr // whoever prints must not break the protocol
			}
			if cli.IsTerminal(env.Stdin) {
				env.Warn("waiting for MCP messages on standard input (--help shows how a client starts this)")
			}
			return mcp.Serve(ctx, env.Stdin, env.Stdout, mcp.Options{
				Root:  func() string { root, _ := place.Find(env.Getenv); return root },
				Store: place.Named(env.Getenv),
				Embedding: func(root string) (embed.Config, error) {
					cfg, err := loader.Load(root, env.Environ, env.Warn)
					return embed.Config(cfg.Embedding), err
				},
				Settings: func(root string) (search.Settings, error) {
					cfg, err := loader.Load(root, env.Environ, nil)
					return settings(cfg), err
				},
				Accept: accept(loader, env.Environ), Sources: sources(loader, env.Environ),
				Version: cli.Version, Report: env.Report, Warn: env.Warn,
			})
		},
	}
}
