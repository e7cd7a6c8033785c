// Package mcp serves the search of lib/search to assistants, over the Model Context
// Protocol (https://modelcontextprotocol.io/specification) on a pair of streams.
//
// Each tool is a file and a row of the table of tools. The index is loaded in the background,
// so that the handshake never waits for it.
package mcp

import (
	"context"
	_ "embed" // for the instructions
	"io"

	"github.com/mark3labs/mcp-go/server"

	"cortex/lib/embed"
	"cortex/lib/search"
	"cortex/lib/share"
	"cortex/lib/status"
)

//go:embed assistants.md
var instructions string

// Instructions tell an assistant which tool is for what and how to use the answers. The server gives them to its client, and a project may have them in the
// file that its assistants read.
func Instructions() string { return instructions }

// A Repository is a tree that is served, with its index. Only Root is required where it is the only one.
type Repository struct {
	// Name is what clients call it.
	Name string
	// Root returns the folder that was indexed. It is asked until a store was loaded.
	Root func() string
	// Store is the folder of the store; "" is .cortex in the root.
	Store string
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
	Share *share.Place
	// Version is what the server calls its version.
	Version string
	// Report takes errors that are ours and that no client is told in full.
	Report func(error)
	// Warn takes what a person who watches the server may want to know.
	Warn func(format string, args ...any)
}

// Serve speaks MCP until in ends and all requests are answered, or until ctx ends; neither is
// an error. Nothing but messages is written to out. It returns within a second of the end of in, whatever is being done: requests
// that take longer are cancelled. A read from in that blocks when ctx ends is left behind.
func Serve(ctx context.Context, in io.Reader, out io.Writer, opts Options) error {
	loading, cancel := context.WithCancel(ctx)
	defer cancel()
	m := newMember(loading, opts)
	leave, err := serve(ctx, m.answer, in, out, lastAnswers, opts.Report)
	m.leave()
	cancel()
	m.repositories.close(leave)
	return err
}

func newServer(l *repositories, version string) *server.MCPServer {
	srv := server.NewMCPServer("cortex", version,
		server.WithTitle("Cortex"),
		server.WithInstructions(Instructions()),
		server.WithToolCapabilities(false))
	for _, t := range tools() {
		srv.AddTool(t.declaration(l.names), t.handler(l))
	}
	return srv
}
