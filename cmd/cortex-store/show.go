package main

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"cortex/lib/cli"
	"cortex/lib/config"
	"cortex/lib/record"
	"cortex/lib/store"
)

// reader makes a subcommand that reads the store, by default that of the nearest parent folder.
func reader(cmd cli.Command, run func(ctx context.Context, env *cli.Env, dir string) error) cli.Command {
	var dir string
	flags := cmd.Flags
	cmd.Flags = func(fs *pflag.FlagSet) {
		fs.StringVar(&dir, "store", "", "read the store in `DIR` (default: $CORTEX_CHUNKS_DIR, else .cortex here or in the nearest parent)")
		if flags != nil {
			flags(fs)
		}
	}
	cmd.Run = func(ctx context.Context, env *cli.Env) error {
		if len(env.Args) > 0 {
			return cli.Usagef("unexpected argument %q", env.Args[0])
		}
		return run(ctx, env, cmp.Or(dir, env.Getenv(config.StoreVariable), filepath.Join(config.FindRoot("."), store.Dir)))
	}
	return cmd
}

func catCommand() cli.Command {
	var encoding string
	var types []string
	return reader(cli.Command{
		Name:     "cat",
		Summary:  "write the stored chunks as records",
		Examples: "cortex-store cat --type definitions | jq -r .title\ncortex-store cat --encoding float | jq 'select(.type == \"chunk\").embedding | length'",
		Flags: func(fs *pflag.FlagSet) {
			fs.StringVar(&encoding, "encoding", "base64", "write embeddings in this `FORM`: base64, or float for jq")
			fs.StringSliceVar(&types, "type", nil, "write only the chunks of this `TYPE`, such as definitions, without records of files")
		},
	}, func(ctx context.Context, env *cli.Env, dir string) error {
		opts := store.CatOptions{Floats: encoding == "float"}
		if !opts.Floats && encoding != "base64" {
			return cli.Usagef("--encoding %q: expected base64 or float", encoding)
		}
		for _, name := range types {
			if !slices.Contains(record.ChunkTypes, record.ChunkType(name)) {
				return cli.Usagef("--type %q: expected one of %s", name, strings.Trim(fmt.Sprint(record.ChunkTypes), "[]"))
			}
			opts.Types = append(opts.Types, record.ChunkType(name))
		}
		return store.Cat(ctx, dir, record.NewWriter(env.Stdout), opts)
	})
}

func statusCommand() cli.Command {
	var asJSON bool
	return reader(cli.Command{
		Name:     "status",
		Summary:  "show what is indexed, when, with which model, and what was skipped",
		Examples: "cortex-store status --json | jq '.unclean[].file_path'",
		Flags:    func(fs *pflag.FlagSet) { fs.BoolVar(&asJSON, "json", false, "write one JSON object") },
	}, func(ctx context.Context, env *cli.Env, dir string) error {
		status, err := store.ReadStatus(ctx, dir)
		if err != nil {
			return err
		}
		if asJSON {
			return status.WriteJSON(env.Stdout)
		}
		return status.Write(env.Stdout, time.Now())
	})
}

func verifyCommand() cli.Command {
	return reader(cli.Command{
		Name:     "verify",
		Summary:  "look for damage",
		Examples: "cortex-store verify --store /backup/.cortex",
	}, func(ctx context.Context, env *cli.Env, dir string) error {
		return store.Verify(ctx, dir, env.Report)
	})
}
