package mcp

import (
	"context"
	"encoding/json"

	protocol "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// A Keeper makes the index and keeps it in step with its files.
type Keeper interface {
	// Await waits until there is an index, and tells progress in files, total 0 if that is not known. It returns why there will be none.
	Await(ctx context.Context, progress func(done, total int)) error
	// Active reports whether it, or another for it, keeps the index in step, so that waiting is worth while.
	Active() bool
}

// await waits for the index where none was ever made.
func (s *shelf) await(ctx context.Context) error {
	s.mu.Lock()
	ready := s.current != nil
	s.mu.Unlock()
	if ready || s.opts.Keeper == nil {
		return nil
	}
	return s.opts.Keeper.Await(ctx, func(done, total int) {
		progress(ctx, done, total, "indexing")
	})
}

// progressKey is that of the token of a call in its context, notifyKey that of the function that sends a notification to whoever asks.
type (
	progressKey struct{}
	notifyKey   struct{}
)

// withProgress remembers how the client of the call wants to be told of progress.
func withProgress(ctx context.Context, request protocol.CallToolRequest) context.Context {
	if request.Params.Meta == nil || request.Params.Meta.ProgressToken == nil {
		return ctx
	}
	return context.WithValue(ctx, progressKey{}, request.Params.Meta.ProgressToken)
}

// progress tells the client of the call how far it is, if it wants to know.
func progress(ctx context.Context, done, total int, doing string) {
	token := ctx.Value(progressKey{})
	if token == nil {
		return
	}
	params := map[string]any{"progressToken": token, "progress": done, "message": doing}
	if total > 0 {
		params["total"] = total
	}
	if notify, ok := ctx.Value(notifyKey{}).(func(method string, params map[string]any)); ok {
		notify("notifications/progress", params)
	} else if srv := server.ServerFromContext(ctx); srv != nil {
		_ = srv.SendNotificationToClient(ctx, "notifications/progress", params) // a client that is gone sees none
	}
}

// notify writes a notification, unless nothing more is to be written.
func (t *stdio) notify(method string, params map[string]any) {
	data, err := json.Marshal(map[string]any{"jsonrpc": protocol.JSONRPC_VERSION, "method": method, "params": params})
	if err != nil {
		t.report(err)
		return
	}
	t.write(data)
}
