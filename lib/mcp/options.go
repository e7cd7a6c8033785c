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

// A Keeper creates the index and keeps it up to date.
type Keeper interface {
	// Await waits until there is an index, for at most the time most. It calls progress with numbers of files; total is
	// 0 if unknown. The error says why there will be no index.
	Await(ctx context.Context, most time.Duration, progress func(done, total int)) error
	// Want asks for the index to be kept up to date from now on, if the keeper does not do so anyway.
	Want()
	// Active reports whether this keeper, or one in another process, keeps the index up to date, so that waiting for it
	// makes sense.
	Active() bool
	// Problem returns the reason why the index is not kept up to date; nil if it is.
	Problem() error
}

// A Repository is a tree with its index. If it is the only one, just Root is required.
type Repository struct {
	// Name is how clients refer to the repository.
	Name string
	// Root returns the root of the tree. It is called until a store is loaded.
	Root func() string
	// Store is the folder of the store; "" means .cortex in the root.
	Store string
	// Database answers from trees in PostgreSQL; nil for a store.
	Database *read.Reader
	// Keeper creates the index and keeps it up to date; nil if nobody does.
	Keeper Keeper
}

// Options says what to serve. All fields but Accept, Settings, Sources, Keep and Share are required.
type Options struct {
	// Repositories has at least one repository. If it has several, each has a unique name and is opened at its first
	// question.
	Repositories []Repository
	// Accept, if set, gets the model of the store's embeddings, "" without embeddings, and returns an error if the
	// model cannot be used with the flags.
	Accept func(root, model string) error
	// Embedding returns the embedder's configuration for the store of root, apart from the model, which the store
	// records.
	Embedding func(root string) (embed.Config, error)
	// Settings returns how the store of that root is searched; nil means the defaults.
	Settings func(root string) (search.Settings, error)
	// Sources lists the files of a root, to find out whether they have changed; nil means not to check.
	Sources status.Lister
	// Keep, if set, keeps the indexes that this process opens up to date until ctx ends.
	Keep func(ctx context.Context)
	// Share, if set, is the group of processes that serve the same indexes: one of them opens the indexes, and the
	// others forward calls to it.
	Share *share.Group
	// Version is the server's version as clients see it.
	Version string
	// Report receives internal errors, which clients do not see in full.
	Report func(error)
	// Warn receives messages for the person who runs the server.
	Warn func(format string, args ...any)
}
