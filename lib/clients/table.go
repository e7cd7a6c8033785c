package clients

import (
	"fmt"
	"path/filepath"
	"strings"

	"cortex/lib/hint"
)

// table returns the table of clients. The comment above each row cites the documentation of its format.
func table() []Client {
	return []Client{
		// https://code.claude.com/docs/en/mcp ("MCP installation scopes": user scope; "Environment variable expansion"), and
		// https://code.claude.com/docs/en/settings for CLAUDE_CONFIG_DIR.
		{
			Name: "claude-code", Title: "Claude Code", Inside: true, Then: "start a new session; /mcp shows the server",
			files: func(m Machine) []string {
				if dir := m.Getenv("CLAUDE_CONFIG_DIR"); dir != "" {
					return []string{filepath.Join(dir, ".claude.json")}
				}
				return []string{filepath.Join(m.Home, ".claude.json")}
			},
			table: []string{"mcpServers"}, stdio: typed("stdio"), http: address("http", "url"), variable: "${" + TokenVariable + "}",
		},
		// https://modelcontextprotocol.io/docs/develop/connect-local-servers. The file can name only servers that the
		// client starts; others are custom connectors (https://support.claude.com/en/articles/11175166). On Linux the
		// application keeps its data in the XDG folder, as Electron does.
		{
			Name: "claude-desktop", Title: "Claude Desktop", Then: "quit Claude Desktop and start it again",
			files: func(m Machine) []string {
				return []string{filepath.Join(m.support(), "Claude", "claude_desktop_config.json")}
			},
			table: []string{"mcpServers"}, stdio: typed(""),
		},
		// https://cursor.com/docs/context/mcp ("Configuration locations", "STDIO server configuration", "Config interpolation").
		{
			Name: "cursor", Title: "Cursor", Then: "restart Cursor",
			files: inHome(".cursor", "mcp.json"),
			table: []string{"mcpServers"}, stdio: typed("stdio"), http: address("", "url"), variable: "${env:" + TokenVariable + "}",
		},
		// https://code.visualstudio.com/docs/agents/reference/mcp-configuration ("Configuration file", "Standard I/O (stdio) servers", "HTTP and
		// Server-Sent Events (SSE) servers"); cwd is the folder of the workspace unless it is set. Variables:
		// https://code.visualstudio.com/docs/reference/variables-reference ("Environment variables").
		{
			Name: "vscode", Title: "VS Code", Inside: true, Then: "run \"MCP: List Servers\" and start the server",
			files: func(m Machine) []string { return []string{filepath.Join(m.support(), "Code", "User", "mcp.json")} },
			table: []string{"servers"}, stdio: typed("stdio"), http: address("http", "url"), variable: "${env:" + TokenVariable + "}",
		},
		// https://developers.openai.com/codex/mcp ("Configure with config.toml"): the token is always taken from the environment.
		{
			Name: "codex", Title: "Codex", Inside: true, Then: "start a new session; /mcp shows the server",
			files: func(m Machine) []string {
				if dir := m.Getenv("CODEX_HOME"); dir != "" {
					return []string{filepath.Join(dir, "config.toml")}
				}
				return []string{filepath.Join(m.Home, ".codex", "config.toml")}
			},
			syntax: tomlSyntax, table: []string{"mcp_servers"}, stdio: typed(""),
			http: func(s Server) []member {
				members := []member{{"url", s.URL}}
				if s.Token {
					members = append(members, member{"bearer_token_env_var", TokenVariable})
				}
				return members
			},
		},
		// https://geminicli.com/docs/tools/mcp-server ("How to set up your MCP server": httpUrl is streamable HTTP, url is SSE) and
		// https://geminicli.com/docs/reference/configuration (variables in settings.json).
		{
			Name: "gemini", Title: "Gemini CLI", Inside: true, Then: "start a new session; /mcp shows the server",
			files: inHome(".gemini", "settings.json"),
			table: []string{"mcpServers"}, stdio: typed(""), http: address("", "httpUrl"), variable: "$" + TokenVariable,
		},
		// https://zed.dev/docs/ai/mcp ("As Custom Servers") and https://zed.dev/docs/configuring-zed for the place of the file.
		{
			Name: "zed", Title: "Zed", Then: "look at the server in the settings of the agent panel",
			files: func(m Machine) []string {
				if m.OS == "darwin" {
					return []string{filepath.Join(m.Home, ".config", "zed", "settings.json")}
				}
				return []string{filepath.Join(m.configHome(), "zed", "settings.json")}
			},
			table: []string{"context_servers"}, stdio: typed(""), http: address("", "url"),
		},
		// https://docs.windsurf.com/windsurf/cascade/mcp ("mcp_config.json", "Remote HTTP MCPs", "Config Interpolation").
		{
			Name: "windsurf", Title: "Windsurf", Then: "press the button that refreshes the list of servers",
			files: inHome(".codeium", "windsurf", "mcp_config.json"),
			table: []string{"mcpServers"}, stdio: typed(""), http: address("", "serverUrl"), variable: "${env:" + TokenVariable + "}",
		},
		// This is Windsurf's name since June 2026. The format is from
		// https://docs.devin.ai/cli/extensibility/mcp/configuration. That page has another path of the file; this path
		// is from https://docs.sevalla.com/ai-agents/windsurf and
		// https://vaadin.com/docs/latest/building-apps/agentic-development/mcp/supported-tools/devin-desktop.
		{
			Name: "devin", Title: "Devin Desktop", Then: "look at the server in the MCP list of the agent panel",
			files: func(m Machine) []string {
				return []string{filepath.Join(m.Home, ".config", "devin", "mcp_config.json")}
			},
			table: []string{"mcpServers"}, stdio: typed(""), http: address("", "url"),
		},
		// https://opencode.ai/v1/docs/mcp-servers and https://opencode.ai/v2/docs/mcp-servers: version 2 keeps servers
		// in mcp.servers, but still reads the format of version 1 (https://opencode.ai/docs/migrate-v1). Version 1 is
		// written unless mcp.servers exists.
		{
			Name: "opencode", Title: "opencode", Inside: true, Then: "start a new session",
			files: func(m Machine) []string {
				dir := filepath.Join(m.configHome(), "opencode")
				return []string{filepath.Join(dir, "opencode.json"), filepath.Join(dir, "opencode.jsonc")}
			},
			table: []string{"mcp"}, nested: "servers",
			stdio: func(s Server) []member {
				return []member{{"type", "local"}, {"command", append([]string{s.Command}, s.Args...)}}
			},
			http: address("remote", "url"), variable: "{env:" + TokenVariable + "}",
		},
		// https://docs.cline.bot/mcp/configuring-mcp-servers ("Editing Configuration Files"). The extension of VS Code
		// keeps the file in its storage folder, which is named by its identifier
		// (https://marketplace.visualstudio.com/items?itemName=saoudrizwan.claude-dev).
		{
			Name: "cline", Title: "Cline in VS Code", Then: "look at the server under \"MCP Servers\", \"Configure\"",
			files: func(m Machine) []string {
				return []string{filepath.Join(m.support(), "Code", "User", "globalStorage", "saoudrizwan.claude-dev", "settings", "cline_mcp_settings.json")}
			},
			table: []string{"mcpServers"}, stdio: typed(""), http: address("streamableHttp", "url"),
		},
		// https://docs.cline.bot/mcp/mcp-overview (the file of the command line, and CLINE_MCP_SETTINGS_PATH).
		{
			Name: "cline-cli", Title: "Cline on the command line", Then: "start a new session",
			files: func(m Machine) []string {
				if file := m.Getenv("CLINE_MCP_SETTINGS_PATH"); file != "" {
					return []string{file}
				}
				return []string{filepath.Join(m.Home, ".cline", "data", "settings", "cline_mcp_settings.json")}
			},
			table: []string{"mcpServers"}, stdio: typed(""), http: address("streamableHttp", "url"),
		},
		// https://junie.jetbrains.com/docs/junie-cli-mcp-configuration.html: the file of Junie, in the IDEs and on the
		// command line. The AI Assistant has no file:
		// https://www.jetbrains.com/help/ai-assistant/configure-an-mcp-server.html.
		{
			Name: "jetbrains", Title: "Junie of JetBrains", Then: "look at the server in Settings, Tools, Junie, MCP Settings; the AI Assistant takes what --print shows",
			files: inHome(".junie", "mcp", "mcp.json"),
			table: []string{"mcpServers"}, stdio: typed(""), http: address("", "url"),
		},
	}
}

// inHome returns a files function for a path in the user's home folder.
func inHome(path ...string) func(Machine) []string {
	return func(m Machine) []string { return []string{filepath.Join(append([]string{m.Home}, path...)...)} }
}

// typed returns a function that makes the entry of a server that the client starts. The entry has a member "type"
// unless kind is "".
func typed(kind string) func(Server) []member {
	return func(s Server) []member {
		var members []member
		if kind != "" {
			members = append(members, member{"type", kind})
		}
		return append(members, member{"command", s.Command}, member{"args", append([]string{}, s.Args...)})
	}
}

// address returns a function that makes the entry of a server on HTTP. The entry has a member "type" unless kind is "".
func address(kind, key string) func(Server) []member {
	return func(s Server) []member {
		var members []member
		if kind != "" {
			members = append(members, member{"type", kind})
		}
		members = append(members, member{key, s.URL})
		if s.Token {
			members = append(members, member{"headers", []member{{"Authorization", "Bearer " + s.variable}}})
		}
		return members
	}
}

// Names returns the names of the clients, in the order of the table.
func Names() []string {
	var names []string
	for _, c := range table() {
		names = append(names, c.Name)
	}
	return names
}

// Find returns the client with that name.
func Find(name string) (Client, error) {
	for _, c := range table() {
		if c.Name == name {
			return c, nil
		}
	}
	advice := "the clients are " + strings.Join(Names(), ", ")
	if near := hint.Nearest(name, Names()); near != "" {
		advice = fmt.Sprintf("did you mean %s? %s", near, advice)
	}
	return Client{}, hint.Wrap(fmt.Errorf("unknown client %q", name), advice)
}
