package main

import (
	"context"
	"encoding/json"

	"github.com/spf13/pflag"

	"cortex/lib/cli"
	"cortex/lib/config"
	"cortex/lib/settings"
	"cortex/lib/status"
)

const statusExamples = `
cortex-query status
cortex-query status --json | jq -r '.sources[].state'  # up to date, changed or unknown
`

func statusCommand() cli.Command {
	var place config.Place
	var asJSON bool
	var loader *config.Loader
	return cli.Command{
		Name: "status", Summary: "show how the index stands, and whether files have changed since",
		Examples: statusExamples,
		Flags: func(fs *pflag.FlagSet) {
			place.Flags(fs)
			fs.BoolVar(&asJSON, "json", false, "write one JSON object")
			loader = config.Flags(fs)
		},
		Run: func(ctx context.Context, env *cli.Env) error {
			if len(env.Args) > 0 {
				return cli.Usagef("unexpected argument %q", env.Args[0])
			}
			root, dir := place.Find(env.Getenv)
			s, err := status.Read(ctx, dir, root, settings.Settings{Loader: loader, Environ: env.Environ}.Sources)
			if err != nil {
				return err
			}
			if asJSON {
				enc := json.NewEncoder(env.Stdout)
				enc.SetEscapeHTML(false)
				return enc.Encode(s)
			}
			return s.Write(env.Stdout)
		},
	}
}
