package mcp

import (
	"context"
	"sync"

	"github.com/mark3labs/mcp-go/server"

	"cortex/lib/mcp/stdio"
)

// progress sends the progress of indexing to the client, if the call asked for progress.
func progress(ctx context.Context, done, total int) {
	token := stdio.Token(ctx)
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
		_ = srv.SendNotificationToClient(ctx, "notifications/progress", params) // the client may have left
	}
}

// progressOfAll returns a progress function for each repository i. Together they send the sum over all repositories to
// the client.
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
			if sum > told { // progress may not decrease
				told = sum
				progress(ctx, sum, 0)
			}
		}
	}
}
