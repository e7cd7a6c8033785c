// Command cortex-query searches the index from a terminal or a script.
package main

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"

	"cortex/lib/cli"
	"cortex/lib/config"
	"cortex/lib/embed"
	"cortex/lib/search"
	"cortex/lib/search/render"
	"cortex/lib/store"
)

func main() { cli.Main(command()) }

// run answers one request: exactly, or in words.
func (f *flags) run(ctx context.Context, env *cli.Env) error {
	req, err := f.request(env)
	if err != nil {
		return err
	}
	root := cmp.Or(f.root, config.FindRoot("."))
	snap, err := store.Load(ctx, filepath.Join(root, store.Dir))
	if err != nil {
		return err
	}
	embedder, err := f.embedder(ctx, env, root, snap.Manifest.Model)
	if err != nil {
		return err
	}
	if embedder != nil {
		defer embedder.Close()
	}
	index, err := search.New(ctx, snap, embedder)
	if err != nil {
		return err
	}
	defer index.Close()
	ask := index.Search
	if f.exact {
		ask = index.Exact
	}
	response, err := ask(ctx, req)
	if fault := (*search.QueryError)(nil); errors.As(err, &fault) {
		return render.QueryError(fault)
	}
	if err != nil {
		return err
	}
	if err := render.Response(env.Stdout, response, f.rendering(env, root)); err != nil {
		return err
	}
	if response.TotalFound == 0 {
		return cli.ErrNothingFound
	}
	return nil
}

// embedder is the model that the store was made with; nil where none is needed or, for
// a search that can do without, to be had.
func (f *flags) embedder(ctx context.Context, env *cli.Env, root, model string) (embed.Embedder, error) {
	if f.exact || model == "" || f.mode == string(search.Keyword) {
		return nil, nil
	}
	cfg, err := f.loader.Load(root, env.Getenv, env.Warn)
	if err != nil {
		return nil, err
	}
	embedder, err := embed.OpenModel(ctx, model, embed.Config(cfg.Embedding))
	if err != nil && f.mode == string(search.Auto) {
		env.Warn("searching by words only: %v", err)
		return nil, nil
	}
	return embedder, err
}
