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
	postgres "cortex/lib/database"
	"cortex/lib/database/tree"
	"cortex/lib/record"
	"cortex/lib/record/jsonl"
	"cortex/lib/store"
)

// A place is the store or the database that a subcommand reads.
type place struct {
	dir   string
	db    *postgres.DB // nil for a store
	trees []string
}

// reader returns a subcommand that reads a store, by default that of the nearest parent folder, or a database.
func reader(cmd cli.Command, run func(ctx context.Context, env *cli.Env, p place) error) cli.Command {
	var dir string
	var from database
	var trees []string
	flags := cmd.Flags
	cmd.Flags = func(fs *pflag.FlagSet) {
		fs.StringVar(&dir, "store", "", "read the store in `DIR` (default: $CORTEX_CHUNKS_DIR, otherwise .cortex here or in the nearest parent)")
		from.flags(fs, "read the PostgreSQL database at `URL` instead (default: $CORTEX_DATABASE)")
		fs.StringSliceVar(&trees, "tree", nil, "with --database, read only the tree `NAME`; may be repeated")
		if flags != nil {
			flags(fs)
		}
	}
	cmd.Run = func(ctx context.Context, env *cli.Env) error {
		config.WarnMistyped(env.Environ, env.Warn)
		url, err := from.chosen(env, dir)
		switch {
		case err != nil:
			return err
		case url != "":
			db, err := postgres.Open(ctx, url, postgres.Options{Conns: 2})
			if err != nil {
				return err
			}
			defer db.Close()
			return run(ctx, env, place{db: db, trees: trees})
		case len(trees) > 0:
			return cli.Usagef("--tree needs --database")
		}
		return run(ctx, env, place{dir: cmp.Or(dir, env.Getenv(config.StoreVariable), filepath.Join(config.FindRoot("."), store.Dir))})
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
	}, func(ctx context.Context, env *cli.Env, p place) error {
		opts := store.CatOptions{Floats: encoding == "float"}
		if !opts.Floats && encoding != "base64" {
			return cli.Usagef("--encoding %q: expected base64 or float", encoding)
		}
		for _, name := range types {
			if !slices.Contains(record.ChunkTypes, record.ChunkType(name)) {
				return cli.Usagef("--type %q: expected one of %s", name, strings.ReplaceAll(strings.Trim(fmt.Sprint(record.ChunkTypes), "[]"), " ", ", "))
			}
			opts.Types = append(opts.Types, record.ChunkType(name))
		}
		if p.db != nil {
			return tree.Cat(ctx, p.db, p.trees, jsonl.NewWriter(env.Stdout), opts)
		}
		return store.Cat(ctx, p.dir, jsonl.NewWriter(env.Stdout), opts)
	})
}

func statusCommand() cli.Command {
	var asJSON bool
	return reader(cli.Command{
		Name:     "status",
		Summary:  "show what is indexed, when, with which model, and what was skipped",
		Examples: "cortex-store status --json | jq -r '.skipped[].file_paths[]'   # each skipped file\ncortex-store status --json | jq -r '.unclean[].file_path'",
		Flags:    func(fs *pflag.FlagSet) { fs.BoolVar(&asJSON, "json", false, "write one JSON object") },
	}, func(ctx context.Context, env *cli.Env, p place) error {
		read := func() (*store.Status, error) { return store.ReadStatus(ctx, p.dir) }
		if p.db != nil {
			read = func() (*store.Status, error) { return tree.Status(ctx, p.db, p.trees) }
		}
		status, err := read()
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
	}, func(ctx context.Context, env *cli.Env, p place) error {
		if p.db != nil {
			return tree.Verify(ctx, p.db, p.trees, env.Report)
		}
		return store.Verify(ctx, p.dir, env.Report)
	})
}
