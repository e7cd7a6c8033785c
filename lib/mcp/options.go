package mcp

import (
	"context"
	"time"

	"cortex/lib/database/read"
	"cortex/lib/embed"
	"cortex/lib/search"
	"cortex/lib/share"
	"cortex/lib/status"
)

// A Keeper makes the index and keeps it in step with its files.
type Keeper interface {
	// Await waits until there is an index, for at most so long, and tells progress in files, total 0 if that is not known. It returns why there will be none.
	Await(ctx context.Context, most time.Duration, progress func(done, total int)) error
	// Want asks for the index to be kept in step from now on, where that is not done for all repositories at all times.
	Want()
	// Active reports whether it, or another for it, keeps the index in step, so that waiting is worth while.
	Active() bool
	// Problem is why it does not keep the index in step; nil if it does.
	Problem() error
}

// A Repository is a tree that is served, with its index. Only Root is required where it is the only one.
type Repository struct {
	// Name is what clients call it.
	Name string
	// Root returns the folder that was indexed. It is asked until a store was loaded.
	Root func() string
	// Store is the folder of the store; "" is .cortex in the root.
	Store string
	// Database answers in the place of a store, from trees in PostgreSQL; nil for a store.
	Database *read.Reader
	// Keeper makes the index and keeps it in step with its files; nil if nobody does.
	Keeper Keeper
}

// Options says what to serve. All fields but Accept, Settings, Sources, Keep and Share are required.
type Options struct {
	// Repositories are those that are served, at least one. Of several each has a name of its own, and is opened when it is first asked.
	Repositories []Repository
	// Accept, if it is set, is told of the model of the store's embeddings, "" if it has none, and refuses what does not go with it.
	Accept func(root, model string) error
	// Embedding returns what the model recorded in the store of that root leaves open.
	Embedding func(root string) (embed.Config, error)
	// Settings returns how the store of that root is searched; nil means the defaults.
	Settings func(root string) (search.Settings, error)
	// Sources says how the files of a root are listed, to tell whether they have changed; nil if nobody is to look.
	Sources status.Lister
	// Keep, if it is set, keeps the indexes that this process opens in step with their files, until ctx ends.
	Keep func(ctx context.Context)
	// Share, if it is set, is where processes meet that would serve the same: one opens the indexes, and the others pass calls on to it.
	Share *share.Group
	// Version is what the server calls its version.
	Version string
	// Report takes errors that are ours and that no client is told in full.
	Report func(error)
	// Warn takes what a person who watches the server may want to know.
	Warn func(format string, args ...any)
}
