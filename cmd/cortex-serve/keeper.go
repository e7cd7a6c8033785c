package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"

	"cortex/lib/cli"
	"cortex/lib/config"
	"cortex/lib/embed"
	"cortex/lib/hint"
	"cortex/lib/keep"
	"cortex/lib/mcp"
	"cortex/lib/store"
)

// mostWatched is the number of repositories watched at the same time if the server has several. A watch takes four
// processes and some 60 MB.
const mostWatched = 4

// keepFresh adds keepers to opts that create the indexes and keep them up to date while the server runs. Without the
// pipeline's commands keepFresh adds nothing. A single repository is watched from the start, one of several when a
// client asks for it.
func keepFresh(env *cli.Env, locations []config.NamedLocation, loader *config.Loader, opts *mcp.Options) {
	program, err := os.Executable()
	if err != nil {
		return
	}
	var slots *keep.Slots
	if len(locations) > 1 {
		slots = keep.NewSlots(mostWatched)
	}
	var keepers []*keep.Keeper
	for i := range locations {
		location := &locations[i]
		warn := env.Warn
		if slots != nil {
			warn = func(format string, args ...any) { env.Warn("%s: %s", location.Name, fmt.Sprintf(format, args...)) }
		}
		keeper, err := keep.New(keep.Options{
			Bin: filepath.Dir(program),
			Location: func() (root, dir string) {
				root, dir = treeOf(&location.Location, env)
				return root, dir
			},
			MayMake: func(root string) error {
				if !location.Rooted() {
					if err := keep.CheckFolder(root, env.Getenv("HOME")); err != nil {
						return err
					}
				}
				_, dir := treeOf(&location.Location, env)
				return checkEmbedder(loader, env, root, dir)
			},
			Settings: func(root string) string { return loader.Indexing(root, env.Environ) },
			Outdated: embed.IsEarlier,
			Embed:    embedFlags(loader), Slots: slots, Warn: warn,
		})
		if err != nil { // the commands are missing; doctor reports that
			break
		}
		opts.Repositories[i].Keeper = keeper
		// If there is no index, the keeper creates one at the top of the repository, and the server looks for it there.
		opts.Repositories[i].Root = func() string { root, _ := treeOf(&location.Location, env); return root }
		keepers = append(keepers, keeper)
	}
	opts.Keep = func(ctx context.Context) {
		var running sync.WaitGroup
		for _, keeper := range keepers {
			running.Go(func() { keeper.Run(ctx) })
		}
		running.Wait()
	}
}

// treeOf returns the absolute paths of the tree and its store. If there is no index and the user has named no place,
// the tree is the whole repository.
func treeOf(location *config.Location, env *cli.Env) (root, dir string) {
	root, dir = location.Find(env.Getenv)
	if full, err := filepath.Abs(root); err == nil {
		root = full
	}
	if full, err := filepath.Abs(dir); err == nil {
		dir = full
	}
	if location.Rooted() || location.Named(env.Getenv) != "" || keep.Exists(dir) {
		return root, dir
	}
	if top, ok := keep.Repository(root); ok && top != env.Getenv("HOME") {
		return top, filepath.Join(top, config.Dir)
	}
	return root, dir
}

// checkEmbedder returns an error if the embedder is a service. An index made unasked would send the code to the service
// and may cost money.
func checkEmbedder(loader *config.Loader, env *cli.Env, root, dir string) error {
	cfg, err := loader.Load(root, env.Environ, nil)
	if err != nil {
		return err
	}
	if embed.IsRemote(cfg.Embedding.Provider) {
		return hint.Wrap(fmt.Errorf("no index is made of %s by itself: the embedder %s is a service", root, cfg.Embedding.Provider),
			"make it once: "+store.UpdateCommand(root, dir))
	}
	return nil
}

// embedFlags returns the flags of cortex-serve that the keeper passes on to cortex-embed.
func embedFlags(loader *config.Loader) (flags []string) {
	given := loader.Given().Embedding
	add := func(name, value string) {
		if value != "" {
			flags = append(flags, "--"+name+"="+value)
		}
	}
	add("provider", given.Provider)
	add("model", given.Model)
	add("endpoint", given.Endpoint)
	if given.Dimensions > 0 {
		add("dimensions", strconv.Itoa(given.Dimensions))
	}
	return flags
}
