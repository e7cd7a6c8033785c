// Package mcp serves the search of lib/search to assistants, over the Model Context
// Protocol (https://modelcontextprotocol.io/specification) on a pair of streams.
//
// Each tool is a file and a row of the table of tools. The index is loaded in the background,
// so that the handshake never waits for it.
package mcp

import (
	"context"
	"io"

	"github.com/mark3labs/mcp-go/server"

	"cortex/lib/embed"
	"cortex/lib/search"
	"cortex/lib/status"
)

// instructions tell an assistant which tool is for what.
const instructions = `Cortex searches the code and documentation of this repository in a local index. Ask it before you read or list files.
- cortex_search: you can describe it but do not know its name. query "where are expired sessions removed"; several topics at once in topics.
- cortex_exact: you know a name, a message or a phrase. query RWMutex, "connection refused", text:handler AND tags:go, symbol:Parse* NOT path:test.
- cortex_graph: you know a symbol or file and ask what hangs on it: operation callers, callees, implementations, dependencies, dependents, type_usages, references, impact (before you change it), path.
Narrow searches with path, languages, chunk_types (definitions for types and signatures, implementations for bodies, documentation for prose), symbol_type and symbol_name. Ask for less with limit and max_tokens.
Each result has file_path, start_line and end_line; the file on disk may be newer than the index.`

// Options says what to serve. All fields but Store, Accept, Settings and Sources are required.
type Options struct {
	// Root returns the folder that was indexed. It is asked until a store was loaded.
	Root func() string
	// Store is the folder of the store; "" is .cortex in the root.
	Store string
	// Accept, if it is set, is told of the model of the store's embeddings, "" if it has none, and refuses what does not go with it.
	Accept func(root, model string) error
	// Embedding returns what the model recorded in the store of that root leaves open.
	Embedding func(root string) (embed.Config, error)
	// Settings returns how the store of that root is searched; nil means the defaults.
	Settings func(root string) (search.Settings, error)
	// Sources says how the files of a root are listed, to tell whether they have changed; nil if nobody is to look.
	Sources status.Lister
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
	shelf := newShelf(loading, opts)
	leave, err := serve(ctx, newServer(shelf, opts.Version), in, out, lastAnswers, opts.Report)
	cancel()
	shelf.close(leave)
	return err
}

func newServer(s *shelf, version string) *server.MCPServer {
	srv := server.NewMCPServer("cortex", version,
		server.WithTitle("Cortex"),
		server.WithInstructions(instructions),
		server.WithToolCapabilities(false))
	for _, t := range tools() {
		srv.AddTool(t.declaration(), t.handler(s))
	}
	return srv
}
