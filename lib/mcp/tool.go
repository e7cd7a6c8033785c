package mcp

import (
	"context"
	"encoding/json"

	protocol "github.com/mark3labs/mcp-go/mcp"

	"cortex/lib/request"
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
