package mcp

import (
	_ "embed" // for the instructions

	"github.com/mark3labs/mcp-go/server"
)

//go:embed assistants.md
var instructions string

// Instructions returns the text that tells an assistant when to use which tool, and how to use the answers. The server
// sends it to clients; a project may include it in the file that its assistants read.
func Instructions() string { return instructions }

// tools is the table of tools.
func tools() []tool {
	return []tool{searchTool(), exactTool(), graphTool()}
}

func newServer(l *repositories, version string) *server.MCPServer {
	srv := server.NewMCPServer("cortex", version,
		server.WithTitle("Cortex"),
		server.WithInstructions(Instructions()),
		server.WithToolCapabilities(false))
	for _, t := range tools() {
		srv.AddTool(t.declaration(l.names), t.handler(l))
	}
	return srv
}
