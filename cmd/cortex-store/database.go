package main

import (
	"cmp"
	"context"
	"io"

	"github.com/spf13/pflag"

	"cortex/lib/cli"
	"cortex/lib/config"
	postgres "cortex/lib/database"
	"cortex/lib/database/schema"
	dbwrite "cortex/lib/database/write"
	"cortex/lib/record"
	"cortex/lib/record/jsonl"
	"cortex/lib/store/update"
)

// A database holds the flags that select a database.
type database struct{ url, tree string }

func (d *database) flags(fs *pflag.FlagSet, usage string) {
	fs.StringVar(&d.url, "database", "", usage)
}

// chosen returns the URL of the selected database, or "" if a store is selected. A flag wins over the environment.
func (d *database) chosen(env *cli.Env, store string) (url string, err error) {
	switch {
	case d.url != "" && store != "":
		return "", cli.Usagef("--store and --database exclude each other")
	case store != "":
		return "", nil
	}
	return cmp.Or(d.url, env.Getenv(config.DatabaseVariable)), nil
}

// write writes the records of the inputs into the database.
func (d *database) write(ctx context.Context, env *cli.Env, url string) error {
	now, err := update.Clock(env.Getenv)
	if err != nil {
		return err
	}
	if err := record.CheckTree(d.tree); err != nil {
		return cli.Usagef("--tree: %v", err)
	}
	loader := config.Loader{}
	cfg, err := loader.Load(config.FindRoot("."), env.Environ, nil)
	if err != nil {
		return err
	}
	db, err := postgres.Open(ctx, url, postgres.Options{Write: true, Conns: 2})
	if err != nil {
		return err
	}
	defer db.Close()
	progress := env.StartProgress("writing")
	defer progress.Stop()
	w := &dbwrite.Writer{DB: db, Stemmer: cfg.Search.Stemmer, Warn: env.Warn, Now: now}
	opts := options(env, progress, now)
	opts.Tree = d.tree
	return env.EachInput(func(name string, in io.Reader) error { return update.RunInto(ctx, jsonl.NewReader(in, name), w, opts) })
}

func schemaCommand() cli.Command {
	var from database
	return cli.Command{
		Name:     "schema",
		Summary:  "write the SQL that creates the tables of a database",
		Examples: "cortex-store schema | psql --single-transaction postgres://owner@host/cortex",
		Flags: func(fs *pflag.FlagSet) {
			from.flags(fs, "write only what the database at `URL` lacks (default: $CORTEX_DATABASE)")
		},
		Run: func(ctx context.Context, env *cli.Env) error {
			list, err := schema.Migrations()
			if err != nil {
				return err
			}
			if url, _ := from.chosen(env, ""); url != "" {
				db, err := postgres.Connect(ctx, url, postgres.Options{Conns: 1})
				if err != nil {
					return err
				}
				defer db.Close()
				if list, err = db.Missing(ctx); err != nil {
					return db.Explain(err)
				}
			}
			_, err = io.WriteString(env.Stdout, postgres.Script(list))
			return err
		},
	}
}
