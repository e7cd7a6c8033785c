// Package mcp serves lib/search and lib/graph to assistants, over the Model Context Protocol
// (https://modelcontextprotocol.io/specification) on a pair of streams or over HTTP.
//
// Each tool is a file and a row of the table in tools.go. Indexes are loaded in the background, so a handshake never
// waits. Begin with tools.go and call.go; index_manager.go opens and reloads an index, repositories.go has all served
// indexes, member.go shares them with other servers.
package mcp

import (
	"context"
	"io"

	"cortex/lib/mcp/stdio"
)

// Serve speaks MCP until in ends and all requests are answered, or until ctx ends; neither is an error. It writes only
// messages to out. It returns within a second of the end of in and cancels requests that take longer. A read from in
// that blocks when ctx ends is abandoned.
func Serve(ctx context.Context, in io.Reader, out io.Writer, opts Options) error {
	loading, cancel := context.WithCancel(ctx)
	defer cancel()
	m := newMember(loading, opts)
	leave, err := stdio.Serve(ctx, m.answer, in, out, stdio.LastAnswers, opts.Report)
	m.leave()
	cancel()
	m.repositories.close(leave)
	return err
}
