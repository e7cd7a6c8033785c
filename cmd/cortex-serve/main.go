// Command cortex-serve serves the index to assistants over MCP, and to people as pages in a browser.
package main

import (
	"context"
	"io"

	"github.com/spf13/pflag"

	"cortex/lib/cli"
	"cortex/lib/config"
	"cortex/lib/hint"
	"cortex/lib/mcp"
)

func main() { cli.Main(command()) }

func command() cli.Command {
	var locations config.Locations
	var trees config.Database
	var loader *config.Loader
	var web webFlags
	var instructions, noWatch, noShare bool
	return cli.Command{
		Name:     "cortex-serve",
		Summary:  "serve the index to assistants: MCP on standard input and output, or on HTTP",
		Examples: examples,
		Service:  true,
		Commands: []cli.Command{setup(), examine()},
		Flags: func(fs *pflag.FlagSet) {
			locations.Flags(fs)
			trees.Flags(fs)
			web.flags(fs)
			fs.BoolVar(&instructions, "instructions", false, "print instructions for assistants, for AGENTS.md or CLAUDE.md")
			fs.BoolVar(&noWatch, "no-watch", false, "do not create the index or keep it up to date")
			fs.BoolVar(&noShare, "no-share", false, "open the index even if another server has it open, instead of asking that server")
			loader = config.Flags(fs, "embedding")
		},
		Run: func(ctx context.Context, env *cli.Env) error {
			if instructions {
				_, err := io.WriteString(env.Stdout, mcp.Instructions())
				return err
			}
			if err := web.prepare(env); err != nil {
				return err
			}
			url, names, err := trees.Find(env.Getenv, locations.AreNamed(), "--root, --roots or --store")
			if err != nil {
				return hint.Wrap(cli.Usagef("%v", err), hint.Of(err))
			}
			if url != "" {
				return serveDatabase(ctx, env, &web, loader, url, names)
			}
			return serveStores(ctx, env, &web, loader, &locations, noShare, noWatch)
		},
	}
}
