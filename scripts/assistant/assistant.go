// Package assistant asks a cortex-serve as assistants do: over MCP, with the client of the protocol's Go library. The scripts beside it ask with it.
package assistant

import (
	"context"
	"errors"
	"net/http"
	"os/exec"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A Session is a conversation with a server.
type Session struct{ session *mcp.ClientSession }

// Start starts a server, whose standard input and output it takes. Whoever starts it waits for its end, or closes the session.
func Start(ctx context.Context, server *exec.Cmd) (*Session, error) {
	return connect(ctx, &mcp.CommandTransport{Command: server}, "")
}

// Connect connects with a server at a URL. Version is that of the protocol, "" for the newest.
func Connect(ctx context.Context, url, version string) (*Session, error) {
	return connect(ctx, &mcp.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{Transport: &http.Transport{}}}, version)
}

func connect(ctx context.Context, transport mcp.Transport, version string) (*Session, error) {
	client := mcp.NewClient(&mcp.Implementation{Name: "scripts", Version: "0"}, nil)
	session, err := client.Connect(ctx, transport, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		return nil, err
	}
	return &Session{session}, nil
}

// Call is the text of the answer of a tool. What the tool answers as an error is one.
func (s *Session) Call(ctx context.Context, tool string, arguments map[string]any) (string, error) {
	result, err := s.session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		return "", err
	}
	var texts []string
	for _, content := range result.Content {
		if text, ok := content.(*mcp.TextContent); ok {
			texts = append(texts, text.Text)
		}
	}
	text := strings.Join(texts, "\n")
	if result.IsError {
		return "", errors.New(text)
	}
	return text, nil
}

// Close ends the conversation, and the server if it was started for it.
func (s *Session) Close() error { return s.session.Close() }
