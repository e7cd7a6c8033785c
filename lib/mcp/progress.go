package mcp

import (
	"context"
	"sync"

	protocol "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"cortex/lib/mcp/stdio"
)

// progressKey is that of the token in the context of a call, by which its client knows which call the progress is of.
type progressKey struct{}

// withProgress remembers how the client of the call wants to be told of progress.
func withProgress(ctx context.Context, request protocol.CallToolRequest) context.Context {
	if request.Params.Meta == nil || request.Params.Meta.ProgressToken == nil {
		return ctx
	}
	return context.WithValue(ctx, progressKey{}, request.Params.Meta.ProgressToken)
}

// progress tells the client of the call how far the index is, if it wants to know.
func progress(ctx context.Context, done, total int) {
	token := ctx.Value(progressKey{})
	if token == nil {
		return
	}
	params := map[string]any{"progressToken": token, "progress": done, "message": "indexing"}
	if total > 0 {
		params["total"] = total
	}
	if client := stdio.Of(ctx); client != nil {
		client.Notify("notifications/progress", params)
	} else if srv := server.ServerFromContext(ctx); srv != nil {
		_ = srv.SendNotificationToClient(ctx, "notifications/progress", params) // a client that is gone sees none
	}
}

// progressOfAll tells the client of the call how far the indexes of several repositories are together. Each has a function of its own.
func progressOfAll(ctx context.Context) func(i int) func(done, total int) {
	var mu sync.Mutex
	files := map[int]int{}
	told := 0
	return func(i int) func(done, total int) {
		return func(done, _ int) {
			mu.Lock()
			defer mu.Unlock()
			files[i] = done
			sum := 0
			for _, n := range files {
				sum += n
			}
			if sum > told { // it must not fall
				told = sum
				progress(ctx, sum, 0)
			}
		}
	}
}
