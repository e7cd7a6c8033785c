package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	protocol "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"cortex/lib/hint"
	"cortex/lib/search"
)

// A tool is one row of the table of tools.
type tool struct {
	name, title, description string
	// schema is the JSON schema of the arguments.
	schema string
	// prepare reads every argument that the schema names, and returns what to do if
	// none is wrong.
	prepare func(*arguments) question
}

// A question is asked of an index on loan; its answer is JSON.
type question func(context.Context, *edition) (string, error)

// tools is the table of tools.
func tools() []tool {
	return []tool{searchTool(), exactTool(), graphTool()}
}

// declaration is the tool as the protocol describes it.
func (t tool) declaration() protocol.Tool {
	yes, no := true, false
	return protocol.Tool{
		Name:           t.name,
		Title:          t.title,
		Description:    t.description,
		RawInputSchema: json.RawMessage(t.schema),
		Annotations: protocol.ToolAnnotation{
			Title:           t.title,
			ReadOnlyHint:    &yes,
			DestructiveHint: &no,
			IdempotentHint:  &yes,
			OpenWorldHint:   &no,
		},
	}
}

// handler answers calls of the tool. What goes wrong is a result with isError, which reaches the
// model, and not an error of the protocol, which may end with the client.
//
// The answer is text alone: every client shows that to its model, while some give it structured
// content as well, so that each answer would cost twice.
func (t tool) handler(s *shelf) server.ToolHandlerFunc {
	return func(ctx context.Context, request protocol.CallToolRequest) (result *protocol.CallToolResult, err error) {
		defer func() {
			if p := recover(); p != nil {
				result, err = failure(t, s.panicked(t.name, p)), nil
			}
		}()
		text, behind, err := t.call(withProgress(ctx, request), s, request.Params.RawArguments)
		if errors.Is(err, context.Canceled) && ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		if err != nil {
			return failure(t, err), nil
		}
		result = protocol.NewToolResultText(text)
		if behind != "" {
			result.Content = append(result.Content, protocol.NewTextContent(behind))
		}
		return result, nil
	}
}

func (t tool) call(ctx context.Context, s *shelf, raw json.RawMessage) (answer, behind string, err error) {
	a, err := parseArguments(raw)
	if err != nil {
		return "", "", err
	}
	ask := t.prepare(a)
	if err := a.err(); err != nil {
		return "", "", err
	}
	if err := s.await(ctx); err != nil {
		return "", "", err
	}
	behind = s.catchUp(ctx)
	for range maxStale {
		e, err := s.borrow(ctx)
		if err != nil {
			return "", "", err
		}
		answer, err := ask(ctx, e)
		stale := search.IsStale(err)
		if stale {
			s.doubt(e)
		}
		s.giveBack(e)
		if !stale {
			return answer, behind, err
		}
	}
	return "", "", errors.New("the index is being changed by something else than cortex-store")
}

// maxStale is how often a question is asked again because of an index that turned out to be stale.
const maxStale = 3

func failure(t tool, err error) *protocol.CallToolResult {
	return protocol.NewToolResultError(t.name + ": " + explain(err))
}

// explain is the text of an error with its advice; a fault in a query is shown in place.
func explain(err error) string {
	var b strings.Builder
	b.WriteString(err.Error())
	var fault *search.QueryError
	if errors.As(err, &fault) {
		b.WriteString(pointer(fault))
	}
	if advice := hint.Of(err); advice != "" {
		fmt.Fprintf(&b, "\nhint: %s", advice)
	}
	return b.String()
}

// pointer is the line of the query that has the fault, and a caret below the place.
func pointer(fault *search.QueryError) string {
	before := []rune(fault.Query)
	before = before[:min(max(fault.Position-1, 0), len(before))]
	start := 0
	for i, r := range before {
		if r == '\n' {
			start = i + 1
		}
	}
	line, _, _ := strings.Cut(string([]rune(fault.Query)[start:]), "\n")
	indent := strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, string(before[start:]))
	return fmt.Sprintf("\n  %s\n  %s^", line, indent)
}
