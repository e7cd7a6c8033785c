package main

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/spf13/pflag"

	"cortex/lib/chunk"
	"cortex/lib/cli"
	"cortex/lib/config"
	"cortex/lib/database"
	"cortex/lib/database/tree"
	"cortex/lib/embed/model"
	"cortex/lib/parse"
	"cortex/lib/record"
	"cortex/lib/record/jsonl"
	"cortex/lib/store"
)

// An update holds the flags of incremental runs and of --watch.
type update struct {
	incremental, watch, poll, noCache bool
	store, database                   string
}

func (u *update) flags(fs *pflag.FlagSet) {
	fs.BoolVarP(&u.incremental, "incremental", "i", false, "write only what has changed since the store was written")
	fs.BoolVarP(&u.watch, "watch", "w", false, "keep running: write another incremental run whenever files change")
	fs.BoolVar(&u.poll, "poll", false, "with --watch, look for changes every few seconds, as on network file systems")
	fs.StringVar(&u.store, "store", "", "compare with the store in `DIR` (default: $CORTEX_CHUNKS_DIR, otherwise .cortex in the tree)")
	fs.StringVar(&u.database, "database", "", "compare with the tree in the PostgreSQL database at `URL` (default: $CORTEX_DATABASE)")
	fs.BoolVar(&u.noCache, "no-stat-cache", false, "read every file, even if its size and times have not changed")
}

// check reports flags that exclude each other or need another flag.
func (u *update) check(opts *parse.Options) error {
	switch {
	case u.poll && !u.watch:
		return cli.Usagef("--poll needs --watch")
	case (u.store != "" || u.database != "" || u.noCache) && !u.incremental && !u.watch:
		return cli.Usagef("--store, --database and --no-stat-cache need --incremental or --watch")
	case u.store != "" && u.database != "":
		return cli.Usagef("--store and --database exclude each other")
	case u.watch && (opts.Paths != nil || opts.Dirs != nil):
		return cli.Usagef("--watch indexes a whole tree, so it takes no list of paths")
	case u.watch && opts.FailOn != "":
		return cli.Usagef("--watch does not end, so --fail-on has no effect")
	}
	return nil
}

// circumstances returns a digest of the version, of the model in the program, and of the settings that the later stages
// use. Flags that are given to those stages are not in the digest.
func circumstances(cfg config.Config) string {
	cut := chunk.Options{
		Tiers: cfg.Chunking.Strategies, CodeSize: cfg.Chunking.CodeChunkSize, DocSize: cfg.Chunking.DocChunkSize, Overlap: cfg.Chunking.Overlap,
	}
	return cfg.Fingerprint(cli.Version + " " + model.Name + " " + cut.Fingerprint())
}

// run writes the run, or with --watch the runs, that the flags ask for.
func (u *update) run(ctx context.Context, env *cli.Env, opts parse.Options, loader *config.Loader) error {
	if err := u.check(&opts); err != nil {
		return err
	}
	config.WarnMistyped(env.Environ, env.Warn)
	opts.Jobs, opts.Report = env.Jobs, env.Report
	w := jsonl.NewWriter(env.Stdout)
	url := cmp.Or(u.database, env.Getenv(config.DatabaseVariable))
	dir := cmp.Or(u.store, env.Getenv(config.StoreVariable), filepath.Join(opts.Source.Root, store.Dir))
	opts.Source.Store = dir
	if !u.incremental && !u.watch {
		return parse.Run(ctx, w, opts)
	}
	if url != "" && u.store == "" {
		return u.fromDatabase(ctx, env, w, url, opts)
	}
	up := &parse.Update{
		Options: opts,
		Indexed: func(ctx context.Context, thorough bool) (*record.Begin, map[string]*record.File, error) {
			return store.Indexed(ctx, dir, opts.Tree, thorough, env.Warn)
		},
		Store: dir,
		Warn:  env.Warn,
	}
	if u.noCache {
		up.Store = ""
	}
	if u.watch {
		up.Also = []string{filepath.Join(opts.Source.Root, config.Dir, "config.yml")}
		up.Indexed = noticing(env, loader, opts.Source.Root, up.Indexed)
		return up.Watch(ctx, w, filepath.Join(dir, store.ManifestName), u.poll)
	}
	return up.Run(ctx, w)
}

type indexedFunc = func(ctx context.Context, thorough bool) (*record.Begin, map[string]*record.File, error)

// noticing returns a function that does what indexed does, and warns once if the settings have changed. The stages have
// read theirs when they began.
func noticing(env *cli.Env, loader *config.Loader, root string, indexed indexedFunc) indexedFunc {
	had, told := loader.Indexing(root, env.Environ), false
	return func(ctx context.Context, thorough bool) (*record.Begin, map[string]*record.File, error) {
		if now := loader.Indexing(root, env.Environ); !told && now != "" && now != had {
			told = true
			env.Warn("the settings have changed; start the pipeline again to apply them")
		}
		return indexed(ctx, thorough)
	}
}

// fromDatabase writes what has changed since the database was written.
func (u *update) fromDatabase(ctx context.Context, env *cli.Env, w *jsonl.Writer, url string, opts parse.Options) error {
	if u.watch {
		return cli.Usagef("--watch compares with a store and not with a database: run --incremental when files have changed")
	}
	db, err := database.Open(ctx, url, database.Options{Conns: 1})
	if errors.Is(err, fs.ErrNotExist) {
		err = nil // no database has tables yet, so all files are new
	}
	if err != nil {
		return err
	}
	if db != nil {
		defer db.Close()
	}
	up := &parse.Update{
		Options: opts,
		Indexed: func(ctx context.Context, _ bool) (*record.Begin, map[string]*record.File, error) {
			if db == nil {
				return nil, nil, fs.ErrNotExist
			}
			return tree.Indexed(ctx, db, opts.Tree)
		},
		Warn: env.Warn,
	}
	return up.Run(ctx, w)
}
