package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	protocol "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"cortex/lib/graph"
	"cortex/lib/hint"
	"cortex/lib/request"
	"cortex/lib/search"
)

// A tool is one row of the table of tools.
type tool struct {
	name, title, description string
	// prepare returns a question that reads its arguments.
	prepare func() question
}

// A question is what a call asks.
type question struct {
	// options are those that the arguments may set, which read does.
	options []request.Option
	read    func(arguments []byte, more ...request.Option) error
	answering
}

// answering is how a question that was read is answered.
type answering struct {
	// ask asks an index on loan, one of several or alone, and write writes what was found in all that were asked.
	ask   func(ctx context.Context, e *openIndex, several bool) (*finding, error)
	write func([]*finding) (string, error)
}

// A finding is what a question found in one index: a response or, for the graph, an answer.
type finding struct {
	// repository is its name where several are served, "" otherwise, and root its folder.
	repository, root string
	response         *search.Response
	graph            *graph.Answer
	// trees tells that the index has several trees.
	trees bool
	// stats are the state of the index, nil if nobody asked.
	stats *stats
	// behind says how far the index is behind its files, "" if it is not.
	behind string
	// written ends the use of the index, in whose memory what was found may be.
	written func()
}

// tools is the table of tools.
func tools() []tool {
	return []tool{searchTool(), exactTool(), graphTool()}
}

// declaration is the tool as the protocol describes it, for the repositories of these names.
func (t tool) declaration(repositories []string) protocol.Tool {
	yes, no := true, false
	return protocol.Tool{
		Name:           t.name,
		Title:          t.title,
		Description:    t.description,
		RawInputSchema: t.schema(repositories),
		Annotations: protocol.ToolAnnotation{
			Title:           t.title,
			ReadOnlyHint:    &yes,
			DestructiveHint: &no,
			IdempotentHint:  &yes,
			OpenWorldHint:   &no,
		},
	}
}

// schema is that of the arguments where these repositories are served.
func (t tool) schema(repositories []string) json.RawMessage {
	return request.Schema(append(repositoryOption(repositories, new([]string)), t.prepare().options...))
}

// repositoryOption is the argument that chooses among several repositories.
func repositoryOption(repositories []string, chosen *[]string) []request.Option {
	if len(repositories) < 2 {
		return nil
	}
	return []request.Option{request.Repository(repositories, chosen)}
}

// handler answers calls of the tool. What goes wrong is a result with isError, which reaches the
// model, and not an error of the protocol, which may end with the client.
//
// The answer is text alone: every client shows that to its model, while some give it structured
// content as well, so that each answer would cost twice.
func (t tool) handler(l *repositories) server.ToolHandlerFunc {
	return func(ctx context.Context, called protocol.CallToolRequest) (result *protocol.CallToolResult, err error) {
		defer func() {
			if p := recover(); p != nil {
				result, err = failure(t, panicked(l.opts.Report, t.name, p)), nil
			}
		}()
		text, notes, err := t.call(withProgress(ctx, called), l, called.Params.RawArguments)
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

// call answers a call. Notes are what the client is to know of the answer.
func (t tool) call(ctx context.Context, l *repositories, raw json.RawMessage) (answer, notes string, err error) {
	q := t.prepare()
	var chosen []string
	if err := q.read(raw, repositoryOption(l.names, &chosen)...); err != nil {
		return "", "", err
	}
	places := l.named(chosen)
	found, failed, err := l.ask(ctx, places, func(ctx context.Context, e *openIndex) (*finding, error) { return q.ask(ctx, e, len(places) > 1) })
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
