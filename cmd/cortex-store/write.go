package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"cortex/lib/cli"
	"cortex/lib/config"
	"cortex/lib/graph/stored"
	"cortex/lib/hint"
	"cortex/lib/record"
	"cortex/lib/record/jsonl"
	"cortex/lib/search"
	"cortex/lib/store"
	"cortex/lib/store/update"
)

// write writes the records of the inputs to the store in dir, and updates the files derived from the store.
func write(ctx context.Context, env *cli.Env, dir string, noIndex, failFast bool) error {
	now, err := update.Clock(env.Getenv)
	if err != nil {
		return err
	}
	progress := env.StartProgress("indexing")
	defer progress.Stop()
	opts := options(env, progress, now)
	if dir = cmp.Or(dir, env.Getenv(config.StoreVariable)); dir == "" {
		dir, opts.Accept = store.Dir, isOfThisFolder
	}
	opts.Dir, opts.FailFast, opts.OutsideTree = dir, failFast, !liesHere(dir)
	// A fault in the settings is told of before the store changes: every query would fail after the run.
	if _, err := (&config.Loader{}).Load(config.TreeOf(dir), env.Environ, nil); err != nil {
		return err
	}
	if !noIndex {
		opts.Built = build(env, dir)
	}
	tellAbove(env, dir)
	return env.EachInput(func(name string, in io.Reader) error { return update.Run(ctx, jsonl.NewReader(in, name), opts) })
}

// isOfThisFolder returns an error for a run whose paths are not relative to the current folder, which contains the
// store by default.
func isOfThisFolder(b *record.Begin) error {
	if b.Root == "" || b.Tree != "" {
		return nil
	}
	return hint.Wrap(fmt.Errorf("the run is of %q, and its paths do not exist below this folder: the index is unchanged", b.Root),
		"change to that folder and run the pipeline with cortex-parse ., or name a store with cortex-store --store DIR/"+store.Dir)
}

// liesHere reports whether dir is the folder .cortex of the current folder.
func liesHere(dir string) bool {
	full, err := filepath.Abs(dir)
	if err != nil || filepath.Base(full) != store.Dir {
		return false
	}
	root, rootErr := os.Stat(filepath.Dir(full))
	here, hereErr := os.Stat(".")
	return rootErr == nil && hereErr == nil && os.SameFile(root, here)
}

// tellAbove warns, before a store is created, that it will hide the store of a parent folder.
func tellAbove(env *cli.Env, dir string) {
	full, err := filepath.Abs(dir)
	if err != nil || filepath.Base(full) != store.Dir {
		return
	}
	if _, err := os.Stat(filepath.Join(full, store.ManifestName)); !errors.Is(err, fs.ErrNotExist) {
		return
	}
	root := filepath.Dir(full)
	if above := store.Above(root); above != "" {
		env.Warn("%s has an index already; commands in %s will use the new one instead", above, root)
	}
}

// options returns the options for writing into a folder or a database.
func options(env *cli.Env, progress *cli.Progress, now func() time.Time) update.Options {
	return update.Options{
		Jobs:      env.Jobs,
		Report:    env.Report,
		Warn:      env.Warn,
		Progress:  progress.Update,
		Committed: func(r update.Result) { env.Warn("%s", r) },
		Now:       now,
	}
}

// build returns a function that updates the files derived from the store in dir.
func build(env *cli.Env, dir string) func(ctx context.Context, progress func(done, total int, item string)) error {
	return func(ctx context.Context, progress func(done, total int, item string)) (err error) {
		g, err := store.Open(ctx, dir)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, g.Close()) }()
		loader := config.Loader{}
		cfg, err := loader.Load(config.TreeOf(dir), env.Environ, nil)
		if err != nil {
			return err
		}
		count := func(done, total int) { progress(done, total, "") }
		aside := func(why error) { env.Warn("the first search will build the index: %s", hint.Text(why)) }
		err = search.Build(ctx, dir, g, search.Settings{Stemmer: cfg.Search.Stemmer}, search.Making{Jobs: env.Jobs, Progress: count, Aside: aside})
		if err != nil {
			return err
		}
		// Where the folder can't be written, that was said.
		return stored.Build(ctx, dir, g, stored.Options{Jobs: env.Jobs, Progress: count})
	}
}
