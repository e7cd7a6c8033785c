package config

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// Fingerprint returns a digest of the settings that determine chunks and embeddings, and of the version of the
// commands. Each stage has an exact fingerprint of its own. This one tells the first stage, before the others have run,
// that an index was made with other settings.
func (c Config) Fingerprint(version string) string {
	h := sha256.New()
	e := c.Embedding
	fmt.Fprintf(h, "%q %+v %q %q %d %d", version, c.Chunking, e.Provider, e.Model, e.Dimensions, e.MaxTokens)
	if e.PassagePrefix != nil {
		fmt.Fprintf(h, " %q", *e.PassagePrefix)
	}
	return hex.EncodeToString(h.Sum(nil)[:6])
}

// Indexing returns the settings of indexing of a tree in a form that changes with any of them, "" if they cannot be
// read.
func (l *Loader) Indexing(root string, environ []string) string {
	c, err := l.Load(root, environ, nil)
	if err != nil {
		return ""
	}
	text, err := json.Marshal([]any{c.Paths, c.Chunking, c.Embedding}) // fmt would write the addresses of prefixes
	if err != nil {
		return ""
	}
	return string(text)
}
