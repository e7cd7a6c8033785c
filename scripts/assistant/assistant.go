// Package assistant queries a cortex-serve over MCP as assistants do, with the client of the protocol's Go library.
// Other scripts use it.
package assistant

import (
	"context"
	"errors"
	"net/http"
	"os/exec"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A Session is an MCP session with a server.
type Session struct{ session *mcp.ClientSession }

// Start starts a server and connects to its standard input and output. The caller closes the session or waits for the
// server's end.
func Start(ctx context.Context, server *exec.Cmd) (*Session, error) {
	return connect(ctx, &mcp.CommandTransport{Command: server}, "")
}

// Connect connects to the server at a URL. version is the version of the protocol, "" for the newest.
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

// Call calls a tool and returns the text of the answer. An error that the tool reports is returned as an error.
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

// Close ends the session, and the server if Start started it.
func (s *Session) Close() error { return s.session.Close() }
