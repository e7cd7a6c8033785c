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
	// prepare returns a new question whose read function stores the call's arguments.
	prepare func() question
}

// A question is a call of a tool.
type question struct {
	// options are the arguments that a call may have. read checks and stores them.
	options []request.Option
	read    func(arguments []byte, more ...request.Option) error
	answering
}

// answering says how to answer a question whose arguments were read.
type answering struct {
	// ask asks one index, on loan; several says that other indexes are asked too. write writes the findings of all
	// indexes.
	ask   func(ctx context.Context, e *openIndex, several bool) (*finding, error)
	write func([]*finding) (string, error)
}

// declaration returns the tool's description in the protocol, given the names of the served repositories.
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

// schema returns the JSON Schema of the arguments, given the names of the served repositories.
func (t tool) schema(repositories []string) json.RawMessage {
	return request.Schema(append(repositoryOption(repositories, new([]string)), t.prepare().options...))
}

// repositoryOption returns the argument that selects repositories; nil if only one is served.
func repositoryOption(repositories []string, chosen *[]string) []request.Option {
	if len(repositories) < 2 {
		return nil
	}
	return []request.Option{request.Repository(repositories, chosen)}
}
