package mcp

import (
	"context"
	"encoding/json"
	"errors"

	protocol "github.com/mark3labs/mcp-go/mcp"

	"github.com/mark3labs/mcp-go/server"
)

// handler returns the handler of the tool's calls. An error becomes a result with isError, which reaches the model. An
// error of the protocol may get no further than the client.
//
// The answer is plain text only. Every client shows text to its model; some would add structured content, and then each
// answer would cost twice.
func (t tool) handler(l *repositories) server.ToolHandlerFunc {
	return func(ctx context.Context, called protocol.CallToolRequest) (result *protocol.CallToolResult, err error) {
		defer func() {
			if p := recover(); p != nil {
				result, err = failure(t, panicked(l.opts.Report, t.name, p)), nil
			}
		}()
		text, notes, err := t.call(ctx, l, called.Params.RawArguments)
		if errors.Is(err, context.Canceled) && ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		if err != nil {
			return failure(t, err), nil
		}
		result = protocol.NewToolResultText(text)
		if notes != "" {
			result.Content = append(result.Content, protocol.NewTextContent(notes))
		}
		return result, nil
	}
}

// call answers a call. notes are remarks on the answer, such as a stale index.
func (t tool) call(ctx context.Context, l *repositories, raw json.RawMessage) (answer, notes string, err error) {
	q := t.prepare()
	var chosen []string
	if err := q.read(raw, repositoryOption(l.names, &chosen)...); err != nil {
		return "", "", err
	}
	asked := l.named(chosen)
	found, failed, err := l.ask(ctx, asked, func(ctx context.Context, e *openIndex) (*finding, error) { return q.ask(ctx, e, len(asked) > 1) })
	if err != nil {
		return "", "", err
	}
	defer func() {
		for _, one := range found {
			one.written()
		}
	}()
	if answer, err = q.write(found); err != nil {
		return "", "", err
	}
	return answer, notesOf(found, failed), nil
}

func failure(t tool, err error) *protocol.CallToolResult {
	return protocol.NewToolResultError(t.name + ": " + explain(err))
}
