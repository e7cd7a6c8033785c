// Package clients writes an entry for Cortex into the configuration files of MCP clients, and finds such entries.
//
// Each client is a row of the table (table.go). A file is edited in place: comments, order, indentation and all other content stay, which each
// edit checks before it writes. A file that cannot be parsed in full is left as it is. Begin with setup.go; jsonc.go and toml.go edit the two formats.
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

// Address is where a server on HTTP listens if it is not told.
const Address = "127.0.0.1:8137"

// TokenVariable is the environment variable with the token of a server on HTTP.
const TokenVariable = "CORTEX_HTTP_TOKEN"

// A Client is one row of the table of clients.
type Client struct {
	// Name is what the user types, Title what the client calls itself.
	Name, Title string
	// Inside tells that the client starts servers in the folder of the project; others are told the folder with --root.
	Inside bool
	// Then says what the user does for the client to see the change.
	Then string
	// files are where the configuration may be, relative to a base; the first that exists is edited, or else the first is made.
	files func(Machine) []string
	// syntax is how the file is written.
	syntax syntax
	// table are the keys on the way to the servers.
	table []string
	// nested, if it stands in the table already, holds the servers in its place.
	nested string
	// stdio and http are the members of an entry; http is nil if the file takes no server on HTTP.
	stdio func(Server) []member
	http  func(Server) []member
	// variable is how a header names the environment variable with the token; "" if it can't.
	variable string
}

// A syntax is how a file is written.
type syntax int

const (
	jsonSyntax syntax = iota // with or without comments
	tomlSyntax
)

// A Machine is what decides where configuration files are.
type Machine struct {
	// OS is runtime.GOOS.
	OS     string
	Home   string
	Getenv func(string) string
}

// configHome is the folder of configuration files of programs that follow the XDG Base Directory Specification.
func (m Machine) configHome() string {
	return cmp.Or(m.Getenv("XDG_CONFIG_HOME"), filepath.Join(m.Home, ".config"))
}

// support is the folder in which applications for the desktop keep their data.
func (m Machine) support() string {
	if m.OS == "darwin" {
		return filepath.Join(m.Home, "Library", "Application Support")
	}
	return m.configHome()
}

// A Server is what an entry is to say.
type Server struct {
	// Name is that of the entry.
	Name string
	// Command and Args start the server on standard input and output.
	Command string
	Args    []string
	// URL is that of a server on HTTP; "" is one on standard input and output.
	URL string
	// Token tells that the client has to send the token.
	Token bool

	variable string
}

// members are those of the entry for the server.
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

// foreign are the members that an entry for the server must not have, since they are of one that is reached otherwise.
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

// checkURL refuses what is not the address of a server.
func checkURL(text string) error {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil {
		return hint.Wrap(fmt.Errorf("%q is not the address of a server", text), "expected one such as http://"+Address+"/mcp")
	}
	return nil
}

// IsLocal reports whether a URL names this machine.
func IsLocal(text string) bool {
	u, err := url.Parse(text)
	if err != nil {
		return false
	}
	address, err := netip.ParseAddr(u.Hostname())
	return u.Hostname() == "localhost" || err == nil && address.IsLoopback()
}
