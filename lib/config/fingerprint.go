package config

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// Fingerprint is a digest of the settings by which files are cut and texts become vectors, and of the version of
// the commands that do it. The stages have exact ones of their own; this one tells the first
// stage, before any other has run, that an index was made under other circumstances.
func (c Config) Fingerprint(version string) string {
	h := sha256.New()
	e := c.Embedding
	fmt.Fprintf(h, "%q %+v %q %q %d %d", version, c.Chunking, e.Provider, e.Model, e.Dimensions, e.MaxTokens)
	if e.PassagePrefix != nil {
		fmt.Fprintf(h, " %q", *e.PassagePrefix)
	}
	return hex.EncodeToString(h.Sum(nil)[:6])
}
