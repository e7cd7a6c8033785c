package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"cortex/lib/cli"
	"cortex/lib/clients"
	"cortex/lib/hint"
	"cortex/lib/mcp"
	"cortex/lib/safeopen"
)

// webFlags holds the flags of the HTTP server, which runs only if Address is set.
type webFlags struct {
	mcp.Web
	tokenFile string
}

func (w *webFlags) flags(fs *pflag.FlagSet) {
	fs.StringVar(&w.Address, "http", "", "serve many clients on HTTP at this `HOST:PORT`, such as "+clients.Address)
	fs.StringVar(&w.tokenFile, "token-file", "", "ask clients for the token in `FILE` (default: $"+clients.TokenVariable+", if it is set)")
	fs.StringVar(&w.Certificate, "tls-cert", "", "encrypt with the certificates in `FILE`")
	fs.StringVar(&w.Key, "tls-key", "", "`FILE` with the key of the certificate")
}

// maxTokenFile bounds the size of a token file, in bytes.
const maxTokenFile = 4 << 10

// prepare checks the flags and reads the token.
func (w *webFlags) prepare(env *cli.Env) error {
	if w.Address == "" {
		if w.tokenFile != "" || w.Certificate != "" || w.Key != "" {
			return hint.Wrap(cli.Usagef("--token-file, --tls-cert and --tls-key are for --http"), "add --http "+clients.Address)
		}
		return nil
	}
	if (w.Certificate == "") != (w.Key == "") {
		return cli.Usagef("--tls-cert and --tls-key need each other")
	}
	w.Token = strings.TrimSpace(env.Getenv(clients.TokenVariable))
	if w.tokenFile != "" {
		data, err := safeopen.ReadFile(w.tokenFile, maxTokenFile)
		if err != nil {
			return fmt.Errorf("--token-file: %w", err)
		}
		if info, err := os.Stat(w.tokenFile); err == nil && info.Mode().Perm()&0o077 != 0 {
			env.Warn("%s can be read by others; mend it with: chmod 600 %s", w.tokenFile, w.tokenFile)
		}
		if w.Token = strings.TrimSpace(string(data)); w.Token == "" {
			return fmt.Errorf("--token-file %s: there is no token", w.tokenFile)
		}
	}
	w.Ready = func(url string) {
		env.Warn("serving MCP on %s, and a page for people on %s/", url, strings.TrimSuffix(url, "/mcp"))
	}
	return nil
}
