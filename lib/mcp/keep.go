package mcp

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	protocol "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// A Keeper makes the index and keeps it in step with its files.
type Keeper interface {
	// Await waits until there is an index, for at most so long, and tells progress in files, total 0 if that is not known. It returns why there will be none.
	Await(ctx context.Context, most time.Duration, progress func(done, total int)) error
	// Want asks for the index to be kept in step from now on, where that is not done for all repositories at all times.
	Want()
	// Active reports whether it, or another for it, keeps the index in step, so that waiting is worth while.
	Active() bool
}

// mostWait is how long a call waits for an index; clients give up after a minute.
const mostWait = 45 * time.Second

// await waits for the index where none was ever made.
func (s *indexManager) await(ctx context.Context, most time.Duration, told func(done, total int)) error {
	s.mu.Lock()
	ready := s.current != nil
	s.mu.Unlock()
	if ready || s.Keeper == nil {
		return nil
	}
	return s.Keeper.Await(ctx, most, told)
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
				progress(ctx, sum, 0, "indexing")
			}
		}
	}
}

// progressKey is that of the token of a call in its context, notifyKey that of the stdio by which whoever asks is told.
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
	if notify, ok := ctx.Value(notifyKey{}).(*stdio); ok {
		notify.notify("notifications/progress", params)
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
