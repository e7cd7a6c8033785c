// Package clients writes an entry for Cortex into the configuration files of MCP clients, and finds such entries.
//
// Each client is a row of the table in table.go. A file is edited in place: comments, order, indentation and all other
// content stay, which each edit checks before it writes. A file that cannot be parsed completely is left unchanged.
// Begin with setup.go; jsonc.go and toml.go edit the two formats.
package clients

import (
	"cmp"
	"fmt"
	"net/netip"
	"net/url"
	"path/filepath"
	"slices"

	"cortex/lib/hint"
)

// Address is the default address of a server on HTTP.
const Address = "127.0.0.1:8137"

// TokenVariable is the environment variable with the token of a server on HTTP.
const TokenVariable = "CORTEX_HTTP_TOKEN"

// A Client is one row of the table of clients.
type Client struct {
	// Name is what the user types, Title the product's name.
	Name, Title string
	// Inside says that the client starts servers in the folder of the project. Other clients pass the folder with
	// --root.
	Inside bool
	// Then says what the user has to do so that the client reads the changed file.
	Then string
	// files returns the possible paths of the configuration file. The first that exists is edited; if none exists, the
	// first is created.
	files func(Machine) []string
	// syntax is the format of the file.
	syntax syntax
	// table are the keys of the table of servers.
	table []string
	// nested is the key of an inner table that holds the servers if it exists.
	nested string
	// stdio and http return the members of an entry. http is nil if the file cannot name servers on HTTP.
	stdio func(Server) []member
	http  func(Server) []member
	// variable is the syntax for the token's environment variable in a header; "" if the client has none.
	variable string
}

// A syntax is the format of a configuration file.
type syntax int

const (
	jsonSyntax syntax = iota // with or without comments
	tomlSyntax
)

// A Machine has the data from which the paths of configuration files are made.
type Machine struct {
	// OS is runtime.GOOS.
	OS     string
	Home   string
	Getenv func(string) string
}

// configHome returns the folder of configuration files by the XDG Base Directory Specification.
func (m Machine) configHome() string {
	return cmp.Or(m.Getenv("XDG_CONFIG_HOME"), filepath.Join(m.Home, ".config"))
}

// support returns the folder in which desktop applications keep their data.
func (m Machine) support() string {
	if m.OS == "darwin" {
		return filepath.Join(m.Home, "Library", "Application Support")
	}
	return m.configHome()
}

// A Server is the content of an entry.
type Server struct {
	// Name is the name of the entry.
	Name string
	// Command and Args start a server on standard input and output.
	Command string
	Args    []string
	// URL is the address of a server on HTTP; "" means a server on standard input and output.
	URL string
	// Token says that the client has to send the token.
	Token bool

	variable string
}

// members returns the members of the entry for the server.
func (c Client) members(s Server) ([]member, error) {
	if s.URL == "" {
		return c.stdio(s), nil
	}
	if err := checkURL(s.URL); err != nil {
		return nil, err
	}
	if c.http == nil {
		return nil, hint.Wrap(fmt.Errorf("%s starts all servers of its file itself, and takes none on HTTP there", c.Title),
			"leave --http out; or add the server by hand as a custom connector, if it can be reached from the internet")
	}
	if s.Token && c.variable == "" && c.syntax == jsonSyntax {
		return nil, hint.Wrap(fmt.Errorf("%s cannot read headers from the environment, and the token must not be written into its file", c.Title),
			"serve it on this machine without a token, or write the header Authorization: Bearer TOKEN into the file yourself")
	}
	s.variable = c.variable
	return c.http(s), nil
}

// foreign returns the names of members that belong only to the other kind of server (command or HTTP). The entry must
// not have them.
func (c Client) foreign(s Server) (names []string) {
	sample := Server{Command: "x", URL: "x", Token: true}
	own, other := c.stdio(sample), []member(nil)
	if c.http != nil {
		other = c.http(sample)
	}
	if s.URL != "" {
		own, other = other, own
	}
	for _, m := range other {
		if !slices.ContainsFunc(own, func(o member) bool { return o.key == m.key }) {
			names = append(names, m.key)
		}
	}
	return names
}

// checkURL returns an error unless text is the URL of a server.
func checkURL(text string) error {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil {
		return hint.Wrap(fmt.Errorf("%q is not the address of a server", text), "expected one such as http://"+Address+"/mcp")
	}
	return nil
}

// IsLocal reports whether a URL is on this machine.
func IsLocal(text string) bool {
	u, err := url.Parse(text)
	if err != nil {
		return false
	}
	address, err := netip.ParseAddr(u.Hostname())
	return u.Hostname() == "localhost" || err == nil && address.IsLoopback()
}
